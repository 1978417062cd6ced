import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"

const key = "mfg_rate_limited"

const make = Effect.gen(function* () {
  const settings = {
    ...Settings.defaults,
    apiKey: key,
    seed: { _tag: "Empty" } as const,
    store: { _tag: "Sqlite", path: ":memory:" } as const,
    rateLimit: { requests: 2, windowMillis: 60_000 }
  }
  const { service } = yield* Instance.make({ settings, write: () => {} })
  return (method: string, target: string, headers: { readonly [name: string]: string } = {}) =>
    service.handle({ method, target, headers: { authorization: `Bearer ${key}`, ...headers }, body: "{}" })
})

const operation = "/api/v1/account/getCurrentUser"

describe("a rate limit", () => {
  it.scoped("responds with 429 in the form of each interface, until the window is over", () =>
    Effect.gen(function* () {
      const ask = yield* make
      const first = yield* ask("GET", "/rest/holiday")
      assert.deepInclude(first.headers, { RateLimit: `"key";r=1;t=60`, "X-RateLimit-Remaining": "1" })
      // Requests that are refused for another reason count, too.
      assert.strictEqual((yield* ask("GET", "/rest/nothing")).status, 404)
      const row = yield* ask("GET", "/rest/holiday")
      assert.strictEqual(row.status, 429)
      assert.deepStrictEqual(JSON.parse(String(row.body)), {
        code: "P0429",
        details: "The API key has sent 2 of 2 requests in 60 s (--rate-limit).",
        hint: "Repeat the request after 60 s.",
        message: "Rate limit exceeded"
      })
      assert.deepInclude(row.headers, { "Retry-After": "60", RateLimit: `"key";r=0;t=60` })
      const refused = yield* ask("POST", operation)
      assert.deepStrictEqual(JSON.parse(String(refused.body)), {
        defined: false,
        code: "TOO_MANY_REQUESTS",
        status: 429,
        message: "Rate limit exceeded",
        data: {
          code: "P0429",
          details: "The API key has sent 2 of 2 requests in 60 s (--rate-limit).",
          hint: "Repeat the request after 60 s."
        }
      })
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* ask("POST", operation)).status, 200)
    })
  )

  it.scoped("ignores requests without a key, and exposes its headers to browsers", () =>
    Effect.gen(function* () {
      const ask = yield* make
      for (let count = 0; count < 5; count++) {
        assert.strictEqual((yield* ask("GET", "/rest/holiday", { authorization: "Bearer none" })).status, 401)
        assert.strictEqual((yield* ask("GET", "/health/live")).status, 200)
      }
      const { headers, status } = yield* ask("GET", "/rest/holiday", { origin: "http://page.test" })
      assert.strictEqual(status, 200)
      for (const name of ["RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "Retry-After"]) {
        assert.include(headers["Access-Control-Expose-Headers"], name)
      }
    })
  )
})
