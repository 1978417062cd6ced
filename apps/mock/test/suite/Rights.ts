/**
 * Tests the rights of API keys: a key of every single scope against every verb, filter, embed, preference, operation and
 * administrator's call. Each probe names the scopes that it takes, independently of the service's table.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Scope from "@mfgdata/domain/Scope"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { newWebhook } from "../webhooks/newWebhook.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

/** A request, and the scopes that it takes: `holiday:read`. */
interface Probe {
  readonly method: string
  readonly target: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
  readonly takes: ReadonlyArray<string>
}

/** Reports whether one scope includes another, by the form of the two alone. */
const includes = (scope: string, taken: string): boolean => {
  const [subject = "", action = "*"] = scope.split(":")
  const [on, does] = taken.split(":")
  return (subject === "*" || subject === on) && (action === "*" || action === does)
}

const grants = (scopes: ReadonlyArray<string>, { takes }: Probe): boolean =>
  takes.every((taken) => scopes.some((scope) => includes(scope, taken)))

const postgrest = { "content-profile": "public", "accept-profile": "public" }
const minimal = "return=minimal, tx=rollback"
const prefer = (...more: ReadonlyArray<string>) => ({ prefer: ["tx=rollback", ...more].join(", ") })

/** The probes of one resource, of which there is a row. */
const probes = (resource: Resource.Any, row: JsonObject, body: JsonObject): ReadonlyArray<Probe> => {
  const { key, resource: name } = resource
  const id = encodeURIComponent(Sample.keyOf(resource, row))
  const at = `/rest/${name}?${key}=eq.${id}`
  const { [key]: _, ...change } = body
  const withKey = { ...body, [key]: row[key] ?? null }
  const [read, create, update, remove] = [`${name}:read`, `${name}:create`, `${name}:update`, `${name}:delete`]
  const columns = Column.fromResource(resource).map(({ name }) => name)
  const other = columns.find((column) => column !== key) ?? key

  /** Every place of a filter besides `<key>=eq.<value>`. */
  const filtered = [
    `${key}=in.(${id})`,
    `${key}=neq.none`,
    `${key}=not.eq.none`,
    `${key}=eq.${id}&${key}=eq.${id}`,
    `and=(${key}.eq.${id})`,
    `or=(${key}.eq.${id},${other}.is.null)`,
    `not.or=(${key}.eq.none,${other}.is.not_null)`,
    `${key}=eq.${id}&order=${key}.asc`,
    `${key}=eq.${id}&order=${other}.desc`,
    `${key}=eq.${id}&limit=1&order=${key}`
  ]
  const byColumn = columns.map((column) => `${key}=eq.${id}&${column}=is.null`)
  const reads: ReadonlyArray<Omit<Probe, "takes">> = [
    ...["GET", "HEAD"].flatMap((method) =>
      [at, `/rest/${name}`, `/rest/v1/${name}`, ...filtered.slice(0, 3).map((search) => `/rest/${name}?${search}`)].map(
        (target) => ({ method, target })
      )
    ),
    ...[`${at}&select=${key}`, `/rest/${name}?select=${columns.join(",")}`].map((target) => ({
      method: "GET",
      target
    })),
    { method: "GET", target: `/rest/${name}`, headers: { range: "0-1" } },
    { method: "GET", target: `/rest/${name}`, headers: { accept: "text/csv" } },
    { method: "GET", target: `/rest/${name}`, headers: { prefer: "count=exact" } },
    { method: "GET", target: at, headers: { "if-none-match": '"0"' } }
  ]

  /** A write of the row of a key, in each of its forms. */
  const addressed = (method: string, action: string, body?: JsonObject): ReadonlyArray<Probe> => {
    const probe = (takes: ReadonlyArray<string>, headers: Probe["headers"], target = at): Probe => ({
      method,
      target,
      takes,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body })
    })
    return [
      probe([action], { prefer: minimal }),
      probe([action], { ...postgrest, ...prefer() }),
      probe([action], prefer("return=headers-only")),
      // The contract's DELETE of a key never returns the row.
      probe(method === "DELETE" ? [action] : [action, read], prefer("return=representation")),
      probe([action, read], { ...postgrest, ...prefer("return=representation") }),
      ...["exact", "planned", "estimated"].map((count) =>
        probe([action, read], prefer("return=minimal", `count=${count}`))
      ),
      probe([action, read], { prefer: minimal, "if-match": "*" }),
      probe([action, read], { prefer: minimal, "if-match": '"0"' }),
      probe([action, read], { prefer: minimal, "if-none-match": '"0"' }),
      ...[...filtered, ...byColumn].map((search) =>
        probe([action, read], { prefer: minimal }, `/rest/${name}?${search}`)
      ),
      ...filtered
        .slice(0, 4)
        .map((search) => probe([action, read], { ...postgrest, prefer: minimal }, `/rest/v1/${name}?${search}`))
    ]
  }

  const service = Column.fromResource(resource).find(({ name, write }) => write === "never" && name !== key)?.name
  const compared: ReadonlyArray<Probe> =
    service === undefined
      ? []
      : [
          {
            method: "PATCH",
            target: at,
            headers: { prefer: minimal },
            body: { [service]: row[service] ?? null },
            takes: [update, read]
          }
        ]

  const created = (takes: ReadonlyArray<string>, headers: Probe["headers"], body: unknown, search = ""): Probe => ({
    method: "POST",
    target: `/rest/${name}${search}`,
    ...(headers === undefined ? {} : { headers }),
    body,
    takes
  })
  const upserts = ["", `?on_conflict=${key}`].flatMap((search) => [
    created([create, update, read], { ...postgrest, ...prefer("resolution=merge-duplicates") }, [withKey], search),
    created([create, read], { ...postgrest, ...prefer("resolution=ignore-duplicates") }, [withKey], search)
  ])

  const embeds = Catalogue.relations(resource).flatMap(
    ({ cardinality, column, field, reference, target }): ReadonlyArray<Probe> => {
      const to = `${target.resource}:read`
      const hint = `${target.resource}!${reference.child.resource}_${reference.column}_fkey`
      const get = (search: string): Probe => ({ method: "GET", target: `/rest/${name}?${search}`, takes: [read, to] })
      return [
        get(`select=*,${hint}(*)`),
        get(`select=${column},e:${hint}(${field})&e.${field}=neq.none`),
        get(`select=${column},e:${hint}()&e=not.is.null`),
        get(`select=${column},...${hint}!inner(spread:${field})`),
        ...(cardinality === "one" ? [get(`select=${column},e:${hint}(${field})&order=e(${field}).asc`)] : []),
        {
          method: "DELETE",
          target: `${at}&select=${column},${hint}(*)`,
          headers: { ...postgrest, ...prefer("return=representation") },
          takes: [remove, read, to]
        }
      ]
    }
  )

  return [
    ...reads.map((probe) => ({ ...probe, takes: [read] })),
    ...addressed("DELETE", remove),
    ...addressed("PATCH", update, change),
    ...compared,
    created([create, read], prefer(), body),
    created([create], { prefer: minimal }, body),
    created([create], prefer("return=headers-only"), body),
    created([create], { ...postgrest, ...prefer() }, body),
    created([create, read], { prefer: `${minimal}, count=exact` }, body),
    created([create], { prefer: minimal }, [body, body].slice(0, resource.key === "id" ? 2 : 1)),
    ...upserts,
    { method: "PUT", target: at, headers: { prefer: minimal }, body: change, takes: [create, update, read] },
    { method: "PUT", target: at, headers: { ...postgrest, ...prefer() }, body: withKey, takes: [create, update, read] },
    ...embeds
  ]
}

