import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@mfgdata/domain/Ids"
import * as RateLimit from "../../src/access/RateLimit.ts"

const make = (requests: number, windowMillis: number) => {
  const clock = { millis: 1_000_000 }
  const limit = RateLimit.make({ key: { requests, windowMillis } }, () => clock.millis)
  const take = (keyId: string) => {
    const { exceeded, headers } = limit?.take({ keyId, companyId: CompanyId.make("acme") }) ?? assert.fail("no limit")
    return { isWithin: exceeded === undefined, secondsLeft: exceeded?.secondsLeft, headers }
  }
  return { clock, limit: { take } }
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

  it("limits each key and each company, and counts a request that exceeds one of them for none", () => {
    const [key, company] = [
      { requests: 2, windowMillis: 60_000 },
      { requests: 3, windowMillis: 1000 }
    ]
    const clock = { millis: 1_000_000 }
    const limit = RateLimit.make({ key, company }, () => clock.millis) ?? assert.fail("no limit")
    const take = (keyId: string, companyId = "acme") => limit.take({ keyId, companyId: CompanyId.make(companyId) })
    const { headers } = take("one")
    assert.deepInclude(headers, {
      RateLimit: `"key";r=1;t=60, "company";r=2;t=1`,
      "RateLimit-Policy": `"key";q=2;w=60, "company";q=3;w=1`,
      "X-RateLimit-Limit": "2",
      "X-RateLimit-Remaining": "1"
    })
    assert.isUndefined(take("one").exceeded)
    assert.deepInclude(take("one").exceeded, { policy: "key", requests: 2, secondsLeft: 60 })
    assert.isUndefined(take("two").exceeded)
    assert.deepInclude(take("two").exceeded, { policy: "company", requests: 3, secondsLeft: 1 })
    assert.isUndefined(take("three", "rival").exceeded)
    clock.millis += 1000
    assert.deepInclude(take("two").headers, { RateLimit: `"key";r=0;t=59, "company";r=2;t=1` })
    assert.deepInclude(take("two").exceeded, { policy: "key" })
  })

  it("does not exist without a rate", () => {
    assert.isUndefined(RateLimit.make({}, () => 0))
  })
})
