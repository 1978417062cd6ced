import type * as AdminApi from "@mfgdata/client/AdminApi"
import { assert, describe, it } from "@effect/vitest"
import * as FaultDraw from "../../src/faults/FaultDraw.ts"

const place = { seed: 1, world: "main", rule: "a" }

/** The sorted latencies of 10 000 matches. */
const latencies = (distribution: AdminApi.Latency) =>
  Array.from({ length: 10_000 }, (_, match) =>
    FaultDraw.latency(distribution, FaultDraw.make({ ...place, match }))
  ).toSorted((a, b) => a - b)

const at = (values: ReadonlyArray<number>, part: number) => values[Math.floor(values.length * part)] ?? Number.NaN

describe("FaultDraw", () => {
  it("draws the same number for the same place, and unrelated ones for its neighbours", () => {
    const draw = (change: Partial<FaultDraw.Place>) => FaultDraw.make({ ...place, match: 1, ...change }).unit("fires")
    assert.strictEqual(draw({}), draw({}))
    const others = [draw({ seed: 2 }), draw({ world: "b" }), draw({ rule: "b" }), draw({ match: 2 })]
    assert.strictEqual(new Set([draw({}), ...others]).size, 5)
    const hits = Array.from({ length: 10_000 }, (_, match) => draw({ match })).filter((unit) => unit < 0.1).length
    assert.approximately(hits, 1000, 100)
    const pairs = Array.from(
      { length: 10_000 },
      (_, match) => draw({ match }) < 0.1 && draw({ match: match + 1 }) < 0.1
    )
    assert.approximately(pairs.filter((both) => both).length, 100, 40)
  })

  it("draws the latencies of each distribution", () => {
    assert.deepStrictEqual(new Set(latencies({ fixed: 300 })), new Set([300]))
    const uniform = latencies({ uniform: [50, 150] })
    assert.isAtLeast(at(uniform, 0), 50)
    assert.isBelow(at(uniform, 0.9999), 150)
    assert.approximately(at(uniform, 0.5), 100, 5)
    const normal = latencies({ normal: [200, 50] })
    assert.approximately(at(normal, 0.5), 200, 5)
    assert.approximately(at(normal, 0.84), 250, 5)
    assert.isAtLeast(at(latencies({ normal: [10, 50] }), 0), 0)
    const tail = latencies({ p50: 80, p99: 2000 })
    assert.approximately(at(tail, 0.5), 80, 8)
    assert.approximately(at(tail, 0.99), 2000, 400)
  })
})
