/**
 * Tests references among the resources: free text under the contract rules, and existing rows under the public rules.
 * Where several rows share the referenced value, a reference means the first one by key.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator
const { oauthClient, oauthCode } = Catalogue.byName

const ready = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  return service
})

/** A write by key, as in PostgREST. */
const put = (at: string, body: JsonObject) =>
  Effect.flatMap(Service.Service, ({ done }) =>
    done("PUT", `/rest/v1/${at}`, { body, headers: { prefer: "return=representation" } })
  )

const client = (id: string, name: string): JsonObject => ({
  ...Sample.body(oauthClient, 1, { companyId, parents: new Map() }),
  id,
  name,
  clientId: "app"
})

const code = (id: string, clientId: string): JsonObject => ({
  ...Sample.body(oauthCode, 1, { companyId, parents: new Map() }),
  id,
  code: id,
  clientId
})

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const { child, column, field, parent } of Catalogue.references) {
    it.effect(`accepts any text in ${child.resource}.${column}, with and without a ${parent.resource}`, () =>
      Effect.gen(function* () {
        const { done } = yield* ready
        const [children, parents] = [`/rest/${child.resource}`, `/rest/${parent.resource}`]
        const body = Sample.body(child, 1, { companyId, parents: new Map() })
        const { row } = yield* done("POST", children, { body })
        const at = Sample.address(child, row)
        for (const text of ["nowhere", "a b,ü😀"]) {
          const changed = yield* done("PATCH", at, { body: { [column]: text } })
          assert.strictEqual(changed.row[column], text)
          const embedded = yield* done("GET", `${children}?select=${column},${parent.resource}(*)`)
          assert.deepStrictEqual(embedded.rows, [{ [column]: text, [parent.resource]: null }])
          const inner = yield* done("GET", `${children}?select=${column},${parent.resource}!inner(*)`)
          assert.deepStrictEqual(inner.rows, [])
        }
        const up = (yield* Sample.plant("operator", [parent])).get(parent.resource)
        yield* done("PATCH", at, { body: { [column]: up?.[field] } })
        const below = `${parents}?select=${field},${child.resource}(${column})`
        assert.deepStrictEqual((yield* done("GET", below)).rows, [
          { [field]: up?.[field] ?? null, [child.resource]: [{ [column]: up?.[field] ?? null }] }
        ])
        // A delete removes the row of its filter only.
        assert.strictEqual((yield* done("DELETE", Sample.address(parent, up))).status, 204)
        const { rows } = yield* done("GET", `${children}?select=${column},${parent.resource}(*)`)
        assert.deepStrictEqual(rows, [{ [column]: up?.[field] ?? null, [parent.resource]: null }])
      })
    )
  }

  it.effect("enforces no uniqueness but that of keys", () =>
    Effect.gen(function* () {
      const { done } = yield* ready
      const parents = yield* Sample.plant("operator")
      for (const resource of Catalogue.resources) {
        const body = Sample.body(resource, 1, { companyId, parents })
        const isKeyGiven = resource.key in body || Object.hasOwn(resource.rules.defaults[resource.key] ?? {}, "column")
        if (isKeyGiven) continue
        const { rows } = yield* done("POST", `/rest/${resource.resource}`, { body: [body, body] })
        assert.strictEqual(rows.length, 2, resource.resource)
      }
    })
  )

  it.effect("resolves a code to the first by key of several clients of one name", () =>
    Effect.gen(function* () {
      const { done } = yield* ready
      for (const [id, name] of [
        ["c", "third"],
        ["a", "first"],
        ["b", "second"]
      ] as const) {
        yield* put(`oauthClient?id=eq.${id}`, client(id, name))
      }
      yield* put("oauthCode?id=eq.1", code("1", "app"))
      yield* put("oauthCode?id=eq.2", code("2", "gone"))
      const codes = (search: string) => Effect.map(done("GET", `/rest/oauthCode?${search}`), ({ rows }) => rows)
      const both = [
        { id: "1", oauthClient: { name: "first" } },
        { id: "2", oauthClient: null }
      ]
      assert.deepStrictEqual(yield* codes("select=id,oauthClient(name)&order=id"), both)
      assert.deepStrictEqual(yield* codes("select=id,oauthClient(name)&order=oauthClient(name)"), both)
      assert.deepStrictEqual(
        yield* codes("select=id,oauthClient(name)&order=oauthClient(name).desc.nullsfirst"),
        both.toReversed()
      )
      assert.deepStrictEqual(yield* codes("select=id,...oauthClient(name)&order=id"), [
        { id: "1", name: "first" },
        { id: "2", name: null }
      ])
      assert.deepStrictEqual(yield* codes("select=id,oauthClient!inner(name)"), both.slice(0, 1))
      assert.deepStrictEqual(yield* codes("select=id,oauthClient!inner()"), [{ id: "1" }])
      assert.deepStrictEqual(yield* codes("select=id,oauthClient()&oauthClient=not.is.null"), [{ id: "1" }])
      assert.deepStrictEqual(
        yield* codes("select=id,oauthClient!inner(name)&oauthClient.name=eq.first"),
        both.slice(0, 1)
      )
      // The second client is not the one that the code means.
      assert.deepStrictEqual(yield* codes("select=id,oauthClient!inner(name)&oauthClient.name=eq.second"), [])
      const counted = yield* done("GET", "/rest/oauthCode?select=id,oauthClient!inner(name)", {
        headers: { prefer: "count=exact" }
      })
      assert.strictEqual(counted.headers["content-range"], "0-0/1")
      const below = yield* done("GET", "/rest/oauthClient?select=name,oauthCode(id)&order=id")
      assert.deepStrictEqual(
        below.rows,
        ["first", "second", "third"].map((name) => ({ name, oauthCode: [{ id: "1" }] }))
      )
      yield* done("DELETE", "/rest/oauthClient?id=eq.a")
      assert.deepStrictEqual((yield* codes("select=id,oauthClient(name)&order=id"))[0], {
        id: "1",
        oauthClient: { name: "second" }
      })
    })
  )
}

