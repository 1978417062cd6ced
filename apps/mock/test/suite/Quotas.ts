/**
 * Tests the quotas of companies: rows, bytes, webhooks and requests.
 */
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { newWebhook } from "../webhooks/newWebhook.ts"
import * as Service from "./Service.ts"

/** The administrator's key of the service under test. */
export const adminKey = "mfg_administrator"

/** The quotas of the service under test. The company has no other rows than those of a test. */
export const quota = { rows: 10, bytes: 20_000, webhooks: 3 }

const holiday = (name: string, companyId = "acme") => ({ name, date: "2026-05-01", companyId })
const holidays = (count: number, companyId?: string) =>
  Array.from({ length: count }, (_, index) => holiday(`n${index}`, companyId))

const hook = (name: string) => newWebhook({ name, active: false, companyId: "acme" })

const fresh = Effect.gen(function* () {
  const { done } = yield* Service.Service
  yield* TestClock.adjust("1 hour")
  for (const resource of ["holiday", "webhook"]) yield* done("DELETE", `/rest/${resource}?id=not.is.null`)
  for (const as of ["rival"] as const) yield* done("DELETE", "/rest/holiday?id=not.is.null", { as })
  yield* TestClock.adjust("1 hour")
})

const create = (body: unknown, resource = "holiday") =>
  Effect.flatMap(Service.Service, ({ ask }) =>
    ask("POST", `/rest/${resource}`, { body, headers: { prefer: "return=minimal" } })
  )

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("refuses rows beyond the quota of the company, and says what is used", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* fresh
      assert.strictEqual((yield* create(holidays(8))).status, 201)
      const refused = yield* create(holidays(3))
      assert.strictEqual(refused.status, 403)
      assert.deepStrictEqual(refused.row, {
        code: "53400",
        message: "The company has reached its quota of rows",
        details: "8 of 10 rows are used (--quota rows).",
        hint: "Delete rows, or ask the operator of the service for a larger quota."
      })
      assert.strictEqual((yield* create(holidays(2))).status, 201)
      assert.deepStrictEqual((yield* create(holiday("one more"))).verdict, [403, "53400"])
      // The quota is each company's own.
      yield* done("POST", "/rest/holiday", { as: "rival", body: holidays(9, "rival") })
      // Reads, updates and deletes are possible; a delete makes room immediately.
      assert.lengthOf((yield* done("GET", "/rest/holiday?order=id")).rows, 10)
      yield* done("PATCH", "/rest/holiday?name=eq.n7", { body: { name: "other" } })
      yield* done("DELETE", "/rest/holiday?name=eq.other")
      assert.strictEqual((yield* create(holiday("again"))).status, 201)
      assert.strictEqual((yield* ask("POST", "/rest/holiday", { body: holiday("no") })).status, 403)
    })
  )

  it.effect("counts concurrent writes, and not those that fail", () =>
    Effect.gen(function* () {
      yield* fresh
      const replies = yield* Effect.all(
        Array.from({ length: 15 }, (_, index) => create(holiday(`c${index}`))),
        { concurrency: 15 }
      )
      assert.lengthOf(
        replies.filter(({ status }) => status === 201),
        10
      )
      yield* fresh
      for (let count = 0; count < 12; count++) {
        const { status } = yield* create([...holidays(8), { ...holiday("bad"), date: "never" }])
        assert.strictEqual(status, 400)
      }
      assert.strictEqual((yield* create(holidays(10))).status, 201)
    })
  )

  it.effect("repeats the stored response of a request with an Idempotency-Key that has filled the quota", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* fresh
      const create = (key: string, accept = "application/json") =>
        ask("POST", "/rest/holiday", { body: holidays(10), headers: { "idempotency-key": key, accept } })
      for (const accept of ["application/json", "text/csv"]) {
        yield* done("DELETE", "/rest/holiday?id=not.is.null")
        yield* TestClock.adjust("1 hour")
        const first = yield* create(`full ${accept}`, accept)
        assert.strictEqual(first.status, 201)
        const again = yield* create(`full ${accept}`, accept)
        assert.deepStrictEqual([again.status, again.text], [201, first.text])
        assert.strictEqual(again.headers["idempotency-replayed"], "true")
        assert.deepStrictEqual((yield* create(`new ${accept}`, accept)).verdict, [403, "53400"])
      }
      // The key still belongs to the first request.
      const other = yield* ask("POST", "/rest/holiday", {
        body: holidays(3),
        headers: { "idempotency-key": "full text/csv" }
      })
      assert.deepStrictEqual(other.verdict, [422, "MF422"])
      assert.lengthOf((yield* done("GET", "/rest/holiday?order=id")).rows, 10)
    })
  )

  it.effect("refuses bytes beyond the quota, after updates too, and measures them again after some seconds", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* fresh
      const large = { ...holiday("large"), customFields: { text: "x".repeat(9000) } }
      assert.strictEqual((yield* create(large)).status, 201)
      assert.strictEqual((yield* create({ ...large, name: "second" })).status, 201)
      const refused = yield* create({ ...large, name: "third" })
      assert.deepStrictEqual(refused.verdict, [403, "53400"])
      assert.match(String(refused.row["details"]), /^1[89]\d\d\d of 20000 bytes are used \(--quota bytes\)\.$/)
      const update = yield* ask("PATCH", "/rest/holiday?name=eq.second", {
        body: { customFields: { text: "y".repeat(9000) } }
      })
      assert.deepStrictEqual(update.verdict, [403, "53400"])
      yield* done("DELETE", "/rest/holiday?name=eq.large")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* create({ ...large, name: "third" })).status, 201)
    })
  )

  it.effect("counts webhooks exactly, also when they are created at the same time", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* fresh
      yield* ask("POST", "/rest/webhookTable", { body: { module: "Users", name: "holiday" } })
      const replies = yield* Effect.all(
        Array.from({ length: 9 }, (_, index) => create(hook(`h${index}`), "webhook")),
        { concurrency: 9 }
      )
      assert.lengthOf(
        replies.filter(({ status }) => status === 201),
        3
      )
      const refused = yield* create(hook("more"), "webhook")
      assert.strictEqual(refused.status, 403)
      assert.deepInclude(refused.row, {
        code: "53400",
        details: "3 of 3 webhooks are used (--quota webhooks).",
        hint: "Delete webhooks, or ask the operator of the service for a larger quota."
      })
      const { rows } = yield* done("GET", "/rest/webhook?order=id")
      assert.lengthOf(rows, 3)
      // An upsert of existing webhooks adds none.
      const upsert = (body: unknown) =>
        ask("POST", "/rest/v1/webhook", { body, headers: { prefer: "resolution=merge-duplicates" } })
      assert.strictEqual((yield* upsert(rows.map(({ id }) => ({ ...hook("renamed"), id })))).status, 200)
      assert.deepStrictEqual((yield* upsert([{ ...hook("new"), id: "another" }])).verdict, [403, "53400"])
      yield* done("DELETE", `/rest/webhook?id=eq.${String(rows[0]?.["id"])}`)
      assert.strictEqual((yield* create([hook("a"), hook("b")], "webhook")).status, 403)
      assert.strictEqual((yield* create(hook("a"), "webhook")).status, 201)
    })
  )

  it.effect("shows the administrator the usage of a company, and its quotas", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* fresh
      yield* done("DELETE", "/rest/webhookTable?table=not.is.null")
      yield* TestClock.adjust("1 hour")
      yield* create(holidays(4))
      const headers = { authorization: `Bearer ${adminKey}` }
      const { row } = yield* ask("GET", "/_mock/usage?companyId=acme", { headers })
      assert.deepInclude(row, { companyId: "acme", rows: 4, webhooks: 0, quota })
      const { text } = yield* done("GET", "/rest/holiday?order=id")
      // The rows of a list without its brackets and commas.
      assert.strictEqual(row["bytes"], Buffer.byteLength(text) - 5)
      const other = yield* ask("GET", "/_mock/usage?companyId=nobody", { headers })
      assert.deepInclude(other.row, { rows: 0, bytes: 0, webhooks: 0 })
    })
  )

  it.effect("counts refused requests in the metrics", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      yield* fresh
      assert.strictEqual((yield* create(holidays(11))).status, 403)
      const { text } = yield* ask("GET", "/metrics", { headers: { authorization: `Bearer ${adminKey}` } })
      const [, count] = /^mfg_mock_refused_total\{reason="quota"\} (\d+)$/m.exec(text) ?? []
      assert.isAtLeast(Number(count), 1)
    })
  )
}

