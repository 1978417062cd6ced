import { assert, describe, it } from "@effect/vitest"
import * as Cell from "@mfgdata/shell/output/Cell"
import * as LiveTable from "../src/watch/LiveTable.ts"
import type { RowEvent } from "../src/watch/RowEvent.ts"

const event = (key: string, name: string): RowEvent => ({
  change: "insert",
  time: "2027-05-01T12:30:00Z",
  key,
  row: { id: key, name, empty: null }
})

const names = ["id", "name", "empty"]

describe("the table of mfg watch", () => {
  it("fits the terminal, with wide characters and more changes than lines", () => {
    const events = Array.from({ length: 50 }, (_, index) => event(`k${index}`, "漢字".repeat(40)))
    const lines = LiveTable.lines(events, names, undefined, { columns: 40, rows: 10 }, 60)
    assert.lengthOf(lines, 9)
    assert.isTrue(lines.every((line) => Cell.width(line) <= 40))
    assert.match(lines[0] ?? "", /^id +change +time +name$/)
    assert.match(lines[1] ?? "", /^k0 +insert +\d\d:\d\d:00 +漢字.*…$/)
    assert.strictEqual(lines.at(-1), "(60 changes)")
  })

  it("has the columns of --fields", () => {
    const lines = LiveTable.lines([event("k", "n")], names, ["row.name", "change"], { columns: 40, rows: 10 }, 1)
    assert.deepStrictEqual(lines, ["row.name  change", "n         insert", "(1 change)"])
  })
})
