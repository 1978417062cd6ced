import { assert, describe, it } from "@effect/vitest"
import * as RateLimit from "../../src/access/RateLimit.ts"

const make = (requests: number, windowMillis: number) => {
  const clock = { millis: 1_000_000 }
  return { clock, limit: RateLimit.make({ requests, windowMillis }, () => clock.millis) }
}

describe("RateLimit", () => {
  it("allows a number of requests per key in a window that starts with the first one", () => {
    const { clock, limit } = make(2, 60_000)
    assert.deepStrictEqual(limit.take("one").headers, {
      RateLimit: `"key";r=1;t=60`,
      "RateLimit-Policy": `"key";q=2;w=60`,
      "X-RateLimit-Limit": "2",
      "X-RateLimit-Remaining": "1",
      "X-RateLimit-Reset": "1060000"
    })
    clock.millis += 500
    assert.isTrue(limit.take("one").isWithin)
    const third = limit.take("one")
    assert.deepStrictEqual([third.isWithin, third.secondsLeft], [false, 60])
    assert.isTrue(limit.take("another").isWithin)
    clock.millis += 59_499
    assert.deepInclude(limit.take("one"), { isWithin: false, secondsLeft: 1 })
    clock.millis += 1
    assert.isTrue(limit.take("one").isWithin)
  })

  it("starts a new window when the clock is set back", () => {
    const { clock, limit } = make(1, 1000)
    limit.take("one")
    clock.millis -= 500_000
    assert.isTrue(limit.take("one").isWithin)
    assert.isFalse(limit.take("one").isWithin)
  })

  it("removes windows that are over", () => {
    const { clock, limit } = make(1, 1000)
    for (let key = 0; key < 10_000; key++) limit.take(`key ${key}`)
    clock.millis += 1000
    for (let key = 0; key < 10_001; key++) assert.isTrue(limit.take(`key ${key}`).isWithin)
  })
})