/** The scopes of the operations, and of those that need none. */
const operations: { readonly [name: string]: string | undefined } = {
  getCurrentUser: undefined,
  getAccount: "account:read",
  getNotificationPreferences: "account:read",
  getAttributes: "account:read",
  getPrivateAttributes: "account:read",
  getPublicAttributes: "account:read",
  getAllAttributeCategories: "account:read",
  getAttributeCategoryWithValues: "account:read",
  upsertNotificationPreference: "account:write",
  deleteUserAttributeValue: "account:write",
  updateAvatar: "account:write",
  updatePublicAccount: "account:write",
  upsertUserAttributeValue: "account:write"
}

const ready = Effect.gen(function* () {
  const { ask, keys } = yield* Service.Service
  const issued = new Map<string, string>()
  /** Sends a request with a key that has only these scopes. */
  const send = (scopes: ReadonlyArray<Scope.Scope>, { body, headers, method, target }: Omit<Probe, "takes">) =>
    Effect.gen(function* () {
      const name = scopes.join(" ")
      const known = issued.get(name)
      const key =
        known ??
        Redacted.value(
          (yield* Effect.orDie(keys.create({ ...Service.members.operator, name: "rights", scopes, expiresAt: null })))
            .key
        )
      issued.set(name, key)
      const authorization = `Bearer ${key}`
      return yield* ask(method, target, {
        headers: { ...headers, authorization },
        ...(body === undefined ? {} : { body })
      })
    })
  /** Sends a probe, and expects an answer exactly when the scopes grant what it takes. */
  const check = (scopes: ReadonlyArray<Scope.Scope>, probe: Probe) =>
    Effect.map(send(scopes, probe), (reply) => {
      const label = `${scopes.join(" ")}: ${probe.method} ${probe.target} ${JSON.stringify(probe.headers ?? {})}`
      if (grants(scopes, probe)) {
        assert.isFalse([401, 403].includes(reply.status), `${label} is granted: ${reply.text}`)
        assert.isTrue(reply.status < 400 || reply.status === 412, `${label} is answered: ${reply.status} ${reply.text}`)
      } else {
        assert.strictEqual(reply.status, 403, `${label} takes ${probe.takes.join(" ")}`)
        if (probe.method !== "HEAD") assert.include(["42501", "FORBIDDEN"], reply.row["code"])
      }
    })
  return { send, check }
})