/** References to existing rows, and deletes that follow them. */
export const publicSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const { child, column, parent } of Catalogue.references) {
    const cascades = child.rules.onParentDelete[column] === "cascade"
    const [children, parents] = [`/rest/${child.resource}`, `/rest/${parent.resource}`]

    it.effect(
      `requires a ${parent.resource} for ${child.resource}.${column}, and names the column of a refused write`,
      () =>
        Effect.gen(function* () {
          const { ask, done } = yield* ready
          const rows = yield* Sample.plant("operator", [...Sample.ancestors(child), child])
          const body = Sample.body(child, 2, { companyId, parents: rows })
          const headers = { "content-profile": "public", prefer: "resolution=merge-duplicates" }
          const key = Sample.keyOf(child, rows.get(child.resource))
          for (const [method, target, sent, more] of [
            ["POST", children, { ...body, [column]: "nowhere" }, {}],
            [
              "POST",
              children,
              [body, { ...Sample.body(child, 3, { companyId, parents: rows }), [column]: "nowhere" }],
              {}
            ],
            ["PATCH", Sample.address(child, rows.get(child.resource)), { [column]: "nowhere" }, {}],
            ["PUT", Sample.address(child, rows.get(child.resource)), { ...body, [column]: "nowhere" }, {}],
            ["POST", children, [{ ...body, [child.key]: key, [column]: "nowhere" }], headers]
          ] as const) {
            const reply = yield* ask(method, target, { body: sent, headers: more })
            assert.deepStrictEqual(reply.verdict, [409, "23503"], `${method} ${target}`)
            assert.include(reply.text, column)
            assert.include(reply.text, parent.resource)
            assert.notInclude(reply.text, "nowhere")
          }
          assert.strictEqual((yield* done("GET", children)).text, JSON.stringify([rows.get(child.resource)]))
        })
    )

    it.effect(`${cascades ? "deletes" : "refuses to delete"} a ${parent.resource} with its ${child.resource}`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* ready
        const rows = yield* Sample.plant("operator", [...Sample.ancestors(child), child])
        yield* Sample.plant("operator", [...Sample.ancestors(child), child], 2)
        const reply = yield* ask("DELETE", Sample.address(parent, rows.get(parent.resource)))
        const left = (yield* done("GET", children)).rows
        if (cascades) {
          assert.strictEqual(reply.status, 204)
          assert.lengthOf(left, 1)
        } else {
          assert.deepStrictEqual(reply.verdict, [409, "23503"])
          assert.include(reply.text, child.resource)
          assert.lengthOf(left, 2)
          yield* done("DELETE", Sample.address(child, rows.get(child.resource)))
          yield* done("DELETE", Sample.address(parent, rows.get(parent.resource)))
        }
        assert.lengthOf((yield* done("GET", parents)).rows, 1)
      })
    )
  }

  it.effect("refuses to change a clientId that codes refer to, and changes another one", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* ready
      const rows = yield* Sample.plant("operator", [oauthClient, oauthCode])
      const other = yield* done("POST", "/rest/oauthClient", {
        body: Sample.body(oauthClient, 2, { companyId, parents: rows })
      })
      const at = Sample.address(oauthClient, rows.get("oauthClient"))
      const reply = yield* ask("PATCH", at, { body: { clientId: "renamed" } })
      assert.deepStrictEqual(reply.verdict, [409, "23503"])
      assert.include(reply.text, "oauthCode")
      const same = { clientId: rows.get("oauthClient")?.["clientId"], name: "renamed" }
      assert.strictEqual((yield* ask("PATCH", at, { body: same })).status, 200)
      yield* done("PATCH", Sample.address(oauthClient, other.row), { body: { clientId: "renamed" } })
    })
  )
}
