/**
 * Runs the data providers of react-admin and Refine, as they are published, against the built service.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import raDataPostgrest, { defaultPrimaryKeys, defaultSchema } from "@raphiniert/ra-data-postgrest"
import { dataProvider as refine } from "@refinedev/supabase"
import { createClient } from "@supabase/supabase-js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as BuiltService from "../src/BuiltService.ts"

class Service extends Context.Tag("Service")<Service, BuiltService.BuiltService>() {}

const stores: ReadonlyArray<readonly [name: string, store: Effect.Effect<string, never, Scope.Scope>]> = [
  ["SQLite", Effect.succeed("sqlite::memory:")],
  ["PostgreSQL", Effect.flatMap(PostgresServer.url, Schema.fresh)]
]

/** A method of a provider, whose framework has the types: it is not installed here. */
type Methods = Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Promise<Readonly<Record<string, unknown>>>>>

/** Sends requests as `fetchUtils.fetchJson` of react-admin does: its rejections have the body and the status. */
const fetchJson =
  (key: string) =>
  async (url: string, options: RequestInit = {}) => {
    const headers = new Headers(options.headers)
    headers.set("Authorization", `Bearer ${key}`)
    const response = await fetch(url, { ...options, headers })
    const body = await response.text()
    const json: unknown = body === "" ? undefined : JSON.parse(body)
    if (!response.ok) throw Object.assign(new Error(body), { status: response.status, body: json })
    return { status: response.status, headers: response.headers, body, json }
  }

type Provider = (options: object) => Methods

// The provider is the default export in ES modules, and a member of it in CommonJS; react-admin has its types.
const imported = raDataPostgrest as unknown as { readonly default?: Provider } & Provider

const reactAdmin = ({ key, origin }: BuiltService.BuiltService): Methods =>
  (imported.default ?? imported)({
    apiUrl: `${origin}/rest/v1`,
    httpClient: fetchJson(key),
    defaultListOp: "eq",
    primaryKeys: new Map([...defaultPrimaryKeys, ["webhookTable", ["table"]]]),
    schema: defaultSchema
  })

/** supabase-js subscribes to nothing here; on Node 20, without a native WebSocket, it requires a transport. */
class NoSocket {}
const realtime = { transport: NoSocket as never }

// The provider was compiled with the types of an earlier client.
const makeRefine = refine as unknown as (client: unknown) => Methods

const refineOf = ({ key, origin }: BuiltService.BuiltService): Methods =>
  makeRefine(createClient(origin, key, { realtime }))

const term = (name: string, daysDue: number) => ({
  name,
  daysDue,
  daysDiscount: 0,
  discountPercentage: 0,
  calculationMethod: "Net",
  active: true,
  companyId: "demo"
})

const idOf = (row: unknown): string => String((row as { readonly id?: unknown }).id)

const namesOf = (rows: unknown): unknown =>
  Array.isArray(rows) ? rows.map((row: { readonly name?: unknown }) => row.name) : rows

const sort = { field: "daysDue", order: "ASC" }
const pagination = { page: 2, perPage: 2 }

const useReactAdmin = async (provider: Methods): Promise<void> => {
  const call = (method: string, resource: string, params: object) =>
    provider[method]?.(resource, params) ?? assert.fail(`no ${method}`)
  const created = [
    await call("create", "paymentTerm", { data: term("Net 10", 10) }),
    await call("create", "paymentTerm", { data: term("Net 20", 20) }),
    await call("create", "paymentTerm", { data: term("Net 30", 30) })
  ].map(({ data }) => data)
  const ids = created.map(idOf)
  const [first = "", second = "", third = ""] = ids

  const page = await call("getList", "paymentTerm", { pagination, sort, filter: {} })
  assert.deepStrictEqual([namesOf(page["data"]), page["total"]], [["Net 30"], 3])
  const found = await call("getList", "paymentTerm", {
    pagination: { page: 1, perPage: 10 },
    sort,
    filter: { "daysDue@gte": 15, "name@ilike": "net" }
  })
  assert.deepStrictEqual([namesOf(found["data"]), found["total"]], [["Net 20", "Net 30"], 2])

  assert.deepInclude((await call("getOne", "paymentTerm", { id: first }))["data"], { name: "Net 10" })
  assert.deepStrictEqual(namesOf((await call("getMany", "paymentTerm", { ids: [first, third] }))["data"]), [
    "Net 10",
    "Net 30"
  ])
  const referring = await call("getManyReference", "paymentTerm", {
    target: "companyId",
    id: "demo",
    pagination: { page: 1, perPage: 1 },
    sort,
    filter: {}
  })
  assert.deepStrictEqual([namesOf(referring["data"]), referring["total"]], [["Net 10"], 3])

  const previousData = created[1]
  const data = { ...(previousData as object), daysDue: 25 }
  const updated = await call("update", "paymentTerm", { id: second, data, previousData })
  assert.deepInclude(updated["data"], { name: "Net 20", daysDue: 25 })
  const many = await call("updateMany", "paymentTerm", { ids: [first, third], data: { active: false } })
  assert.sameMembers(many["data"] as Array<string>, [first, third])
  assert.deepInclude((await call("delete", "paymentTerm", { id: first }))["data"], { name: "Net 10" })
  const gone = await call("deleteMany", "paymentTerm", { ids: [second, third] })
  assert.sameMembers(gone["data"] as Array<string>, [second, third])
  const failure: unknown = await call("getOne", "paymentTerm", { id: first }).catch((error: unknown) => error)
  assert.deepInclude(failure, { status: 406 })

  // A resource whose key is not `id` gets one.
  const { data: table } = await call("create", "webhookTable", { data: { module: "Items", name: "Part" } })
  assert.deepInclude(table, { id: "part", table: "part" })
  assert.deepInclude((await call("delete", "webhookTable", { id: "part" }))["data"], { name: "Part" })
}

