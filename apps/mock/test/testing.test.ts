import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as Testing from "../src/testing.ts"

const holidays = Effect.gen(function* () {
  const { apiKey, restUrl } = yield* Testing.World
  const key = HttpClientRequest.bearerToken(apiKey)
  const send = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.flatMap(HttpClient.execute(key(request)), ({ json }) => json)
  const list: Effect.Effect<ReadonlyArray<unknown>, unknown, HttpClient.HttpClient> = Effect.map(
    send(HttpClientRequest.get(`${restUrl}/holiday`)),
    (rows) => (Array.isArray(rows) ? rows : [])
  )
  const create = HttpClientRequest.post(`${restUrl}/holiday`).pipe(
    HttpClientRequest.bodyUnsafeJson({ name: "Founding day", date: "2027-05-01", companyId: "demo" }),
    send
  )
  return { list, create }
})

const empty = { seed: { _tag: "Empty" } } as const

describe("testing", () => {
  it.effect("gives a world with the demo's rows", () =>
    Effect.gen(function* () {
      const { list } = yield* holidays
      assert.isAbove((yield* list).length, 2)
      const { companyId, userId } = yield* Testing.World
      assert.deepStrictEqual([companyId, userId], ["demo", "operations"])
    }).pipe(Effect.provide(Testing.layer()))
  )

  it.effect("runs under the caller's clock", () =>
    Effect.gen(function* () {
      const { create } = yield* holidays
      yield* TestClock.setTime(Date.parse("2027-01-01T00:00:00Z"))
      assert.deepInclude(yield* create, { createdAt: "2027-01-01T00:00:00Z" })
      yield* TestClock.adjust("90 minutes")
      assert.deepInclude(yield* create, { createdAt: "2027-01-01T01:30:00Z" })
    }).pipe(Effect.provide(Testing.layer(empty)))
  )

  it.effect("makes the same ids twice", () =>
    Effect.gen(function* () {
      const run = Effect.flatMap(holidays, ({ create }) => create).pipe(Effect.provide(Testing.layer(empty)))
      assert.deepStrictEqual(yield* run, yield* run)
    })
  )

  it.effect("begins again when it is reset", () =>
    Effect.gen(function* () {
      const { create, list } = yield* holidays
      const { reset } = yield* Testing.World
      const first = yield* create
      assert.lengthOf(yield* list, 1)
      yield* reset
      assert.lengthOf(yield* list, 0)
      assert.deepStrictEqual(yield* create, first)
    }).pipe(Effect.provide(Testing.layer(empty)))
  )

  it.effect("opens /_mock to its administrator", () =>
    Effect.gen(function* () {
      const { adminKey } = yield* Testing.World
      const status = (key: Redacted.Redacted) =>
        HttpClientRequest.get("http://any.test/_mock/keys").pipe(
          HttpClientRequest.bearerToken(key),
          HttpClient.execute,
          Effect.map(({ status }) => status)
        )
      assert.strictEqual(yield* status(adminKey), 200)
      assert.strictEqual(yield* status((yield* Testing.World).apiKey), 401)
    }).pipe(Effect.provide(Testing.layer(empty)))
  )
})
