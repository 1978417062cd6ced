/**
 * Tests webhooks: every change reaches each subscriber once, signed, without sensitive values.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Scope from "@mfgdata/domain/Scope"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { Webhook } from "standardwebhooks"
import * as Receiver from "../webhooks/receiver.ts"
import { companyId, fresh, holiday, idle, listening, parse, patch, read, received } from "./Subscriptions.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { oauthClient: clientResource, oauthCode: codeResource } = Catalogue.byName
const { warehouseTransfer: transferResource, warehouseTransferLine: lineResource } = Catalogue.byName

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("delivers a change once, signed, with the old and the new state", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const id = yield* listening(receiver.url)
      const secret = String((yield* done("POST", `/webhooks/${id}/secret`)).row["secret"])
      const created = (yield* done("POST", "/rest/holiday", { body: holiday("Grüße 🎉") })).row
      const at = `/rest/holiday?id=eq.${String(created["id"])}`
      yield* TestClock.adjust("1 minute")
      const changed = (yield* done("PATCH", at, { body: { name: "renamed" } })).row
      yield* done("PATCH", at, { body: {} })
      yield* TestClock.adjust("1 minute")
      yield* done("DELETE", at)
      yield* TestClock.adjust("1 minute")
      yield* idle
      const start = Date.parse(String(created["createdAt"]))
      const after = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
      const bodies = receiver.arrived.map(({ body, headers }) => new Webhook(secret).verify(body, headers))
      assert.deepStrictEqual(
        bodies,
        [
          { type: "INSERT", timestamp: after(0), record: created },
          { type: "UPDATE", timestamp: after(1), record: changed, old: created },
          { type: "DELETE", timestamp: after(2), record: changed }
        ].map((event, index) => ({
          table: "holiday",
          companyId,
          eventId: receiver.arrived[index]?.headers["webhook-id"],
          ...event
        }))
      )
      const [first] = receiver.arrived
      assert.strictEqual(first?.headers["content-type"], "application/json")
      assert.strictEqual(new Set(receiver.arrived.map(({ headers }) => headers["webhook-id"])).size, 3)
      const { lastSuccess, ...row } = yield* read(id)
      assert.deepInclude(row, { successCount: 3, errorCount: 0, lastError: null, active: true })
      assert.isString(lastSuccess)
    })
  )

  it.scoped("passes on the trace context of the request that made a change, in every attempt", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open(500)
      yield* listening(receiver.url)
      const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      const headers = { traceparent, tracestate: "vendor=1" }
      const { row } = yield* done("POST", "/rest/holiday", { body: holiday("traced"), headers })
      yield* idle
      receiver.answer(204)
      yield* TestClock.adjust("6 seconds")
      yield* idle
      yield* done("PATCH", `/rest/holiday?name=eq.traced`, {
        body: { year: 2027 },
        headers: { traceparent: "invalid" }
      })
      yield* done("DELETE", `/rest/holiday?id=eq.${String(row["id"])}`, { headers: { traceparent } })
      yield* idle
      assert.deepStrictEqual(
        receiver.arrived.map(({ headers }) => [headers["traceparent"], headers["tracestate"]]),
        [
          [traceparent, "vendor=1"],
          [traceparent, "vendor=1"],
          [undefined, undefined],
          [traceparent, undefined]
        ]
      )
    })
  )

  it.scoped("shows the secret of a webhook to an API key of its company, once", () =>
    Effect.gen(function* () {
      const { ask, done, keys } = yield* Service.Service
      yield* fresh
      const id = yield* listening("https://receiver.example/")
      const at = `/webhooks/${id}/secret`
      const missing = yield* ask("POST", at, { as: "rival" })
      assert.deepStrictEqual(missing.verdict, [404, "PGRST116"])
      assert.deepStrictEqual((yield* ask("POST", "/webhooks/none/secret")).verdict, [404, "PGRST116"])
      assert.deepStrictEqual((yield* ask("GET", at)).verdict, [405, "PGRST117"])
      assert.strictEqual((yield* ask("POST", at, { headers: { authorization: "Bearer mfg_wrong" } })).status, 401)
      assert.deepStrictEqual((yield* ask("POST", `${at}/roll`)).verdict, [404, "PGRST125"])
      const issue = (scopes: ReadonlyArray<Scope.Scope>) =>
        Effect.map(
          keys.create({ ...Service.members.operator, name: "secrets", scopes, expiresAt: null }),
          ({ key }) => ({ authorization: `Bearer ${Redacted.value(key)}` })
        )
      const reader = yield* issue(["webhook:read", "webhook:create", "webhook:delete", "holiday:*"])
      assert.deepStrictEqual((yield* ask("POST", at, { headers: reader })).verdict, [403, "42501"])
      const shown = yield* done("POST", at, { headers: yield* issue(["webhook:update"]) })
      assert.match(String(shown.row["secret"]), /^whsec_/)
      assert.strictEqual(shown.headers["cache-control"], "no-store")
      assert.deepStrictEqual((yield* ask("POST", at)).verdict, [409, "MF409"])
    })
  )

  it.scoped("delivers every row of a bulk insert, an upsert and a filtered update", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      yield* listening(receiver.url)
      const { rows } = yield* done("POST", "/rest/holiday", { body: [holiday("a"), holiday("b")] })
      yield* done("POST", "/rest/v1/holiday", {
        body: [
          { ...holiday("c"), id: rows[0]?.["id"] },
          { ...holiday("d"), id: "new" }
        ],
        headers: { prefer: "resolution=merge-duplicates" }
      })
      yield* done("PATCH", "/rest/holiday?name=in.(b,d)", { body: { name: "e" } })
      yield* done("DELETE", "/rest/holiday?name=eq.e")
      yield* done("PATCH", "/rest/holiday?name=eq.c", { body: { name: "f" }, headers: { prefer: "tx=rollback" } })
      yield* idle
      assert.sameMembers(received(receiver), [
        "INSERT holiday a",
        "INSERT holiday b",
        "UPDATE holiday c",
        "INSERT holiday d",
        "UPDATE holiday e",
        "UPDATE holiday e",
        "DELETE holiday e",
        "DELETE holiday e"
      ])
    })
  )

  it.scoped("sends null for sensitive values", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      yield* listening(receiver.url, "oauthClient")
      yield* listening(receiver.url, "oauthCode")
      const parents = yield* Sample.plant("operator", [clientResource, codeResource])
      yield* done("PATCH", Sample.address(clientResource, parents.get("oauthClient")), {
        body: { clientSecret: "other" }
      })
      yield* idle
      const rows = receiver.arrived.map(parse)
      assert.lengthOf(rows, 3)
      for (const row of rows) {
        const text = JSON.stringify(row)
        assert.notInclude(text, String(parents.get("oauthClient")?.["clientSecret"]))
        assert.notInclude(text, "other")
        assert.notInclude(text, `"${String(parents.get("oauthCode")?.["code"])}"`)
      }
    })
  )

  it.scoped("sends the events of many rows of one insert, without sensitive values", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const parents = yield* Sample.plant("operator", [clientResource])
      yield* listening(receiver.url, "oauthClient")
      const body = Array.from({ length: 510 }, (_, index) => ({
        ...Sample.body(clientResource, index, { parents, companyId }),
        clientSecret: "withheld"
      }))
      const { rows } = yield* done("POST", "/rest/oauthClient", { body })
      yield* idle
      const records = receiver.arrived.map((request) => parse(request)["record"])
      assert.sameDeepMembers(
        records,
        rows.map((row) => ({ ...row, clientSecret: null }))
      )
    })
  )

  it.scoped("sends a webhook the events of its table and kinds, while it is active, of its own company", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const id = yield* listening(receiver.url, "holiday", { onInsert: false })
      const create = (name: string) => done("POST", "/rest/holiday", { body: holiday(name) })
      yield* create("unheard")
      yield* patch(id, { onInsert: true })
      yield* create("heard")
      yield* patch(id, { active: false })
      yield* create("off")
      yield* patch(id, { active: true })
      yield* done("POST", "/rest/holiday", { as: "rival", body: { ...holiday("foreign"), companyId: "rival" } })
      yield* idle
      assert.deepStrictEqual(received(receiver), ["INSERT holiday heard"])
    })
  )

  it.scoped("shows a secret once, and signs with the old one too for a while after it is rolled", () =>
    Effect.gen(function* () {
      const { done, events } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const id = yield* listening(receiver.url)
      const hook = { companyId, id }
      const create = Effect.suspend(() => done("POST", "/rest/holiday", { body: holiday("a") })).pipe(
        Effect.zipRight(idle)
      )
      const verifies = (secret: string) =>
        receiver.arrived.slice(-1).every(({ body, headers }) => {
          try {
            new Webhook(secret).verify(body, headers)
            return true
          } catch {
            return false
          }
        })
      yield* create
      const first = Redacted.value(yield* events.secrets.show(hook))
      assert.isTrue(verifies(first))
      assert.strictEqual((yield* Effect.flip(events.secrets.show(hook)))._tag, "SecretShown")
      const second = Redacted.value(yield* events.secrets.roll(hook, 1000))
      yield* create
      assert.isTrue(verifies(first) && verifies(second))
      yield* TestClock.adjust("1 seconds")
      yield* create
      assert.isTrue(verifies(second) && !verifies(first))
      assert.strictEqual((yield* Effect.flip(events.secrets.show({ companyId: "rival", id })))._tag, "WebhookMissing")
    })
  )

  it.scoped("adds its counts to those that a client has set, without an event", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const hooks = yield* Receiver.open()
      const id = yield* listening(receiver.url)
      yield* listening(hooks.url, "webhook", { onInsert: false })
      yield* patch(id, { successCount: 41.5, errorCount: 7 })
      yield* done("POST", "/rest/holiday", { body: holiday("a") })
      yield* idle
      assert.deepInclude(yield* read(id), { successCount: 42.5, errorCount: 7 })
      assert.deepStrictEqual(received(hooks), ["UPDATE webhook hook of holiday"])
    })
  )
}

/** Tests the changes that the public rules make together with a row. */
export const publicSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("delivers the deletion of children with their parent", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      yield* listening(receiver.url, "warehouseTransferLine")
      const parents = yield* Sample.plant("operator", [...Sample.ancestors(lineResource), lineResource])
      yield* done("DELETE", Sample.address(transferResource, parents.get("warehouseTransfer")))
      yield* idle
      assert.deepStrictEqual(received(receiver), ["INSERT warehouseTransferLine", "DELETE warehouseTransferLine"])
    })
  )
}