const useRefine = async (provider: Methods): Promise<void> => {
  const call = (method: string, params: object) =>
    provider[method]?.({ resource: "paymentTerm", ...params }) ?? assert.fail(`no ${method}`)
  const { data: one } = await call("create", { variables: term("Net 10", 10) })
  const { data: others } = await call("createMany", { variables: [term("Net 20", 20), term("Due now", 0)] })
  assert.deepStrictEqual(namesOf(others), ["Net 20", "Due now"])
  const [second = "", third = ""] = Array.isArray(others) ? others.map(idOf) : []
  const id = idOf(one)

  const list = await call("getList", {
    pagination: { currentPage: 1, pageSize: 2 },
    sorters: [{ field: "daysDue", order: "desc" }],
    filters: [
      { field: "name", operator: "startswith", value: "net" },
      { field: "daysDue", operator: "between", value: [5, 50] },
      {
        operator: "or",
        value: [
          { field: "daysDue", operator: "eq", value: 10 },
          { field: "name", operator: "contains", value: "20" }
        ]
      }
    ]
  })
  assert.deepStrictEqual([namesOf(list["data"]), list["total"]], [["Net 20", "Net 10"], 2])
  const paged = await call("getList", { pagination: { currentPage: 2, pageSize: 2 }, meta: { select: "id, name" } })
  assert.deepStrictEqual([paged["data"], paged["total"]], [[{ id: third, name: "Due now" }], 3])

  assert.deepInclude((await call("getOne", { id }))["data"], { name: "Net 10" })
  assert.deepStrictEqual(namesOf((await call("getMany", { ids: [id, third] }))["data"]), ["Net 10", "Due now"])
  assert.deepInclude((await call("update", { id, variables: { daysDue: 12 } }))["data"], { daysDue: 12 })
  const many = await call("updateMany", { ids: [id, second], variables: { active: false } })
  assert.deepStrictEqual(namesOf(many["data"]), ["Net 10", "Net 20"])
  // Deletions ask for no rows.
  await call("deleteOne", { id })
  assert.strictEqual((await call("getList", {}))["total"], 2)
  await call("deleteMany", { ids: [second, third] })
  assert.deepStrictEqual((await call("getList", {}))["total"], 0)
  const failure: unknown = await call("create", { variables: { name: "Net 10" } }).catch((error: unknown) => error)
  assert.deepInclude(failure, { statusCode: 23502 })
}

for (const [store, address] of stores) {
  describe(`on ${store}`, () => {
    it.layer(
      Layer.scoped(
        Service,
        Effect.flatMap(address, (address) => BuiltService.serve(address))
      )
    )((it) => {
      it.effect("@raphiniert/ra-data-postgrest lists, reads, creates, updates and deletes rows", () =>
        Effect.flatMap(Service, (served) => Effect.promise(() => useReactAdmin(reactAdmin(served))))
      )

      it.effect("@refinedev/supabase lists, reads, creates, updates and deletes rows", () =>
        Effect.flatMap(Service, (served) => Effect.promise(() => useRefine(refineOf(served))))
      )
    })
  })
}
