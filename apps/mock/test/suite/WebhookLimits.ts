/**
 * Tests the number of webhooks of a company, and of the deliveries that one request creates.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mostWebhooks } from "../../src/Settings.ts"
import { render, sql } from "../../src/sql/Statement.ts"
import * as Deliveries from "../../src/sql/write/Deliveries.ts"
import * as Receiver from "../webhooks/receiver.ts"
import { newWebhook } from "../webhooks/newWebhook.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"
import { companyId, fresh, holiday, idle, received } from "./Subscriptions.ts"

const { warehouseTransfer: transferResource, warehouseTransferLine: lineResource } = Catalogue.byName

/** As many deliveries as the limit allows take seconds on a busy machine. */
export const options: Service.Options = { statementTimeout: 120_000 }

/** The most rows that reach the maximum number of webhooks in one request. */
const mostRows = Deliveries.most / mostWebhooks

const minimal = { prefer: "return=minimal" }
const dry = { prefer: "tx=rollback,return=minimal" }
const merging = { prefer: "resolution=merge-duplicates,return=minimal" }

let numbers = 0

/** Webhooks with names that no others have. */
const hooks = (count: number, fields: JsonObject = {}) =>
  Array.from({ length: count }, () => newWebhook({ name: `hook ${(numbers += 1)}`, companyId, ...fields }))

/** Creates webhooks, and the tables that they may name. */
const subscribe = (webhooks: ReadonlyArray<JsonObject>) =>
  Effect.gen(function* () {
    const { ask, done } = yield* Service.Service
    for (const table of new Set(webhooks.map((webhook) => String(webhook["table"])))) {
      yield* ask("POST", "/rest/webhookTable", { body: { module: "Users", name: table } })
    }
    yield* done("POST", "/rest/webhook", { body: webhooks, headers: minimal })
  })

const added = (count: number) => Array.from({ length: count }, (_, index) => holiday(`new ${index}`))

/** Rows with keys, which upserts create and update. */
const named = (count: number, prefix = "row") =>
  Array.from({ length: count }, (_, index) => ({ ...holiday(`${prefix} ${index}`), id: `${prefix}-${index}` }))

const csvOf = (rows: ReadonlyArray<JsonObject>) =>
  ["name,date,companyId", ...rows.map(({ date, name }) => [name, date, companyId].join(","))].join("\n")

/** The rows of the company, and the events and deliveries of all. */
const stored = Effect.gen(function* () {
  const { world } = yield* Service.Service
  const query = sql`SELECT (SELECT count(*) FROM "holiday" WHERE "name" LIKE 'row %'), (SELECT count(*) FROM "holiday"),
    (SELECT count(*) FROM "warehouseTransferLine"), (SELECT count(*) FROM "_outbox"), (SELECT count(*) FROM "_delivery"),
    (SELECT count(*) FROM "_idempotency")`
  const [counts = []] = yield* world.store.read(render(query, world.store.dialect), "")
  return counts.map(Number)
})

