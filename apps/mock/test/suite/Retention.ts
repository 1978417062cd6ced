/**
 * Tests that deliveries, events and responses are deleted when they have expired, and nothing else is.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { setImmediate } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { render, sql, text } from "../../src/sql/Statement.ts"
import * as PastRow from "../../src/sql/PastRow.ts"
import * as prometheusText from "../service/prometheusText.ts"
import * as Receiver from "../webhooks/receiver.ts"
import { companyId, holiday, idle, listening, log, patch } from "./Subscriptions.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

/** The tables that grow with use, and are pruned. */
const pruned = ["_delivery", "_deliveryAttempt", "_idempotency", "_outbox"]

/** The other tables of the service, besides the fixed list of `_meta`, with what bounds the number of their rows. */
const bounded: { readonly [table: string]: string } = {
  _apiKey: "keys that an administrator has created",
  _attribute: "attributes of the seed",
  _attributeCategory: "categories of the seed",
  _attributeValue: "attributes times users",
  _company: "companies of the seed",
  _companyUser: "users of the seed",
  _historySpan: "one row",
  _notificationPreference: "topics and channels times users",
  _user: "users of the seed",
  _webhookCount: "attempts of the last second",
  _webhookFailure: "webhooks",
  _webhookSecret: "webhooks, with the secrets that have not expired"
}

const counts = Effect.gen(function* () {
  const { world } = yield* Service.Service
  const parts = pruned.map((table) => sql`(SELECT count(*) FROM ${text(`"${table}"`)})`)
  const [first, second, third, fourth] = parts
  const query = sql`SELECT ${first ?? null}, ${second ?? null}, ${third ?? null}, ${fourth ?? null}`
  const [row = []] = yield* world.store.read(render(query, world.store.dialect), "")
  return Object.fromEntries(pruned.map((table, index) => [table, Number(row[index])]))
})

/** Sends requests, which start what is due, until the tables have some numbers of rows. */
const until = (expected: { readonly [table: string]: number }) =>
  Effect.gen(function* () {
    const { done } = yield* Service.Service
    for (;;) {
      yield* done("GET", "/health/live")
      yield* Effect.promise(setImmediate)
      const found = yield* counts
      if (Object.entries(expected).every(([table, count]) => found[table] === count)) return
    }
  })

const rows = (count: number) => Array.from({ length: count }, (_, index) => holiday(`row ${index}`))

/** Lets everything expire that earlier tests have left. */
const empty = Effect.gen(function* () {
  yield* Sample.clear("operator")
  yield* idle
  yield* TestClock.adjust("70 days")
  yield* until(Object.fromEntries(pruned.map((table) => [table, 0])))
})

const scraped = Effect.gen(function* () {
  const { service } = yield* Service.Service
  return { families: yield* prometheusText.scrape(service) }
})

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("prunes every table that grows, or knows its bound", () =>
    Effect.gen(function* () {
      const { world } = yield* Service.Service
      const tables = Object.keys(yield* world.store.checksum).filter((table) => table.startsWith("_"))
      const history = ["_history", ...Catalogue.resources.map(PastRow.tableName)]
      assert.deepStrictEqual(tables.toSorted(), [...Object.keys(bounded), ...pruned, ...history].toSorted())
    })
  )

  it.scoped("deletes deliveries with their events and attempts 30 days after they were settled", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* empty
      const receiver = yield* Receiver.open()
      yield* listening(receiver.url)
      yield* done("POST", "/rest/holiday", { body: rows(150) })
      yield* idle
      yield* TestClock.adjust("29 days")
      yield* done("POST", "/rest/holiday", { body: holiday("late") })
      yield* idle
      assert.deepInclude(yield* counts, { _delivery: 151, _deliveryAttempt: 151, _outbox: 151 })
      yield* TestClock.adjust("1 day")
      yield* TestClock.adjust("1 minute")
      yield* until({ _delivery: 1, _deliveryAttempt: 1, _outbox: 1 })
      const [kept] = yield* (yield* log).list({ companyId, limit: 9 })
      assert.strictEqual(kept?.state, "delivered")
    })
  )

  it.scoped("deletes an event with many deliveries, and keeps it while one of them has not expired", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* empty
      const receiver = yield* Receiver.open()
      for (let index = 0; index < 70; index += 1) yield* listening(receiver.url, "holiday", { name: `hook ${index}` })
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      yield* TestClock.adjust("29 days")
      const deliveries = yield* log
      const [first] = yield* deliveries.list({ companyId, limit: 1 })
      yield* deliveries.redeliver(first?.id ?? "")
      yield* idle
      yield* TestClock.adjust("2 days")
      yield* until({ _delivery: 1, _deliveryAttempt: 2, _outbox: 1 })
      yield* TestClock.adjust("29 days")
      yield* until({ _delivery: 0, _deliveryAttempt: 0, _outbox: 0 })
    })
  )

  it.scoped("keeps what an active webhook still has to deliver, and deletes what a disabled one has not", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* empty
      const receiver = yield* Receiver.open(500)
      const id = yield* listening(receiver.url)
      const { row } = yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* done("PATCH", `/rest/holiday?id=eq.${String(row["id"])}`, { body: { name: "b" } })
      yield* idle
      yield* patch(id, { active: false })
      yield* TestClock.adjust("29 days")
      yield* patch(id, { active: true })
      yield* idle
      yield* TestClock.adjust("2 days")
      // The first delivery was attempted at most three times, so it is still pending.
      yield* until({ _delivery: 2, _outbox: 2 })
      yield* patch(id, { active: false })
      yield* TestClock.adjust("31 days")
      yield* until({ _delivery: 0, _deliveryAttempt: 0, _outbox: 0 })
    })
  )

  it.scoped("delivers on when a delivery has expired during its attempt", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* empty
      const waiting: Array<() => void> = []
      const receiver = yield* Receiver.open((response) => waiting.push(() => response.writeHead(204).end()))
      const id = yield* listening(receiver.url)
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* Effect.repeat(Effect.promise(setImmediate), { until: () => waiting.length === 1 })
      yield* done("DELETE", `/rest/webhook?id=eq.${id}`)
      yield* TestClock.adjust("31 days")
      yield* until({ _delivery: 0, _outbox: 0 })
      for (const answer of waiting) answer()
      yield* idle
      receiver.answer(204)
      yield* listening(receiver.url)
      yield* done("POST", "/rest/holiday", { body: holiday("b") })
      yield* idle
      assert.deepInclude(yield* counts, { _delivery: 1, _deliveryAttempt: 1 })
    })
  )

  it.scoped("deletes the expired secrets of a webhook when it gets a new one", () =>
    Effect.gen(function* () {
      const { events, world } = yield* Service.Service
      yield* empty
      const id = yield* listening("http://127.0.0.1:1/")
      for (let index = 0; index < 4; index += 1) {
        yield* events.secrets.roll({ companyId, id }, 1000)
        yield* TestClock.adjust("1 minute")
      }
      const query = sql`SELECT count(*) FROM "_webhookSecret" WHERE "webhookId" = ${id}`
      assert.deepStrictEqual(yield* world.store.read(render(query, world.store.dialect), ""), [[2]])
    })
  )

  it.effect("deletes the responses of idempotent requests in batches", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* empty
      const headers = (index: number) => ({ "idempotency-key": `key ${index}` })
      for (let index = 0; index < 150; index += 1) {
        yield* done("POST", "/rest/holiday", { body: holiday("a"), headers: headers(index) })
      }
      yield* TestClock.adjust("23 hours")
      yield* done("POST", "/rest/holiday", { body: holiday("a"), headers: headers(150) })
      yield* TestClock.adjust("1 hour")
      yield* until({ _idempotency: 1 })
    })
  )
}

