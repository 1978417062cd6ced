import { assert, describe, it } from "@effect/vitest"
import { Holiday } from "@mfgdata/domain"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { id, row, values } from "./fixtures/holiday.ts"
import { errorBody, type Reply, rows as scripted } from "./fixtures/scripted.ts"

const found = { status: 200, body: row }
const busy = (status: number, retryAfter?: string): Reply => ({
  status,
  body: "busy",
  headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }
})

/** Runs an effect while time passes step by step, and returns its result and the seconds that it took. */
const timed = <A, E>(effect: Effect.Effect<A, E>, step: Duration.DurationInput = "100 millis") =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.either(effect))
    let steps = 0
    while (fiber.unsafePoll() === null) {
      yield* TestClock.adjust(step)
      // Lets the woken fibers run to their next wait.
      yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      steps++
    }
    return { result: yield* Fiber.join(fiber), seconds: (steps * Duration.toMillis(step)) / 1000 }
  })

describe("idempotent requests", () => {
  for (const met of ["refused", "interrupted", busy(429), busy(502), busy(503), busy(504)] as const) {
    it.effect(`are retried after ${typeof met === "string" ? met : met.status}`, () =>
      Effect.gen(function* () {
        const { requests, rows } = yield* scripted([met, met, found])
        const { result, seconds } = yield* timed(rows.retrieve(Holiday, id))
        assert.strictEqual(result._tag, "Right")
        assert.lengthOf(requests, 3)
        // 0.1 to 0.2 seconds, then 0.2 to 0.4.
        assert.isAtLeast(seconds, 0.3)
        assert.isAtMost(seconds, 1)
      })
    )
  }

  it.effect("fail with the last error after four retries", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([busy(503)])
      const { result, seconds } = yield* timed(Effect.flip(rows.list(Holiday)))
      assert.strictEqual(Either.getOrThrow(result)._tag, "ServiceUnavailable")
      assert.lengthOf(requests, 5)
      assert.isAtLeast(seconds, 1.5)
      assert.isAtMost(seconds, 4)
    })
  )

  it.effect("are retried after the seconds of Retry-After", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([busy(429, "7"), found])
      const { result, seconds } = yield* timed(rows.retrieve(Holiday, id), "500 millis")
      assert.strictEqual(result._tag, "Right")
      assert.isAtLeast(seconds, 7)
      assert.isAtMost(seconds, 7.5)
    })
  )

  it.effect("are retried after the date of Retry-After", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00Z"))
      const { rows } = yield* scripted([busy(503, "Thu, 01 Jan 2026 00:00:05 GMT"), found])
      const { seconds } = yield* timed(rows.retrieve(Holiday, id), "500 millis")
      assert.isAtLeast(seconds, 5)
      assert.isAtMost(seconds, 5.5)
    })
  )

  it.effect("are retried after the seconds of Retry-After where the queue of the service is full", () =>
    Effect.gen(function* () {
      const full = { status: 503, body: errorBody("P0503", "Too many queries wait"), headers: { "retry-after": "2" } }
      const { requests, rows } = yield* scripted([full, found])
      const { result, seconds } = yield* timed(rows.retrieve(Holiday, id), "500 millis")
      assert.strictEqual(result._tag, "Right")
      assert.lengthOf(requests, 2)
      assert.isAtLeast(seconds, 2)
      assert.isAtMost(seconds, 2.5)
    })
  )

  it.effect("are not retried when Retry-After is longer than the longest delay", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([busy(429, "31")])
      const error = yield* Effect.flip(rows.retrieve(Holiday, id))
      assert.strictEqual(error._tag, "RateLimited")
      assert.strictEqual(error.message, "Too many requests for holiday: retry in 31s")
      assert.lengthOf(requests, 1)
    })
  )

  for (const status of [400, 401, 403, 404, 409, 500, 501]) {
    it.effect(`are not retried after ${status}`, () =>
      Effect.gen(function* () {
        const { requests, rows } = yield* scripted([busy(status)])
        yield* Effect.flip(rows.retrieve(Holiday, id))
        assert.lengthOf(requests, 1)
      })
    )
  }

  it.effect("are retried by the policy of the options", () =>
    Effect.gen(function* () {
      const never = yield* scripted(["refused"], { retry: { times: 0 } })
      yield* Effect.flip(never.rows.retrieve(Holiday, id))
      assert.lengthOf(never.requests, 1)
      const slow = yield* scripted(["refused"], { retry: { times: 2, first: "10 seconds", longest: "12 seconds" } })
      const { seconds } = yield* timed(Effect.flip(slow.rows.retrieve(Holiday, id)), "1 second")
      assert.lengthOf(slow.requests, 3)
      assert.isAtLeast(seconds, 11)
      assert.isAtMost(seconds, 23)
    })
  )

  it.effect("are not retried after an interruption", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted(["refused"])
      const fiber = yield* Effect.fork(rows.retrieve(Holiday, id))
      yield* TestClock.adjust("50 millis")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("fail when an attempt exceeds the timeout", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted(["silent"], { timeout: "3 seconds", retry: { times: 1 } })
      const { result } = yield* timed(Effect.flip(rows.retrieve(Holiday, id)), "1 second")
      assert.strictEqual(Either.getOrThrow(result).message, "http://service.test did not respond within the timeout")
      assert.lengthOf(requests, 2)
    })
  )
})

describe("a create", () => {
  it.effect("is retried with the same idempotency key", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted(["interrupted", busy(503), { status: 201, body: row }])
      const { result } = yield* timed(rows.create(Holiday, values))
      assert.strictEqual(result._tag, "Right")
      const keys = requests.map(({ headers }) => headers["idempotency-key"])
      assert.lengthOf(keys, 3)
      assert.lengthOf([...new Set(keys)], 1)
      assert.match(keys[0] ?? "", /^[0-9a-f]{32}$/)
      const { requests: other, rows: others } = yield* scripted([{ status: 201, body: row }])
      yield* others.create(Holiday, values)
      assert.notStrictEqual(other[0]?.headers["idempotency-key"], keys[0])
    })
  )

  it.effect("sends the idempotency key of its options", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([{ status: 201, body: row }])
      yield* rows.create(Holiday, values, { idempotencyKey: "order-7" })
      assert.strictEqual(requests[0]?.headers["idempotency-key"], "order-7")
    })
  )

  it.effect("is not retried where the service does not support idempotency keys", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted(["interrupted", { status: 201, body: row }], {
        idempotencyKeys: false
      })
      const error = yield* Effect.flip(rows.create(Holiday, values))
      assert.strictEqual(
        error.message,
        "http://service.test closed the connection before the end of the response: other side closed"
      )
      assert.lengthOf(requests, 1)
      assert.notProperty(requests[0]?.headers, "idempotency-key")
    })
  )
})

describe("a remove", () => {
  const absent: Reply = { status: 404, body: { code: "PGRST116", message: "", details: null, hint: null } }

  it.effect("succeeds when the row is absent at a retry", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted(["interrupted", absent])
      const { result } = yield* timed(rows.remove(Holiday, id))
      assert.strictEqual(result._tag, "Right")
      assert.lengthOf(requests, 2)
    })
  )

  it.effect("fails when the row is absent at the first attempt", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([absent])
      assert.strictEqual((yield* Effect.flip(rows.remove(Holiday, id)))._tag, "RowNotFound")
    })
  )
})
