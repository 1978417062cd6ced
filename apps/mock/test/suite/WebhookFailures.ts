/**
 * Tests webhooks with failing receivers: retries and their times, waiting events, and disabled webhooks.
 */
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as TestClock from "effect/TestClock"
import * as RetrySchedule from "../../src/webhooks/RetrySchedule.ts"
import { render, sql } from "../../src/sql/Statement.ts"
import * as Receiver from "../webhooks/receiver.ts"
import { companyId, fresh, holiday, idle, listening, log, parse, patch, read, received } from "./Subscriptions.ts"
import * as Service from "./Service.ts"

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("retries failures on the schedule until the last attempt, and logs each one", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open(500)
      const id = yield* listening(receiver.url)
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      for (const [index, delay] of RetrySchedule.delays.entries()) {
        assert.lengthOf(receiver.arrived, index + 1)
        yield* TestClock.adjust(delay)
        yield* idle
      }
      assert.lengthOf(receiver.arrived, 8)
      yield* TestClock.adjust("10 days")
      yield* idle
      assert.lengthOf(receiver.arrived, 8)
      assert.strictEqual(new Set(receiver.arrived.map(({ headers }) => headers["webhook-id"])).size, 1)
      assert.strictEqual(new Set(receiver.arrived.map(({ headers }) => headers["webhook-timestamp"])).size, 8)
      assert.deepInclude(yield* read(id), { successCount: 0, errorCount: 8, lastSuccess: null, active: true })

      const deliveries = yield* log
      const [dead, ...others] = yield* deliveries.list({ webhookId: id, state: "dead", limit: 10 })
      assert.deepStrictEqual(others, [])
      assert.deepInclude(dead, { attempts: 8, dueAt: null, type: "INSERT" })
      const detail = yield* deliveries.get(dead?.id ?? "")
      assert.deepStrictEqual(
        detail.log.map(({ number, outcome, status }) => `${number} ${outcome} ${status}`),
        Array.from({ length: 8 }, (_, index) => `${index + 1} rejected 500`)
      )
      const moments = detail.log.map(({ at }) => Timestamp.toDateTime(at).epochMillis)
      for (const [index, delay] of RetrySchedule.delays.entries()) {
        // An attempt is up to a tenth early.
        assert.isAtLeast((moments[index + 1] ?? 0) - (moments[index] ?? 0), delay * 0.9)
      }
      assert.deepStrictEqual<unknown>(detail.body, parse(receiver.arrived[0] ?? { headers: {}, body: "{}" }))

      receiver.answer(204)
      yield* deliveries.redeliver(detail.id)
      yield* idle
      assert.lengthOf(receiver.arrived, 9)
      assert.strictEqual((yield* deliveries.get(detail.id)).state, "delivered")
    })
  )

  it.scoped("delivers the events of a row in order, and those of other rows independently", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open(500)
      yield* listening(receiver.url)
      const { row } = yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      for (const name of ["b", "c"]) {
        yield* done("PATCH", `/rest/holiday?id=eq.${String(row["id"])}`, { body: { name } })
      }
      receiver.answer(204)
      yield* done("POST", "/rest/holiday", { body: holiday("other") })
      yield* idle
      assert.deepStrictEqual(received(receiver), ["INSERT holiday a", "INSERT holiday other"])
      yield* TestClock.adjust("5 seconds")
      yield* idle
      assert.deepStrictEqual(received(receiver).slice(2), ["INSERT holiday a", "UPDATE holiday b", "UPDATE holiday c"])
    })
  )

  it.scoped("redelivers after later events of the row that are in flight, without delaying others", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const id = yield* listening(receiver.url)
      const { row } = yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      receiver.answer(500)
      yield* done("PATCH", `/rest/holiday?id=eq.${String(row["id"])}`, { body: { name: "b" } })
      yield* idle
      const deliveries = yield* log
      const [, first] = yield* deliveries.list({ webhookId: id, limit: 2 })
      receiver.answer(204)
      yield* deliveries.redeliver(first?.id ?? "")
      yield* idle
      assert.deepStrictEqual(received(receiver), ["INSERT holiday a", "UPDATE holiday b"])
      yield* TestClock.adjust("5 seconds")
      yield* idle
      assert.deepStrictEqual(received(receiver).slice(2), ["UPDATE holiday b", "INSERT holiday a"])
    })
  )

  it.scoped("delivers an event that is due too early after the earlier events of its row", () =>
    Effect.gen(function* () {
      const { done, world } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open(500)
      yield* listening(receiver.url)
      const { row } = yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      receiver.answer(204)
      yield* done("PATCH", `/rest/holiday?id=eq.${String(row["id"])}`, { body: { name: "b" } })
      // The state while another process records the previous attempt.
      const due = sql`UPDATE "_delivery" SET "dueAt" = 1 WHERE "dueAt" IS NULL AND "settledAt" IS NULL`
      yield* world.store.change({
        steps: [{ _tag: "Run", statement: render(due, world.store.dialect) }],
        resolve: Either.right
      })
      yield* idle
      assert.deepStrictEqual(received(receiver), ["INSERT holiday a"])
      yield* TestClock.adjust("5 seconds")
      yield* idle
      assert.deepStrictEqual(received(receiver).slice(1), ["INSERT holiday a", "UPDATE holiday b"])
    })
  )

  it.scoped("delivers the pending events of a disabled webhook when it is enabled again", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open(500)
      const id = yield* listening(receiver.url)
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      yield* patch(id, { active: false })
      receiver.answer(204)
      yield* TestClock.adjust("1 day")
      yield* idle
      assert.lengthOf(receiver.arrived, 1)
      yield* patch(id, { active: true })
      yield* idle
      assert.lengthOf(receiver.arrived, 2)
    })
  )

  it.scoped("disables a webhook on 410, and keeps its pending events", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open(410)
      const id = yield* listening(receiver.url)
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      assert.deepInclude(yield* read(id), { active: false, errorCount: 1 })
      receiver.answer(200)
      yield* patch(id, { active: true })
      yield* TestClock.adjust("5 seconds")
      yield* idle
      assert.deepStrictEqual(received(receiver), ["INSERT holiday a", "INSERT holiday a"])
    })
  )

  it.scoped("disables a webhook after five days without a success, and not after one in between", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open(500)
      const id = yield* listening(receiver.url)
      const fail = (name: string) => done("POST", "/rest/holiday", { body: holiday(name) }).pipe(Effect.zipRight(idle))
      yield* fail("a")
      for (const hours of [30, 30, 30, 29]) {
        yield* TestClock.adjust(`${hours} hours`)
        yield* idle
        yield* fail(`after ${hours}`)
        assert.deepInclude(yield* read(id), { active: true })
      }
      receiver.answer(200)
      yield* done("POST", "/rest/holiday", { body: holiday("good") })
      yield* idle
      receiver.answer(500)
      yield* TestClock.adjust("2 hours")
      yield* idle
      yield* fail("b")
      assert.deepInclude(yield* read(id), { active: true })
      yield* TestClock.adjust("121 hours")
      yield* idle
      yield* fail("c")
      assert.deepInclude(yield* read(id), { active: false })
    })
  )

  it.scoped("waits for Retry-After, in seconds and as a date", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open((response) => response.writeHead(429, { "retry-after": "60" }).end())
      yield* listening(receiver.url)
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      yield* TestClock.adjust("59 seconds")
      yield* idle
      assert.lengthOf(receiver.arrived, 1)
      const later = new Date((yield* TestClock.currentTimeMillis) + 3_600_000).toUTCString()
      receiver.answer((response) => response.writeHead(503, { "retry-after": later }).end())
      yield* TestClock.adjust("1 seconds")
      yield* idle
      assert.lengthOf(receiver.arrived, 2)
      receiver.answer(204)
      yield* TestClock.adjust("50 minutes")
      yield* idle
      assert.lengthOf(receiver.arrived, 2)
      yield* TestClock.adjust("10 minutes")
      yield* idle
      assert.lengthOf(receiver.arrived, 3)
    })
  )

  it.scoped("does not send to a private address, and says so in the delivery and once in the log", () =>
    Effect.gen(function* () {
      const { blocked, done } = yield* Service.Service
      yield* fresh
      const id = yield* listening("http://10.1.2.3/hook")
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      const deliveries = yield* log
      const [delivery] = yield* deliveries.list({ webhookId: id, limit: 1 })
      const [attempt] = (yield* deliveries.get(delivery?.id ?? "")).log
      assert.deepInclude(attempt, {
        outcome: "blocked",
        status: null,
        error: "10.1.2.3 belongs to a private network: --private-networks allow lets webhooks reach it"
      })
      yield* done("POST", "/rest/holiday", { body: holiday("b") })
      yield* idle
      const said = blocked().filter((line) => line.includes(`"webhookId":"${id}"`))
      assert.lengthOf(said, 1)
      assert.include(said[0], "--private-networks")
      assert.deepInclude(yield* read(id), { errorCount: 2 })
    })
  )

  it.scoped("drops the events of a deleted webhook, and redelivers all events since a time", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const gone = yield* listening("http://127.0.0.1:1/")
      const id = yield* listening(receiver.url, "holiday", { name: "second" })
      const since = yield* Effect.map(
        done("POST", "/rest/holiday", { body: holiday("a") }),
        ({ row }) => row["createdAt"]
      )
      yield* idle
      yield* done("DELETE", `/rest/webhook?id=eq.${gone}`)
      const deliveries = yield* log
      assert.deepStrictEqual(
        (yield* deliveries.list({ webhookId: gone, limit: 9 })).map(({ state }) => state),
        ["dropped"]
      )
      yield* done("PATCH", "/rest/holiday?name=eq.a", { body: { name: "b" } })
      yield* idle
      const filter = { since: Timestamp.make(String(since)), companyId }
      assert.strictEqual(yield* deliveries.redeliverAll(filter), 2)
      yield* idle
      const both = ["INSERT holiday a", "UPDATE holiday b"]
      assert.deepStrictEqual(received(receiver), [...both, ...both])
      assert.deepInclude(yield* read(id), { successCount: 4 })
    })
  )
}

/** Tests the default of `--private-networks`, which differs between the stores. */
export const networks = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("sends to this machine by default on the embedded store only", () =>
    Effect.gen(function* () {
      const { done, world } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const id = yield* listening(receiver.url)
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      const deliveries = yield* log
      const [delivery] = yield* deliveries.list({ webhookId: id, limit: 1 })
      const [attempt] = (yield* deliveries.get(delivery?.id ?? "")).log
      const isEmbedded = world.store.dialect.name === "sqlite"
      assert.strictEqual(attempt?.outcome, isEmbedded ? "delivered" : "blocked")
      assert.lengthOf(receiver.arrived, isEmbedded ? 1 : 0)
      const reason = "127.0.0.1 is this machine: --private-networks loopback lets webhooks reach it"
      assert.strictEqual(attempt?.error, isEmbedded ? null : reason)
    })
  )
}