/** The rates of the service for {@link rates}. */
export const rateLimits = {
  rateLimit: { requests: 3, windowMillis: 60_000 },
  quota: { requests: { requests: 4, windowMillis: 10_000 } }
}

/** Tests the rates of keys and companies together. */
export const rates = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("limits the requests of a key and of its company, and reports what is left of both", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      yield* TestClock.adjust("1 hour")
      const read = (as: Service.Who) => ask("GET", "/rest/holiday", { as })
      const first = yield* read("operator")
      assert.strictEqual(first.status, 200)
      assert.deepInclude(first.headers, {
        ratelimit: `"key";r=2;t=60, "company";r=3;t=10`,
        "ratelimit-policy": `"key";q=3;w=60, "company";q=4;w=10`
      })
      yield* read("operator")
      yield* read("colleague")
      yield* read("colleague")
      const refused = yield* read("colleague")
      assert.strictEqual(refused.status, 429)
      assert.deepStrictEqual(refused.row, {
        code: "P0429",
        message: "Rate limit exceeded",
        details: "The company has sent 4 of 4 requests in 10 s (--quota requests).",
        hint: "Repeat the request after 10 s."
      })
      assert.deepInclude(refused.headers, { "retry-after": "10", ratelimit: `"key";r=1;t=60, "company";r=0;t=10` })
      assert.strictEqual((yield* read("rival")).status, 200)
      yield* TestClock.adjust("10 seconds")
      yield* read("operator")
      const beyond = yield* read("operator")
      assert.strictEqual(beyond.row["details"], "The API key has sent 3 of 3 requests in 60 s (--rate-limit).")
      assert.deepInclude(beyond.headers, { "retry-after": "50", ratelimit: `"key";r=0;t=50, "company";r=3;t=10` })
    })
  )
}
