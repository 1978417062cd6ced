import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as IdGenerator from "../../src/world/IdGenerator.ts"

const take = (make: () => string, count: number) => Array.from({ length: count }, make)

describe("IdGenerator", () => {
  it("makes 20 lower-case characters that sort by time", () => {
    let millis = 0
    const make = IdGenerator.make(() => millis)
    const ids = [0, 1, Date.parse("2026-11-20"), Date.parse("2126-11-20")].map((time) => {
      millis = time
      return make()
    })
    for (const id of ids) assert.match(id, /^[0-9a-z]{20}$/)
    assert.deepStrictEqual(ids.toSorted(), ids)
  })

  it("never decreases, whatever its clock does", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.nat(5), { minLength: 2 }), FastCheck.integer(), (clock, seed) => {
        let index = 0
        const make = IdGenerator.make(() => clock[index++] ?? 0, seed)
        const ids = take(make, clock.length)
        assert.deepStrictEqual(ids.toSorted(), ids)
        assert.strictEqual(new Set(ids).size, ids.length)
      })
    )
  })

  it("depends on clock and seed only, and differs without a seed", () => {
    const now = () => 1_800_000_000_000
    assert.deepStrictEqual(take(IdGenerator.make(now, 7), 50), take(IdGenerator.make(now, 7), 50))
    assert.notStrictEqual(IdGenerator.make(now, 7)(), IdGenerator.make(now, 8)())
    assert.notStrictEqual(IdGenerator.make(now)(), IdGenerator.make(now)())
  })
})
