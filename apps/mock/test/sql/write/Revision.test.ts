import { assert, describe, it } from "@effect/vitest"
import * as Revision from "../../../src/sql/write/Revision.ts"

describe("Revision", () => {
  it("begins far from the revisions of neighbouring changes, and leaves room to count", () => {
    const changes = Array.from({ length: 20_000 }, (_, index) => `0mb1x2y3z4${String(index).padStart(10, "0")}`)
    const firsts = changes.map(Revision.first).toSorted((one, other) => one - other)
    const gaps = firsts.slice(1).map((first, index) => first - (firsts[index] ?? 0))
    // Random gaps: the smallest one is about ten million.
    assert.isAbove(Math.min(...gaps), 1000)
    assert.isAbove(firsts[0] ?? 0, 0)
    assert.isBelow(firsts.at(-1) ?? Infinity, 2 ** 52 + 1)
  })
})