const wild = Scope.all.filter((scope) => scope.startsWith("*"))

const scopesOf = (resource: Resource.Any): ReadonlyArray<Scope.Scope> =>
  Scope.all.filter((scope) => scope.startsWith(`${resource.resource}:`))

const everywhere = (table: string) => newWebhook({ table, companyId: Service.members.operator.companyId })

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const resource of Catalogue.resources) {
    const { resource: name } = resource
    const planted = Effect.gen(function* () {
      yield* Sample.clear("operator")
      const parents = yield* Sample.plant("operator")
      const { companyId } = Service.members.operator
      return probes(resource, parents.get(name) ?? {}, Sample.body(resource, 3, { companyId, parents }))
    })

    // Each probe is sent with every scope that does not grant it, and with one that does: the test after it sends the rest.
    it.effect(`answers a key of each single scope exactly what the scope allows: ${name}`, () =>
      Effect.gen(function* () {
        const { check } = yield* ready
        const related = Catalogue.relations(resource).map(({ target }) => target.resource)
        const wide = Scope.all.filter((scope) => related.some((name) => scope === `${name}:*`))
        const scopes = [...wild, ...scopesOf(resource), ...wide, "account:*" as const]
        let count = 0
        for (const probe of yield* planted) {
          const granting = scopes.filter((scope) => grants([scope], probe))
          const chosen = granting[count % granting.length]
          for (const scope of [...scopes.filter((scope) => !granting.includes(scope)), chosen ?? "*"]) {
            yield* check([scope], probe)
            count += 1
          }
        }
        assert.isAbove(count, 500)
      })
    )

    it.effect(`answers two scopes together what neither answers alone: ${name}`, () =>
      Effect.gen(function* () {
        const { check } = yield* ready
        for (const probe of yield* planted) {
          yield* check(probe.takes.filter(Scope.is), probe)
          for (const left of probe.takes)
            yield* check(probe.takes.filter((taken) => taken !== left).filter(Scope.is), probe)
        }
      })
    )
  }

  it.effect("answers each single scope the rows and the operations that it names, and no other", () =>
    Effect.gen(function* () {
      const { check, send } = yield* ready
      for (const scope of Scope.all) {
        for (const { resource } of Catalogue.resources) {
          yield* check([scope], { method: "GET", target: `/rest/${resource}?limit=0`, takes: [`${resource}:read`] })
        }
        for (const [name, takes] of Object.entries(operations)) {
          const probe = { method: "POST", target: `/api/v1/account/${name}`, body: {} }
          const { status } = yield* send([scope], probe)
          const isAllowed = takes === undefined || includes(scope, takes)
          // The empty body is checked after the scope.
          assert.strictEqual(status === 403, !isAllowed, `${scope} ${name} ${status}`)
        }
        for (const { method, path } of Object.values(AdminApi.operations)) {
          const probe = { method, target: `/_mock${path}`, ...(method === "POST" ? { body: {} } : {}) }
          assert.strictEqual((yield* send([scope], probe)).status, 401, `${scope} ${path}`)
        }
      }
    })
  )

  it.effect("keeps a secret from a key that may delete its row, but not read it", () =>
    Effect.gen(function* () {
      const { send } = yield* ready
      yield* Sample.clear("operator")
      const row = (yield* Sample.plant("operator")).get("oauthClient")
      for (const start of [String(row?.["clientSecret"]).slice(0, 3), "wrong"]) {
        const target = `/rest/oauthClient?clientSecret=like.${encodeURIComponent(start)}*`
        const probe = { method: "DELETE", target, headers: { prefer: "tx=rollback, count=exact" } }
        const refused = yield* send(["oauthClient:delete"], probe)
        assert.deepStrictEqual(refused.verdict, [403, "42501"])
        assert.include(refused.text, "oauthClient:read")
      }
      yield* Sample.clear("operator")
    })
  )

  it.effect.each([
    ["POST", "/rest/holiday", {}, "holiday:create"],
    ["POST", "/rest/v1/holiday", { ...postgrest, prefer: "resolution=merge-duplicates" }, "holiday:update"],
    ["PATCH", "/rest/holiday?name=eq.a", {}, "holiday:read"]
  ] as const)("checks %s %s before it parses the body", ([method, target, headers, missing]) =>
    Effect.gen(function* () {
      const { send } = yield* ready
      const all = ["holiday:read", "holiday:create", "holiday:update"] as const
      const scopes = all.filter((scope) => scope !== missing)
      const probe = { method, target, headers, body: "{ no JSON" }
      const refused = yield* send(scopes, probe)
      assert.deepStrictEqual(refused.verdict, [403, "42501"], refused.text)
      assert.include(refused.text, missing)
      assert.strictEqual((yield* send(all, probe)).status, 400)
    })
  )

  it.effect("repeats no row to a key that may create rows, but not read them", () =>
    Effect.gen(function* () {
      const { send } = yield* ready
      const body = { name: "Founding day", date: "2026-05-01", companyId: Service.members.operator.companyId }
      const create = { method: "POST", target: "/rest/holiday", body }
      const headers = { "idempotency-key": "rights" }
      const first = yield* send(["holiday:create", "holiday:read"], { ...create, headers })
      assert.strictEqual(first.status, 201)
      for (const [refused, verdict] of [
        [headers, [403, "42501"]],
        [{ ...headers, prefer: "return=minimal" }, [422, "MF422"]]
      ] as const) {
        const reply = yield* send(["holiday:create"], { ...create, headers: refused })
        assert.deepStrictEqual<unknown>(reply.verdict, verdict)
        assert.notInclude(reply.text, String(first.row["id"]))
      }
    })
  )

  it.effect("creates a webhook, or changes its table or url, only with the scope to read its table", () =>
    Effect.gen(function* () {
      const { check, send } = yield* ready
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      const rollback = { prefer: minimal }
      for (const { resource: table } of Catalogue.resources) {
        const reads = `${table}:read` as const
        const body = everywhere(table)
        const id = String((yield* done("POST", "/rest/webhook", { body })).row["id"])
        const at = `/rest/webhook?id=eq.${id}`
        const other = table === "kanban" ? "holiday" : "kanban"
        const writes: ReadonlyArray<Probe> = [
          { method: "POST", target: "/rest/webhook", body, takes: ["webhook:create", reads] },
          {
            method: "POST",
            target: "/rest/webhook",
            body: [body, everywhere(other)],
            takes: ["webhook:create", reads, `${other}:read`]
          },
          { method: "PATCH", target: at, body: { url: "https://other.example" }, takes: ["webhook:update", reads] },
          { method: "PATCH", target: at, body: { table: other }, takes: ["webhook:update", `${other}:read`] },
          { method: "PATCH", target: at, body: { active: false, onInsert: false }, takes: ["webhook:update"] },
          {
            method: "PATCH",
            target: "/rest/webhook?active=is.true",
            body: { url: "https://other.example" },
            takes: ["webhook:update", "webhook:read", reads]
          },
          {
            method: "PUT",
            target: at,
            body,
            takes: ["webhook:create", "webhook:update", "webhook:read", reads]
          },
          {
            method: "POST",
            target: "/rest/webhook",
            headers: { ...postgrest, ...prefer("resolution=merge-duplicates") },
            body: [{ ...body, id }],
            takes: ["webhook:create", "webhook:update", "webhook:read", reads]
          }
        ]
        for (const probe of writes.map((probe) => ({ headers: rollback, ...probe }))) {
          yield* check(probe.takes.filter(Scope.is), probe)
          for (const left of probe.takes)
            yield* check(probe.takes.filter((taken) => taken !== left).filter(Scope.is), probe)
        }
        const alone = yield* send(["webhook:*"], { ...writes[0]!, headers: rollback })
        assert.strictEqual(alone.status, table === "webhook" ? 201 : 403)
        yield* done("DELETE", at)
      }
    })
  )
}
