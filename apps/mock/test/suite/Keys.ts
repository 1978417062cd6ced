/** Tests access by API keys at both interfaces: their validity, scopes and errors. */
import type * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as Service from "./Service.ts"

const ready = Effect.gen(function* () {
  const { ask, keys } = yield* Service.Service
  yield* TestClock.setTime(Date.parse("2026-02-03T04:05:06Z"))
  /** A new key of the operator. */
  const issue = (scopes: ReadonlyArray<Scope.Scope>, expiresAt: string | null = null) =>
    keys
      .create({
        ...Service.members.operator,
        name: "suite",
        scopes,
        expiresAt: expiresAt === null ? null : Timestamp.make(expiresAt)
      })
      .pipe(
        Effect.orDie,
        Effect.map(({ key, record }) => ({ id: record.id, key: Redacted.value(key) }))
      )
  const rows = (key: string, method = "GET", target = "/rest/holiday", body?: unknown) =>
    ask(method, target, { headers: { authorization: `Bearer ${key}` }, ...(body === undefined ? {} : { body }) })
  const operation = (key: string) =>
    ask("POST", "/api/v1/account/getCurrentUser", { headers: { authorization: `Bearer ${key}` }, body: {} })
  const statuses = (key: string) => Effect.all([rows(key), operation(key)]).pipe(Effect.map((all) => all.map(statusOf)))
  return { ask, issue, keys, operation, rows, statuses }
})

const statusOf = ({ status }: Service.Reply) => status