/** Checks that a request is refused with the number of its deliveries, and changes nothing. */
const refused = (count: number, method: string, target: string, asking: Service.Asking) =>
  Effect.gen(function* () {
    const { ask } = yield* Service.Service
    const before = yield* stored
    const reply = yield* ask(method, target, asking)
    assert.strictEqual(reply.status, 413, `${method} ${target}: ${reply.text}`)
    assert.deepStrictEqual(reply.row, {
      code: "54000",
      message: "The request has too many webhook deliveries",
      details: `It would create ${count} deliveries, one of each row for each subscribed webhook. At most ${Deliveries.most} are accepted in one request.`,
      hint: "Send several requests with fewer rows each, or deactivate webhooks of the table."
    })
    assert.deepStrictEqual(yield* stored, before)
  })

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("refuses a request with too many deliveries, and keeps nothing of it", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      yield* done("POST", "/rest/v1/holiday", { body: named(60), headers: merging })
      yield* subscribe(hooks(mostWebhooks))
      const beyond = mostRows + 1
      const all = beyond * mostWebhooks
      const path = "/rest/v1/holiday"
      yield* refused(all, "POST", path, { body: added(beyond) })
      yield* refused(all, "POST", path, { body: added(beyond), headers: { "idempotency-key": "beyond" } })
      yield* refused(all, "POST", path, {
        body: csvOf(added(beyond)),
        headers: { "content-type": "text/csv" }
      })
      yield* refused(700 * mostWebhooks, "POST", path, { body: added(700) })
      yield* refused(60 * mostWebhooks, "POST", path, { body: named(60), headers: merging })
      yield* refused(700 * mostWebhooks, "POST", path, { body: named(700), headers: merging })
      const several = (count: number) => `${path}?id=in.(${named(count).map(({ id }) => id)})`
      yield* refused(all, "PATCH", several(beyond), { body: { name: "renamed" } })
      yield* refused(all, "DELETE", several(beyond), {})
      yield* refused(all, "PATCH", several(beyond), { body: { name: "renamed" }, headers: dry })
      yield* done("POST", path, { body: added(mostRows), headers: dry })
      yield* done("PATCH", several(mostRows), { body: { name: "renamed" }, headers: dry })
      yield* done("DELETE", several(2), { headers: dry })
      yield* done("POST", path, { body: named(2), headers: { prefer: `${merging.prefer},tx=rollback` } })
      // The key of the refused request is free.
      yield* done("PATCH", "/rest/webhook?id=not.is.null", { body: { active: false }, headers: minimal })
      const again = { body: added(beyond), headers: { "idempotency-key": "beyond" } }
      assert.strictEqual((yield* done("POST", path, again)).headers["idempotency-replayed"], undefined)
      assert.strictEqual((yield* done("POST", path, again)).headers["idempotency-replayed"], "true")
    })
  )

  it.scoped("counts the events of each type with the webhooks that have subscribed to it", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      yield* done("POST", "/rest/v1/holiday", { body: named(30), headers: merging })
      yield* subscribe([
        ...hooks(700, { onUpdate: false, onDelete: false }),
        ...hooks(200),
        ...hooks(50, { active: false }),
        ...hooks(50, { table: "warehouseTransfer" })
      ])
      const upsert = (existing: number, created: number, headers: typeof merging) => ({
        body: [...named(existing), ...named(created, "new")],
        headers
      })
      yield* refused(30 * 200 + 5 * 900, "POST", "/rest/v1/holiday", upsert(30, 5, merging))
      const headers = { prefer: `${merging.prefer},tx=rollback` }
      yield* done("POST", "/rest/v1/holiday", upsert(30, 4, headers))
      const ignoring = { prefer: "resolution=ignore-duplicates,tx=rollback,return=minimal" }
      yield* done("POST", "/rest/v1/holiday", upsert(30, 2, ignoring))
      yield* refused(12 * 900, "POST", "/rest/v1/holiday", upsert(30, 12, ignoring))
      yield* done("PATCH", "/rest/v1/holiday?name=like.row*", { body: { name: "renamed" }, headers: dry })
      yield* done("DELETE", "/rest/v1/holiday?name=like.row*", { headers: dry })
    })
  )

  it.scoped("refuses changes of many found rows before it writes them", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const count = 6000
      yield* done("POST", "/rest/v1/holiday", { body: named(count), headers: merging })
      yield* subscribe(hooks(2))
      yield* refused(count * 2, "PATCH", "/rest/v1/holiday?name=imatch.^row", { body: { name: "renamed" } })
      yield* refused(count * 2, "DELETE", "/rest/v1/holiday?name=imatch.^row", {})
      yield* done("DELETE", "/rest/webhook?id=not.is.null", { headers: minimal })
      yield* subscribe(hooks(1))
      yield* done("DELETE", "/rest/v1/holiday?name=imatch.^row", { headers: dry })
    })
  )

  it.scoped("creates each of many deliveries once, in the order of the rows", () =>
    Effect.gen(function* () {
      const { done, world } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      yield* subscribe(hooks(30, { url: "http://127.0.0.1:9/" }))
      yield* subscribe(hooks(1, { url: receiver.url }))
      const count = 60
      yield* done("POST", "/rest/v1/holiday", { body: added(count), headers: minimal })
      yield* done("PATCH", "/rest/v1/holiday?name=like.new*", { body: { year: 2027 }, headers: minimal })
      const query = sql`SELECT "event"."type", count(*), count(DISTINCT "delivery"."webhookId"), count(DISTINCT "delivery"."key")
        FROM "_delivery" AS "delivery" JOIN "_outbox" AS "event" ON "event"."sequence" = "delivery"."sequence"
        GROUP BY "event"."type" ORDER BY 1`
      const rows = yield* world.store.read(render(query, world.store.dialect), "")
      assert.deepStrictEqual(
        rows.map(([type, ...counts]) => [type, ...counts.map(Number)]),
        [
          ["INSERT", count * 31, 31, count],
          ["UPDATE", count * 31, 31, count]
        ]
      )
      yield* done("DELETE", "/rest/webhook?url=eq.http://127.0.0.1:9/", { headers: minimal })
      yield* idle
      assert.sameMembers(
        received(receiver),
        ["INSERT", "UPDATE"].flatMap((type) => added(count).map(({ name }) => `${type} holiday ${name}`))
      )
    })
  )

  it.effect("refuses webhooks beyond the maximum of a company, without a quota", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* fresh
      yield* subscribe(hooks(mostWebhooks - 1, { active: false }))
      const more = (count: number) => ask("POST", "/rest/webhook", { body: hooks(count, { active: false }) })
      assert.deepStrictEqual((yield* more(2)).verdict, [403, "53400"])
      assert.strictEqual((yield* more(1)).status, 201)
      const reply = yield* more(1)
      assert.strictEqual(reply.status, 403)
      assert.deepStrictEqual(reply.row, {
        code: "53400",
        message: "The company has the maximum number of webhooks",
        details: `${mostWebhooks} of ${mostWebhooks} webhooks are used. The limit is fixed.`,
        hint: "Delete webhooks."
      })
      const [first] = (yield* done("GET", "/rest/webhook?limit=1")).rows
      yield* done("DELETE", `/rest/webhook?id=eq.${String(first?.["id"])}`)
      assert.strictEqual((yield* more(1)).status, 201)
    })
  )
}

/** Tests rows that are deleted with their parents. */
export const publicSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("refuses to delete a row whose children have too many deliveries", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const parents = yield* Sample.plant("operator", [...Sample.ancestors(lineResource), lineResource])
      const line = parents.get(lineResource.resource)
      const { createdAt: _, id: __, ...body } = line ?? {}
      const lines = Array.from({ length: mostRows }, () => body)
      yield* done("POST", `/rest/${lineResource.resource}`, { body: lines, headers: minimal })
      yield* subscribe([
        ...hooks(10, { table: transferResource.resource }),
        ...hooks(mostWebhooks - 10, { table: lineResource.resource })
      ])
      const address = Sample.address(transferResource, parents.get(transferResource.resource))
      yield* refused(10 + (mostRows + 1) * (mostWebhooks - 10), "DELETE", address, {})
      yield* done("PATCH", `/rest/webhook?name=like.*0`, { body: { active: false }, headers: minimal })
      yield* done("DELETE", "/rest/webhook?active=is.true", { headers: minimal })
      yield* done("PATCH", "/rest/webhook?active=is.false", { body: { active: true }, headers: minimal })
      yield* done("DELETE", address, { headers: dry })
    })
  )
}
