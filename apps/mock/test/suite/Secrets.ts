/**
 * Tests the service with a secret key: requests have the same responses as without one, and the store has ciphertext.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"
import * as Subscriptions from "./Subscriptions.ts"

/** The key of the tests. */
export const secretKey = "0123456789abcdef".repeat(4)

/** A secret with characters that JSON and CSV escape. */
const difficult = 'a "difficult"\nsecret, with \\ and ü'

let count = 0
const client = (clientSecret: string | null): JsonObject => {
  const clientId = `client${++count}`
  return {
    name: clientId,
    clientId,
    redirectUris: [],
    grantTypes: [],
    responseTypes: [],
    tokenEndpointAuthMethod: "none",
    clientSecret
  }
}

const read = (text: string) =>
  Effect.flatMap(Service.Service, ({ world }) => world.store.read({ text, parameters: [] }, ""))

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("returns the secrets of OAuth clients in every form of a response", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      const created = (yield* done("POST", "/rest/oauthClient", { body: client(difficult) })).row
      assert.strictEqual(created["clientSecret"], difficult)
      const at = `/rest/oauthClient?id=eq.${String(created["id"])}`
      const secretOf = (target: string) => Effect.map(done("GET", target), ({ rows }) => rows[0]?.["clientSecret"])
      const [stored] = yield* read(`SELECT "clientSecret", CAST("_doc" AS text) FROM "oauthClient"`)
      assert.match(String(stored?.[0]), /^mfgsecret:/)
      assert.include(String(stored?.[1]), String(stored?.[0]))
      assert.notInclude(String(stored?.[1]), "difficult")

      assert.strictEqual((yield* done("GET", at)).row["clientSecret"], difficult)
      assert.strictEqual(yield* secretOf("/rest/oauthClient"), difficult)
      assert.deepStrictEqual((yield* done("GET", `/rest/oauthClient?select=s:clientSecret`)).rows, [{ s: difficult }])
      const csv = yield* done("GET", "/rest/oauthClient?select=clientSecret", { headers: { accept: "text/csv" } })
      assert.strictEqual(csv.text, `clientSecret\n"${difficult.replaceAll('"', '""')}"`)

      const code = Sample.body(Catalogue.byName.oauthCode, 1, {
        companyId: Service.members.operator.companyId,
        parents: new Map([["oauthClient", created]])
      })
      yield* done("POST", "/rest/oauthCode", { body: code })
      assert.deepStrictEqual((yield* done("GET", "/rest/oauthCode?select=oauthClient(clientSecret)")).rows, [
        { oauthClient: { clientSecret: difficult } }
      ])

      const changed = yield* done("PATCH", `/rest/oauthClient?name=eq.${String(created["name"])}`, {
        body: { clientSecret: "second secret" },
        headers: { prefer: "return=representation" }
      })
      assert.include(changed.text, '"second secret"')
      assert.strictEqual(yield* secretOf("/rest/oauthClient"), "second secret")
      const keep = { body: { name: "kept" }, headers: { prefer: "return=representation" } }
      assert.include((yield* done("PATCH", at, keep)).text, '"second secret"')
      const upsert = { headers: { prefer: "resolution=merge-duplicates" }, body: { ...created, clientSecret: "third" } }
      yield* done("POST", "/rest/oauthClient", upsert)
      assert.strictEqual(yield* secretOf("/rest/oauthClient"), "third")
      yield* done("PATCH", at, { body: { clientSecret: null } })
      assert.lengthOf((yield* done("GET", "/rest/oauthClient?clientSecret=is.null")).rows, 1)
      assert.strictEqual((yield* ask("DELETE", at)).status, 204)
    })
  )

  it.effect("encrypts and decrypts the secrets of many rows", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const body = Array.from({ length: 3000 }, (_, index) => client(`secret number ${index}`))
      const written = (yield* done("POST", "/rest/oauthClient", { body })).rows
      const found = (yield* done("GET", "/rest/oauthClient?limit=3000&order=clientId")).rows
      const secretsOf = (rows: ReadonlyArray<JsonObject>) => new Set(rows.map(({ clientSecret }) => clientSecret))
      const expected = secretsOf(body)
      assert.deepStrictEqual(secretsOf(written), expected)
      assert.deepStrictEqual(secretsOf(found), expected)
      yield* done("DELETE", "/rest/oauthClient?id=not.is.null")
    })
  )

  it.effect("repeats the response to an idempotent request, and stores it encrypted", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const asking = { body: client("an idempotent secret"), headers: { "idempotency-key": "one" } }
      const first = yield* done("POST", "/rest/oauthClient", asking)
      const again = yield* done("POST", "/rest/oauthClient", asking)
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      assert.strictEqual(first.row["clientSecret"], "an idempotent secret")
      assert.strictEqual(again.text, first.text)
      const [[body] = []] = yield* read(`SELECT "body" FROM "_idempotency"`)
      assert.notInclude(String(body), "an idempotent secret")
    })
  )

  it.effect.each([
    "clientSecret=eq.a",
    "clientSecret=not.like.a*",
    "clientSecret=in.(a)",
    "clientSecret=fts.a",
    "or=(name.eq.a,clientSecret.gt.a)",
    "order=clientSecret.asc",
    "select=clientSecret::text",
    "select=clientSecret,count()",
    "select=clientSecret.max()"
  ])("refuses %s, because the database cannot compare encrypted values", (search) =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      const refused = yield* ask("GET", `/rest/oauthClient?${search}`)
      assert.deepStrictEqual(refused.verdict, [400, "PGRST127"], refused.text)
      assert.include(refused.text, "oauthClient.clientSecret is encrypted in this store")
    })
  )

  it.effect.each([
    "select=*,oauthClient!inner(*)&oauthClient.clientSecret=eq.a",
    "select=*,oauthClient(clientSecret)&order=oauthClient(clientSecret)"
  ])("refuses %s of an embedded client", (search) =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      assert.deepStrictEqual((yield* ask("GET", `/rest/oauthCode?${search}`)).verdict, [400, "PGRST127"])
    })
  )

  it.effect("refuses a write that selects rows by the secret", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      const at = "/rest/oauthClient?clientSecret=like.a*"
      assert.deepStrictEqual((yield* ask("DELETE", at)).verdict, [400, "PGRST127"])
      assert.deepStrictEqual((yield* ask("PATCH", at, { body: { name: "n" } })).verdict, [400, "PGRST127"])
    })
  )

  it.effect("encrypts the secrets of webhooks", () =>
    Effect.gen(function* () {
      const { events } = yield* Service.Service
      const id = yield* Subscriptions.listening("http://127.0.0.1:9/")
      const webhook = { companyId: Subscriptions.companyId, id }
      const shown = Redacted.value(yield* events.secrets.show(webhook))
      const rolled = Redacted.value(yield* events.secrets.roll(webhook, 1000))
      assert.match(shown, /^whsec_/)
      assert.match(rolled, /^whsec_/)
      const stored = (yield* read(`SELECT "secret" FROM "_webhookSecret"`)).map(([secret]) => String(secret))
      assert.lengthOf(stored, 2)
      for (const secret of stored) assert.match(secret, /^mfgsecret:/)
      const signersOf = yield* events.secrets.signers([webhook])
      assert.lengthOf(signersOf(webhook), 2)
    })
  )
}