/** Tests the metrics of what grows. The measurements are kept for some seconds, so one test reads them once. */
export const metrics = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("reports the backlog, the deleted rows, the connections and the size of the store", () =>
    Effect.gen(function* () {
      const { done, world } = yield* Service.Service
      yield* empty
      const receiver = yield* Receiver.open()
      yield* listening(receiver.url, "holiday", { onUpdate: false })
      yield* done("POST", "/rest/holiday", { body: rows(3), headers: { "idempotency-key": "metrics" } })
      yield* idle
      yield* TestClock.adjust("31 days")
      yield* until({ _delivery: 0, _outbox: 0, _idempotency: 0 })
      receiver.answer(500)
      yield* done("POST", "/rest/holiday", { body: rows(2) })
      const paused = yield* listening(receiver.url, "holiday", { name: "updates", onInsert: false })
      yield* done("PATCH", `/rest/holiday?name=eq.row%202`, { body: { year: 2027 } })
      yield* idle
      yield* patch(paused, { active: false })
      yield* TestClock.adjust("1 minute")
      yield* idle
      const { families } = yield* scraped
      const value = (name: string, labels: object = {}) => {
        const samples = families.get(name)?.samples ?? []
        return samples.filter((sample) => isDeepStrictEqual({ ...sample.labels }, labels)).map(({ value }) => value)
      }
      assert.deepStrictEqual(value("mfg_mock_deliveries_pending"), [2])
      assert.deepStrictEqual(value("mfg_mock_deliveries_paused"), [1])
      assert.deepStrictEqual(value("mfg_mock_delivery_oldest_pending_seconds"), [60])
      assert.deepStrictEqual(value("mfg_mock_expired_rows_total", { table: "_outbox" }), [3])
      assert.deepStrictEqual(value("mfg_mock_expired_rows_total", { table: "_delivery" }), [3])
      assert.deepStrictEqual(value("mfg_mock_expired_rows_total", { table: "_idempotency" }), [1])
      for (const table of ["_outbox", "_idempotency"]) {
        const [time = 0] = value("mfg_mock_expired_rows_last_success_timestamp_seconds", { table })
        assert.approximately(time, Date.now() / 1000, 60)
      }
      assert.isAbove(value("mfg_mock_database_bytes")[0] ?? 0, 100_000)
      const isEmbedded = world.store.dialect.name === "sqlite"
      assert.lengthOf(value("mfg_mock_database_free_bytes"), isEmbedded ? 1 : 0)
      assert.lengthOf(value("mfg_mock_log_bytes"), isEmbedded ? 1 : 0)
      for (const name of isEmbedded ? ["readers"] : ["reads", "writes", "queries"]) {
        assert.isAtLeast(value("mfg_mock_connections_open", { class: name })[0] ?? -1, 1, name)
        assert.lengthOf(value("mfg_mock_connections_in_use", { class: name }), 1)
        assert.deepStrictEqual(value("mfg_mock_connections_waiting", { class: name }), [0])
      }
    })
  )
}