const holiday = { name: "Founding day", date: "2026-05-01", companyId: Service.members.operator.companyId }

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("accepts a key until it is revoked, at both interfaces", () =>
    Effect.gen(function* () {
      const { issue, keys, operation, statuses } = yield* ready
      const { id, key } = yield* issue(["*"])
      assert.deepStrictEqual(yield* statuses(key), [200, 200])
      assert.strictEqual((yield* operation(key)).row["id"], Service.members.operator.userId)
      yield* Effect.orDie(keys.revoke(id))
      assert.deepStrictEqual(yield* statuses(key), [401, 401])
      assert.strictEqual((yield* Effect.flip(keys.revoke(id)))._tag, "ApiKeyMissing")
    })
  )

  it.effect("refuses a key after its expiry, by the service's clock", () =>
    Effect.gen(function* () {
      const { issue, operation, rows, statuses } = yield* ready
      const { key } = yield* issue(["*"], "2026-02-03T04:06:06Z")
      assert.deepStrictEqual(yield* statuses(key), [200, 200])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual<unknown>((yield* rows(key)).verdict, [401, "PGRST303"])
      assert.deepStrictEqual<unknown>((yield* operation(key)).verdict, [401, "UNAUTHORIZED"])
      assert.deepStrictEqual(yield* statuses((yield* issue(["*"], "2026-01-01T00:00:00Z")).key), [401, 401])
    })
  )

  it.effect("accepts a rolled key together with its successor during the overlap", () =>
    Effect.gen(function* () {
      const { issue, keys, statuses } = yield* ready
      const { id, key } = yield* issue(["holiday:read"])
      const next = Redacted.value((yield* Effect.orDie(keys.roll(id, 3_600_000))).key)
      assert.notStrictEqual(next, key)
      assert.deepStrictEqual(
        [yield* statuses(key), yield* statuses(next)],
        [
          [200, 200],
          [200, 200]
        ]
      )
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(
        [yield* statuses(key), yield* statuses(next)],
        [
          [401, 401],
          [200, 200]
        ]
      )
      const [listed] = yield* Effect.orDie(keys.list)
      assert.deepStrictEqual<unknown>(listed?.scopes, ["holiday:read"])
    })
  )

  it.effect("lists the last use of a key, and never the key", () =>
    Effect.gen(function* () {
      const { issue, keys, statuses } = yield* ready
      const { id, key } = yield* issue(["*"])
      const find = Effect.map(Effect.orDie(keys.list), (all) => all.find((one) => one.id === id))
      assert.isNull((yield* find)?.lastUsedAt)
      yield* TestClock.adjust("5 seconds")
      yield* statuses(key)
      const listed = yield* find
      assert.strictEqual(listed?.lastUsedAt, "2026-02-03T04:05:11.000Z")
      assert.notInclude(JSON.stringify(listed), key)
    })
  )

  it.effect("limits a key to the actions and resources of its scopes, and allows every key the operations", () =>
    Effect.gen(function* () {
      const { issue, operation, rows } = yield* ready
      const create = (key: string) => rows(key, "POST", "/rest/holiday", holiday)
      const reader = (yield* issue(["holiday:read"])).key
      assert.strictEqual((yield* rows(reader)).status, 200)
      const missing = yield* create(reader)
      assert.deepStrictEqual<unknown>(missing.verdict, [403, "42501"])
      assert.include(missing.text, "holiday:create")
      assert.strictEqual((yield* rows(reader, "GET", "/rest/kanban")).status, 403)
      assert.strictEqual((yield* operation(reader)).status, 200)
      const writer = (yield* issue(["*:create", "*:read"])).key
      const created = yield* create(writer)
      assert.strictEqual(created.status, 201)
      const address = `/rest/holiday?id=eq.${String(created.row["id"])}`
      for (const [method, action] of [
        ["PATCH", "update"],
        ["DELETE", "delete"]
      ] as const) {
        const refused = yield* rows(writer, method, address, method === "PATCH" ? { name: "x" } : undefined)
        assert.strictEqual(refused.status, 403)
        assert.include(refused.text, `holiday:${action}`)
      }
      const none = (yield* issue([])).key
      assert.deepStrictEqual([(yield* rows(none)).status, (yield* operation(none)).status], [403, 200])
    })
  )

  it.effect(
    "refuses an invalid key with 401 and WWW-Authenticate, before 404 and 405, and without a read of the store",
    () =>
      Effect.gen(function* () {
        const { ask, keys } = yield* ready
        const before = keys.lookups()
        const texts = ["", "none", "mfg_", `mfg_${"0".repeat(38)}`, `mfg_${"0".repeat(37)}é`, "mfg_suite_operatorx"]
        const headers = [
          {},
          { authorization: undefined, apikey: "none" },
          { authorization: "Basic bWZnOm1mZw==" },
          ...texts.map((text) => ({ authorization: `Bearer ${text}` }))
        ]
        for (const [method, target, code] of [
          ["GET", "/rest/holiday", /^PGRST30[12]$/],
          ["PUT", "/rest/nothing", /^PGRST30[12]$/],
          ["POST", "/api/v1/account/getCurrentUser", /^UNAUTHORIZED$/],
          ["GET", "/api/v1/account/nothing", /^UNAUTHORIZED$/]
        ] as const) {
          for (const carried of headers) {
            const refused = yield* ask(method, target, { headers: { authorization: undefined, ...carried } })
            assert.strictEqual(refused.status, 401, JSON.stringify(carried))
            assert.match(String(refused.row["code"]), code)
            assert.match(String(refused.headers["www-authenticate"]), /^Bearer/)
          }
        }
        assert.strictEqual(keys.lookups(), before)
      })
  )

  it.effect("takes the key from the header apikey without an Authorization header", () =>
    Effect.gen(function* () {
      const { ask, issue } = yield* ready
      const { key } = yield* issue(["*"])
      const by = (headers: { readonly [name: string]: string | undefined }) =>
        Effect.map(ask("POST", "/api/v1/account/getCurrentUser", { headers, body: {} }), statusOf)
      assert.strictEqual(yield* by({ authorization: undefined, apikey: key }), 200)
      assert.strictEqual(yield* by({ authorization: "Bearer none", apikey: key }), 401)
    })
  )
}
