/** Tests writes to existing rows: upserts by the key and by other unique columns, and PUT. */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const client = (clientId: string, more: JsonObject = {}): JsonObject => ({
  name: clientId,
  clientId,
  redirectUris: ["https://app.example/back"],
  grantTypes: [],
  responseTypes: [],
  tokenEndpointAuthMethod: "none",
  ...more
})

const holiday = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  name: id,
  date: "2026-12-24",
  companyId,
  ...more
})

const merge = "resolution=merge-duplicates, return=representation"
const ignore = "resolution=ignore-duplicates, return=representation"

const postgrest = (prefer: string) => ({ prefer, "content-profile": "public" })

const ready = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  const upsert = (target: string, body: Json, prefer = merge) =>
    service.ask("POST", `/rest/${target}`, { body, headers: postgrest(prefer) })
  return { ...service, upsert }
})

const pick = (rows: ReadonlyArray<JsonObject>, ...names: ReadonlyArray<string>) =>
  rows.map((row) => names.map((name) => row[name]))

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("merges an empty list with 200 as PostgREST does, and creates or ignores one with 201", () =>
    Effect.gen(function* () {
      const { upsert } = yield* ready
      for (const [prefer, status] of [
        [merge, 200],
        [ignore, 201],
        ["return=representation", 201]
      ] as const) {
        for (const target of ["holiday", "holiday?on_conflict=id"]) {
          const reply = yield* upsert(target, [], prefer)
          assert.deepStrictEqual([reply.status, reply.rows], [status, []], `${prefer} ${target}`)
        }
      }
    })
  )

  it.effect("merges into existing rows by their key, and inserts the others", () =>
    Effect.gen(function* () {
      const { done, upsert } = yield* ready
      const made = yield* upsert(
        "holiday",
        [holiday("a", { tags: ["x"] }), holiday("b")].map((row) => ({ tags: null, ...row }))
      )
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.headers["preference-applied"], "resolution=merge-duplicates, return=representation")
      const mixed = yield* upsert("holiday", [holiday("a", { name: "A" }), holiday("c")])
      assert.deepStrictEqual(
        [mixed.status, pick(mixed.rows, "id", "name", "tags")],
        [
          201,
          [
            ["a", "A", ["x"]],
            ["c", "c", null]
          ]
        ]
      )
      const again = yield* upsert("holiday", [holiday("a", { name: "again" }), holiday("b")])
      assert.strictEqual(again.status, 200)
      // A merge keeps the creator of the row, and sets who changed it.
      const { row } = yield* done("GET", "/rest/holiday?id=eq.a")
      assert.deepInclude(row, { name: "again", createdBy: "operator", updatedBy: "operator" })
    })
  )

  it.effect("leaves existing rows unchanged when duplicates are ignored, and returns the new ones", () =>
    Effect.gen(function* () {
      const { done, upsert } = yield* ready
      yield* upsert("holiday", holiday("a"))
      const reply = yield* upsert("holiday", [holiday("a", { name: "A" }), holiday("b")], ignore)
      assert.deepStrictEqual([reply.status, pick(reply.rows, "id")], [201, [["b"]]])
      const none = yield* upsert("holiday", [holiday("a", { name: "A" })], ignore)
      assert.deepStrictEqual([none.status, none.rows], [201, []])
      assert.deepStrictEqual((yield* done("GET", "/rest/holiday?id=eq.a&select=name")).row, { name: "a" })
    })
  )

  it.effect("refuses a target that is not unique, a row that is sent twice, and a key that exists", () =>
    Effect.gen(function* () {
      const { ask, upsert } = yield* ready
      const favorite = (salesOrderId: string) => ({ salesOrderId })
      yield* upsert("salesOrderFavorite", favorite("a"))
      const taken = yield* upsert("salesOrderFavorite", favorite("a"), "return=minimal")
      assert.deepStrictEqual(taken.verdict, [409, "23505"])
      assert.deepStrictEqual((yield* upsert("holiday?on_conflict=date", holiday("a"))).verdict, [400, "42P10"])
      assert.deepStrictEqual((yield* upsert("holiday?on_conflict=name", holiday("a"))).verdict, [400, "42P10"])
      assert.deepStrictEqual((yield* upsert("holiday?on_conflict=nothing", holiday("a"))).verdict, [400, "42703"])
      assert.deepStrictEqual((yield* upsert("holiday?on_conflict=", holiday("a"))).verdict, [400, "PGRST100"])
      assert.deepStrictEqual((yield* upsert("holiday", [holiday("a"), holiday("a")])).verdict, [400, "21000"])
      const twice = yield* upsert("holiday", [holiday("a"), holiday("a", { name: "A" })], ignore)
      assert.deepStrictEqual([twice.status, pick(twice.rows, "name")], [201, [["a"]]])
      const plain = yield* upsert("holiday", holiday("a"), "return=representation")
      assert.deepStrictEqual(plain.verdict, [400, "428C9"])
      // In the contract's shape a new row cannot have a key from the body.
      const contract = (id: string) =>
        ask("POST", "/rest/holiday", { body: holiday(id, { name: "again" }), headers: { prefer: merge } })
      assert.deepStrictEqual((yield* contract("new")).verdict, [400, "428C9"])
      const { row, status } = yield* contract("a")
      assert.deepStrictEqual([status, row["id"], row["name"]], [200, "a", "again"])
    })
  )

  it.effect("writes the listed columns only, with null for those that an element omits", () =>
    Effect.gen(function* () {
      const { upsert } = yield* ready
      yield* upsert("holiday", holiday("a", { tags: ["x"], customFields: { x: 1 } }))
      const reply = yield* upsert("holiday?columns=id,name,date,companyId,tags", [
        holiday("a", { name: "A", customFields: { y: 2 } })
      ])
      assert.deepStrictEqual(pick(reply.rows, "name", "tags", "customFields"), [["A", null, { x: 1 }]])
    })
  )

  it.effect("PUT creates a row or replaces all of its columns", () =>
    Effect.gen(function* () {
      const { ask } = yield* ready
      const put = (target: string, body: Json, prefer = "return=representation") =>
        ask("PUT", `/rest/v1/${target}`, { body, headers: { prefer } })
      const made = yield* put("holiday?id=eq.a", holiday("a", { tags: ["x"] }))
      assert.deepStrictEqual([made.status, pick(made.rows, "id", "tags")], [201, [["a", ["x"]]]])
      const replaced = yield* put("holiday?id=eq.a", holiday("a", { name: "A" }))
      assert.deepStrictEqual([replaced.status, pick(replaced.rows, "name", "tags")], [200, [["A", null]]])
      assert.deepStrictEqual((yield* put("holiday?id=eq.a", holiday("a"), "return=minimal")).status, 204)
      assert.deepStrictEqual((yield* put("holiday?id=eq.a", holiday("b"))).verdict, [400, "PGRST115"])
      assert.deepStrictEqual((yield* put("holiday?name=eq.a", holiday("a"))).verdict, [405, "PGRST105"])
      assert.deepStrictEqual((yield* put("holiday", holiday("a"))).verdict, [405, "PGRST105"])
      assert.deepStrictEqual((yield* put("holiday?id=eq.a&limit=1", holiday("a"))).verdict, [400, "PGRST114"])
      assert.deepStrictEqual((yield* put("holiday?id=eq.a", {})).verdict, [400, "PGRST115"])
      assert.deepStrictEqual((yield* put("holiday?id=eq.a", { id: "a" })).verdict, [400, "23502"])
    })
  )
}

/** Tests targets that exist under the public rules only. */
export const publicSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("finds rows by other unique columns that on_conflict names, with or without the company", () =>
    Effect.gen(function* () {
      const { upsert } = yield* ready
      const [first] = (yield* upsert("oauthClient", client("app"))).rows
      for (const target of ["clientId", "companyId,clientId", "clientId,companyId"]) {
        const reply = yield* upsert(`oauthClient?on_conflict=${target}`, client("app", { name: target }))
        assert.deepStrictEqual([reply.status, pick(reply.rows, "id", "name")], [200, [[first?.["id"], target]]])
        const ignored = yield* upsert(`oauthClient?on_conflict=${target}`, client("app", { name: "ignored" }), ignore)
        assert.deepStrictEqual([ignored.status, ignored.rows], [201, []])
      }
      const other = yield* upsert("oauthClient?on_conflict=id", { ...client("app"), id: "another" })
      assert.deepStrictEqual(other.verdict, [409, "23505"])
    })
  )
}
