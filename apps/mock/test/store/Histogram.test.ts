import { assert, describe, it } from "@effect/vitest"
import * as Histogram from "../../src/store/Histogram.ts"

describe("Histogram", () => {
  it("counts by the bound that a time falls under, and sums", () => {
    const { observe, read } = Histogram.make()
    for (const seconds of [0, 0.0001, 0.0002, 3600]) observe(seconds)
    const { bounds, counts, sum } = read()
    assert.deepStrictEqual(bounds.slice(0, 2), [0.0001, 0.00025])
    assert.strictEqual(counts.length, bounds.length + 1)
    assert.deepStrictEqual([counts[0], counts[1], counts.at(-1)], [2, 1, 1])
    assert.closeTo(sum, 3600.0003, 1e-9)
  })
})
