import { assert, describe, it } from "@effect/vitest"
import * as Progress from "../src/Progress.ts"

describe("the line on a transfer", () => {
  it("has rows, rate and what is left of the time", () => {
    assert.strictEqual(
      Progress.line("kanban", { rows: 12_500, millis: 10_000, part: 0.25 }),
      "kanban: 12 500 rows, 1 250/s, 0:30 left"
    )
  })

  it("promises nothing where the whole is not known", () => {
    assert.strictEqual(Progress.line("kanban", { rows: 5, millis: 1000, part: undefined }), "kanban: 5 rows, 5/s")
    assert.strictEqual(Progress.line("kanban", { rows: 0, millis: 0, part: 0 }), "kanban: 0 rows, 0/s")
  })
})
