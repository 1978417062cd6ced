import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert, describe, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client/Rows"
import { Holiday } from "@mfgdata/domain/resources/Holiday"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as Instance from "../src/service/Instance.ts"
import * as Settings from "../src/Settings.ts"
import * as Testing from "../src/testing.ts"
import * as Measurement from "./Measurement.ts"
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

  it.effect("reads rows as they were at a time, and lists their changes", () =>
    Effect.gen(function* () {
      const { create, list } = yield* holidays
      const { at, history } = yield* Testing.World
      yield* TestClock.adjust("1 second")
      const before = new Date(yield* Clock.currentTimeMillis)
      yield* TestClock.adjust("1 second")
      const row = yield* create
      const past = (time: Date) => Effect.provideService(list, HttpClient.HttpClient, at(time))
      assert.deepStrictEqual(yield* past(before), [])
      assert.deepStrictEqual(yield* past(new Date(yield* Clock.currentTimeMillis)), [row])
      const [change] = yield* history({ resource: "holiday" })
      assert.deepStrictEqual([change?.kind, change?.before, change?.after], ["INSERT", null, row])
      const world = yield* Testing.World
      const read = Effect.flatMap(Rows, (rows) => rows.list(Holiday, {}, { at: before }))
      assert.deepStrictEqual(yield* Effect.provide(read, Rows.layer(world)), [])
      assert.lengthOf(yield* list, 1)
    }).pipe(Effect.provide(Testing.layer(empty)))
  )

  it.live("gives each test a world of its own in less processor time than a new store takes", () =>
    Effect.gen(function* () {
      const one = Effect.flatMap(holidays, ({ create }) => create).pipe(Effect.provide(Testing.layer()))
      const settings = {
        ...Settings.defaults,
        seed: { _tag: "Demo" },
        store: { _tag: "Sqlite", path: ":memory:" }
      } as const
      const store = Effect.scoped(Instance.make({ settings, write: () => undefined }))
      const processorTime = <A, E>(times: number, effect: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const start = process.cpuUsage()
          for (let time = 0; time < times; time++) yield* effect
          const { system, user } = process.cpuUsage(start)
          return (system + user) / times
        })
      yield* Effect.zipRight(one, store)
      // A world, with one request, takes half of the time; one that did not copy a prepared store would take more than it.
      const share = Effect.map(
        Effect.all([processorTime(50, one), processorTime(10, store)]),
        ([world, store]) => world / store
      )
      yield* Measurement.isBelow(0.8, share)
    })
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
