import { assert, describe, it } from "@effect/vitest"
import * as RetrySchedule from "../../src/webhooks/RetrySchedule.ts"

const seconds = 1000

describe("the retry schedule", () => {
  it("retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, up to a tenth early, and then ends", () => {
    const wanted = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((delay) => delay * seconds)
    const drawn = new Set<number>()
    for (let seed = 0; seed < 100; seed++) {
      for (const [index, delay] of wanted.entries()) {
        const due = RetrySchedule.next({ attempts: index + 1, now: 1000, seed: String(seed) }) ?? 0
        assert.isAtLeast(due, 1000 + delay * 0.9)
        assert.isAtMost(due, 1000 + delay)
        drawn.add((due - 1000) / delay)
      }
    }
    assert.isAbove(drawn.size, 600)
    assert.isAbove(Math.max(...drawn) - Math.min(...drawn), 0.09)
    assert.isUndefined(RetrySchedule.next({ attempts: 8, now: 0, seed: "a" }))
  })

  it("is the same for the same delivery", () =>
    assert.strictEqual(
      RetrySchedule.next({ attempts: 3, now: 0, seed: "e1/w1" }),
      RetrySchedule.next({ attempts: 3, now: 0, seed: "e1/w1" })
    ))

  it("waits as long as the receiver requests, at least as planned and at most a day", () => {
    const due = (notBefore: number) => RetrySchedule.next({ attempts: 1, now: 0, seed: "a", notBefore }) ?? 0
    assert.strictEqual(due(60 * seconds), 60 * seconds)
    assert.strictEqual(due(365 * 86_400 * seconds), 86_400 * seconds)
    assert.isAtLeast(due(1), 4.5 * seconds)
  })
})
