import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type * as Sender from "../../src/webhooks/Sender.ts"
import { holiday, hook, open } from "../admin/webhookService.ts"

const answered: Sender.Outcome = { _tag: "Answered", status: 204, headers: {}, body: "" }
const timedOut: Sender.Outcome = { _tag: "TimedOut", afterMillis: 15_000 }

/** A receiver whose attempts end when the test says so. */
const receiver = () => {
  const open: Array<Deferred.Deferred<Sender.Outcome>> = []
  const waiters: Array<{ readonly count: number; readonly deferred: Deferred.Deferred<void> }> = []
  const notify = Effect.suspend(() =>
    Effect.forEach(
      waiters.filter(({ count }) => open.length >= count),
      ({ deferred }) => Deferred.succeed(deferred, undefined)
    )
  )
  const send: Sender.Sender = () =>
    Effect.gen(function* () {
      const outcome = yield* Deferred.make<Sender.Outcome>()
      open.push(outcome)
      yield* notify
      return yield* Deferred.await(outcome)
    })
  return {
    send,
    inFlight: () => open.length,
    /** Waits until this number of attempts is in flight. */
    reached: (count: number) =>
      Effect.gen(function* () {
        const deferred = yield* Deferred.make<void>()
        waiters.push({ count, deferred })
        yield* notify
        yield* Deferred.await(deferred)
      }),
    /** Ends all attempts in flight. */
    end: (outcome: Sender.Outcome) =>
      Effect.suspend(() => Effect.forEach(open.splice(0), (attempt) => Deferred.succeed(attempt, outcome)))
  }
}

describe("the dispatcher", () => {
  it.scoped("sends one request at a time to a receiver that timed out, until it answers", () =>
    Effect.gen(function* () {
      const { end, inFlight, reached, send } = receiver()
      const call = yield* open(send, "system")
      yield* call("POST", "/rest/webhook", hook("https://receiver.test/"))
      const rows = Array.from({ length: 20 }, () => holiday)
      yield* call("POST", "/rest/holiday", rows)
      yield* reached(16)
      yield* end(timedOut)
      // The four others are due now, one after the other.
      for (let count = 0; count < 4; count++) {
        yield* reached(1)
        assert.strictEqual(inFlight(), 1)
        yield* end(timedOut)
      }
      yield* TestClock.adjust("5 seconds")
      yield* reached(1)
      assert.strictEqual(inFlight(), 1)
      yield* end(answered)
      yield* reached(16)
      assert.strictEqual(inFlight(), 16)
      yield* end(answered)
    })
  )
})
