import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as Testing from "../src/testing.ts"
import { newWebhook } from "./webhooks/newWebhook.ts"

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
  it.effect("makes a world with the demo's rows", () =>
    Effect.gen(function* () {
      const { list } = yield* holidays
      assert.isAbove((yield* list).length, 2)
      const { companyId, userId } = yield* Testing.World
      assert.deepStrictEqual([companyId, userId], ["demo", "operations"])
    }).pipe(Effect.provide(Testing.layer()))
  )

  it.effect("runs on the caller's clock", () =>
    Effect.gen(function* () {
      const { create } = yield* holidays
      yield* TestClock.setTime(Date.parse("2027-01-01T00:00:00Z"))
      assert.deepInclude(yield* create, { createdAt: "2027-01-01T00:00:00.000Z" })
      yield* TestClock.adjust("90 minutes")
      assert.deepInclude(yield* create, { createdAt: "2027-01-01T01:30:00.000Z" })
    }).pipe(Effect.provide(Testing.layer(empty)))
  )

  it.effect("generates the same ids twice", () =>
    Effect.gen(function* () {
      const run = Effect.flatMap(holidays, ({ create }) => create).pipe(Effect.provide(Testing.layer(empty)))
      assert.deepStrictEqual(yield* run, yield* run)
    })
  )

  it.effect("starts again when it is reset", () =>
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

  it.effect("restores a snapshot, any number of times", () =>
    Effect.gen(function* () {
      const { create, list } = yield* holidays
      const { reset, restore, snapshot } = yield* Testing.World
      const first = yield* create
      const kept = yield* snapshot
      for (let round = 0; round < 2; round++) {
        const second = yield* create
        assert.notDeepEqual(second, first)
        assert.lengthOf(yield* list, 2)
        yield* restore(kept)
        assert.deepStrictEqual(yield* list, [first])
      }
      yield* reset
      assert.lengthOf(yield* list, 0)
    }).pipe(Effect.provide(Testing.layer(empty)))
  )

  it.effect("forks into independent worlds", () =>
    Effect.gen(function* () {
      const { create, list } = yield* holidays
      const { fork } = yield* Testing.World
      const first = yield* create
      const forked = Effect.gen(function* () {
        const { create, list } = yield* holidays
        const second = yield* create
        assert.sameDeepMembers([...(yield* list)], [first, second])
        return second
      })
      const [left, right] = yield* Effect.all([Effect.provide(forked, fork), Effect.provide(forked, fork)])
      assert.notDeepEqual(left, right)
      assert.deepStrictEqual(yield* list, [first])
      const mine = yield* create
      assert.notDeepEqual(mine, left)
    }).pipe(Effect.provide(Testing.layer(empty)))
  )

  it.live(
    "gives a hundred tests a world of their own within two seconds of processor time",
    () =>
      Effect.gen(function* () {
        const one = Effect.flatMap(holidays, ({ create }) => create).pipe(Effect.provide(Testing.layer()))
        yield* one
        let best = Infinity
        for (let attempt = 0; attempt < 3 && best > 2; attempt++) {
          const start = process.cpuUsage()
          for (let world = 0; world < 100; world++) yield* one
          const { system, user } = process.cpuUsage(start)
          best = Math.min(best, (system + user) / 1_000_000)
        }
        assert.isAtMost(best, 2)
      }),
    60_000
  )

  it.effect("serves /_mock to the administrator", () =>
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

  it.effect("passes webhook deliveries to a function, and retries on the virtual clock", () => {
    const types: Array<unknown> = []
    const webhooks = async (request: Request) => {
      const event: { readonly type: string } = JSON.parse(await request.text())
      types.push(event.type)
      return new Response(null, { status: types.length === 1 ? 503 : 204 })
    }
    return Effect.gen(function* () {
      const { apiKey, delivered, restUrl } = yield* Testing.World
      const { create } = yield* holidays
      yield* HttpClient.execute(
        HttpClientRequest.post(`${restUrl}/webhook`).pipe(
          HttpClientRequest.bodyUnsafeJson(newWebhook({ url: "https://receiver.test/" })),
          HttpClientRequest.bearerToken(apiKey)
        )
      )
      yield* create
      yield* delivered
      assert.deepStrictEqual(types, ["INSERT"])
      yield* TestClock.adjust("5 seconds")
      yield* delivered
      assert.deepStrictEqual(types, ["INSERT", "INSERT"])
    }).pipe(Effect.provide(Testing.layer({ ...empty, webhooks })))
  })
})
