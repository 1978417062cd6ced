import { assert, describe, it } from "@effect/vitest"
import * as Slices from "../../src/world/Slices.ts"

/** Computes for a number of milliseconds, with a yield after each. */
const busy = function* (millis: number): Slices.Slices<string> {
  for (let count = 0; count < millis; count++) {
    const end = performance.now() + 1
    while (performance.now() < end);
    yield
  }
  return "done"
}

describe("a computation in slices", () => {
  it("lets the event loop handle other work in between", async () => {
    let turns = 0
    const turn = () => {
      turns += 1
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    assert.strictEqual(await Slices.runInBackground(busy(60)), "done")
    clearImmediate(next)
    assert.isAtLeast(turns, 8)
  })

  it("has the same result without pauses", () => {
    assert.strictEqual(Slices.run(busy(3)), "done")
  })
})
