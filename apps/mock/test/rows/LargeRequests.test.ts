import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Exchange from "../../src/Exchange.ts"
import * as LargeRequests from "../../src/rows/LargeRequests.ts"

const done: Exchange.Response = { status: 200, headers: {}, body: "" }
const consumer = (companyId: string) => ({ companyId, keyId: "key" })

describe("a large request", () => {
  it.live("is refused when it has waited too long for the others of its company", () =>
    Effect.gen(function* () {
      const requests = LargeRequests.make(50)
      const end = yield* Deferred.make<void>()
      const first = yield* Effect.fork(requests(consumer("demo"), Effect.as(Deferred.await(end), done)))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(requests(consumer("demo"), Effect.succeed(done)))
      assert.deepStrictEqual(yield* requests(consumer("other"), Effect.succeed(done)), done)
      const refused = yield* Fiber.join(waiting)
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(refused.headers["Retry-After"], "1")
      assert.include(String(refused.body), "waited for 50 ms")
      yield* Deferred.succeed(end, undefined)
      assert.deepStrictEqual(yield* Fiber.join(first), done)
      // The refused request has left the queue.
      assert.deepStrictEqual(yield* requests(consumer("demo"), Effect.succeed(done)), done)
    })
  )

  it.live("has no limit of time once it has its turn", () =>
    Effect.gen(function* () {
      const requests = LargeRequests.make(20)
      assert.deepStrictEqual(yield* requests(consumer("demo"), Effect.as(Effect.sleep(60), done)), done)
    })
  )
})
