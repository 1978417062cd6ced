/** Tests the `Prefer` header, and the response headers that report its effect. */
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const holiday = (name: string, more: JsonObject = {}): JsonObject => ({ name, date: "2026-12-24", companyId, ...more })

const ready = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  yield* service.done("POST", "/rest/holiday", { body: ["a", "b", "c"].map((name) => holiday(name)) })
  /** A request in PostgREST's shape, with preferences. */
  const prefer = (preferences: string, method: string, target: string, body?: unknown) =>
    service.ask(method, `/rest/v1/${target}`, {
      headers: { prefer: preferences },
      ...(body === undefined ? {} : { body })
    })
  const names = Effect.suspend(() =>
    Effect.map(service.done("GET", "/rest/holiday?order=name&select=name"), ({ rows }) => rows.map(({ name }) => name))
  )
  return { ...service, prefer, names }
})

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("Preference-Applied lists the preferences that had an effect, in one order", () =>
    Effect.gen(function* () {
      const { prefer } = yield* ready
      const applied = (preferences: string, method: string, target: string, body?: unknown) =>
        Effect.map(prefer(preferences, method, target, body), ({ headers }) => headers["preference-applied"])
      const all =
        "max-affected=5, consistency=strong, handling=strict, tx=commit, count=exact, return=minimal, missing=default, resolution=merge-duplicates"
      assert.strictEqual(yield* applied(all, "GET", "holiday"), "count=exact, handling=strict, consistency=strong")
      assert.strictEqual(
        yield* applied(all, "POST", "holiday", holiday("d")),
        "resolution=merge-duplicates, missing=default, return=minimal, count=exact, tx=commit, handling=strict"
      )
      assert.strictEqual(
        yield* applied(all, "PATCH", "holiday?name=eq.a", { tags: [] }),
        "missing=default, return=minimal, count=exact, tx=commit, handling=strict, max-affected=5"
      )
      assert.strictEqual(
        yield* applied(all, "DELETE", "holiday?name=eq.a"),
        "return=minimal, count=exact, tx=commit, handling=strict, max-affected=5"
      )
      assert.strictEqual(yield* applied("max-affected=5", "DELETE", "holiday?name=eq.b"), undefined)
      assert.strictEqual(yield* applied("return=representation", "GET", "holiday"), undefined)
      // The first of each kind counts.
      assert.strictEqual(
        yield* applied("return=representation, return=minimal", "POST", "holiday", holiday("e")),
        "return=representation"
      )
    })
  )

  it.effect("handling=strict refuses unknown preferences, and names them", () =>
    Effect.gen(function* () {
      const { names, prefer } = yield* ready
      for (const [method, target, body] of [
        ["GET", "holiday"],
        ["POST", "holiday", holiday("d")],
        ["DELETE", "holiday?name=eq.a"]
      ] as const) {
        const reply = yield* prefer("handling=strict, foo, return=all, count=none", method, target, body)
        assert.deepStrictEqual(reply.verdict, [400, "PGRST122"])
        assert.strictEqual(reply.row["details"], "Invalid preferences: foo, return=all, count=none")
      }
      assert.strictEqual((yield* prefer("handling=lenient, foo", "GET", "holiday")).status, 200)
      assert.deepStrictEqual(yield* names, ["a", "b", "c"])
    })
  )

  it.effect("Mfg-Position is accepted in the form of a position, and refused in any other", () =>
    Effect.gen(function* () {
      const { ask } = yield* ready
      const read = (position: string) => ask("GET", "/rest/holiday", { headers: { "mfg-position": position } })
      assert.strictEqual((yield* read("00000001-00000000016B3748")).status, 200)
      for (const position of ["", "1-2", "0/16B3748", "00000001-00000000016b3748"]) {
        const reply = yield* read(position)
        assert.strictEqual(reply.status, 400, position)
        assert.include(reply.text, "Mfg-Position")
      }
    })
  )

  it.effect("max-affected undoes a change of more rows", () =>
    Effect.gen(function* () {
      const { names, prefer } = yield* ready
      const strict = "handling=strict, max-affected=2"
      for (const [method, body] of [["PATCH", { name: "x" }], ["DELETE"]] as const) {
        const reply = yield* prefer(strict, method, "holiday?date=eq.2026-12-24", body)
        assert.deepStrictEqual(reply.verdict, [400, "PGRST124"])
        assert.strictEqual(reply.row["details"], "The query affects 3 rows")
      }
      assert.deepStrictEqual(yield* names, ["a", "b", "c"])
      assert.strictEqual((yield* prefer(strict, "DELETE", "holiday?name=in.(a,b)")).status, 204)
      assert.deepStrictEqual(yield* names, ["c"])
    })
  )

  it.effect("tx=rollback returns the result of a write and stores nothing", () =>
    Effect.gen(function* () {
      const { names, prefer, world } = yield* ready
      const before = yield* world.store.checksum
      const dry = "tx=rollback, return=representation"
      const made = yield* prefer(dry, "POST", "holiday?select=name", [holiday("d"), holiday("e")])
      assert.deepStrictEqual([made.status, made.rows], [201, [{ name: "d" }, { name: "e" }]])
      assert.strictEqual(made.headers["preference-applied"], "return=representation, tx=rollback")
      const changed = yield* prefer(dry, "PATCH", "holiday?name=eq.a&select=name", { name: "x" })
      assert.deepStrictEqual([changed.status, changed.rows], [200, [{ name: "x" }]])
      const gone = yield* prefer(dry, "DELETE", "holiday?name=eq.a&select=name")
      assert.deepStrictEqual([gone.status, gone.rows], [200, [{ name: "a" }]])
      const put = yield* prefer(dry, "PUT", "holiday?id=eq.new&select=name", holiday("new", { id: "new" }))
      assert.deepStrictEqual([put.status, put.rows], [201, [{ name: "new" }]])
      const favorite = { salesOrderId: "order" }
      const refused = yield* prefer("tx=rollback", "POST", "salesOrderFavorite", [favorite, favorite])
      assert.deepStrictEqual(refused.verdict, [409, "23505"])
      assert.deepStrictEqual(yield* names, ["a", "b", "c"])
      assert.deepStrictEqual(yield* world.store.checksum, before)
    })
  )

  it.effect("missing=default and null set the value of listed columns that are absent", () =>
    Effect.gen(function* () {
      const { prefer } = yield* ready
      const years = (missing: string) =>
        Effect.map(
          prefer(`${missing}return=representation`, "POST", "holiday?columns=name,date,companyId,year&select=year", [
            holiday("d"),
            holiday("e", { year: 7 })
          ]),
          ({ rows }) => rows.map(({ year }) => year)
        )
      assert.deepStrictEqual(yield* years("missing=default, "), [null, 7])
      assert.deepStrictEqual(yield* years("missing=null, "), [null, 7])
      assert.deepStrictEqual(yield* years(""), [null, 7])
    })
  )

  it.effect("count returns the number of rows, of a read and of a write", () =>
    Effect.gen(function* () {
      const { prefer } = yield* ready
      for (const count of ["exact", "planned", "estimated"]) {
        const reply = yield* prefer(`count=${count}`, "GET", "holiday?limit=1&offset=1")
        assert.deepStrictEqual([reply.status, reply.headers["content-range"]], [206, "1-1/3"])
      }
      const range = (method: string, target: string, body?: unknown) =>
        Effect.map(prefer("count=exact", method, target, body), ({ headers }) => headers["content-range"])
      assert.strictEqual(yield* range("POST", "holiday", [holiday("d"), holiday("e")]), "*/2")
      assert.strictEqual(yield* range("PATCH", "holiday?name=in.(a,b)", { tags: [] }), "0-1/2")
      assert.strictEqual(yield* range("PATCH", "holiday?name=eq.nothing", { tags: [] }), "*/0")
      assert.strictEqual(yield* range("DELETE", "holiday?name=in.(a,b)"), "*/2")
      assert.strictEqual(yield* range("HEAD", "holiday"), "0-2/3")
    })
  )

  it.effect("Content-Location returns the address of a read, its parameters in order", () =>
    Effect.gen(function* () {
      const { ask } = yield* ready
      const location = (target: string) => Effect.map(ask("GET", target), ({ headers }) => headers["content-location"])
      assert.strictEqual(yield* location("/rest/holiday"), "/rest/holiday")
      assert.strictEqual(
        yield* location("/rest/v1/holiday?select=id&limit=1&name=eq.a%20b"),
        "/rest/v1/holiday?limit=1&name=eq.a%20b&select=id"
      )
      assert.strictEqual(
        (yield* ask("POST", "/rest/holiday", { body: holiday("d") })).headers["content-location"],
        undefined
      )
    })
  )

  it.effect("Vary is set in every response, and Proxy-Status with the code in every refusal", () =>
    Effect.gen(function* () {
      const { ask } = yield* ready
      const vary = "Accept, Prefer, Range, Accept-Profile, Content-Profile, Accept-Datetime, Authorization"
      const found = yield* ask("GET", "/rest/holiday")
      assert.deepStrictEqual([found.headers["vary"], found.headers["proxy-status"]], [vary, undefined])
      const refused = yield* ask("GET", "/rest/holiday?nothing=eq.1")
      assert.deepStrictEqual(
        [refused.headers["vary"], refused.headers["proxy-status"]],
        [vary, "PostgREST; error=42703"]
      )
    })
  )

  it.effect("nulls=stripped omits nulls at every depth, except in arrays", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* ready
      yield* Sample.clear("operator")
      yield* done("POST", "/rest/holiday", {
        body: holiday("a", { customFields: { x: null, y: [null, 1], z: { w: null } } })
      })
      const accept = "application/vnd.pgrst.array+json;nulls=stripped"
      const reply = yield* ask("GET", "/rest/holiday?select=name,tags,customFields", { headers: { accept } })
      assert.deepStrictEqual(reply.rows, [{ name: "a", customFields: { y: [null, 1], z: {} } }])
      assert.strictEqual(reply.headers["content-type"], `${accept}; charset=utf-8`)
      const object = "application/vnd.pgrst.object+json;nulls=stripped"
      const one = yield* ask("GET", "/rest/holiday?select=name,tags", { headers: { accept: object } })
      assert.deepStrictEqual([one.row, one.headers["content-type"]], [{ name: "a" }, `${object}; charset=utf-8`])
    })
  )

  it.effect("describes every resource in OpenAPI 2.0 at the root", () =>
    Effect.gen(function* () {
      const { ask } = yield* ready
      for (const mount of ["/rest/", "/rest/v1/", "/rest/v1"]) {
        const { headers, row, status } = yield* ask("GET", mount)
        assert.deepStrictEqual([status, headers["content-type"]], [200, "application/openapi+json; charset=utf-8"])
        assert.deepInclude(row, { swagger: "2.0" })
        const paths = row["paths"] as JsonObject
        assert.lengthOf(Object.keys(paths), 29)
        assert.include(JSON.stringify(row), "<fk table='warehouseTransfer' column='id'/>")
      }
      assert.deepStrictEqual((yield* ask("GET", "/rest/v1/", { headers: { accept: "text/csv" } })).verdict, [
        406,
        "PGRST107"
      ])
      assert.deepStrictEqual((yield* ask("POST", "/rest/v1/", { body: {} })).verdict, [405, "PGRST117"])
      assert.deepStrictEqual((yield* ask("GET", "/rest/v1/", { headers: { "accept-profile": "x" } })).verdict, [
        406,
        "PGRST106"
      ])
      const options = yield* ask("OPTIONS", "/rest/v1/")
      assert.deepStrictEqual([options.status, options.headers["allow"]], [200, "OPTIONS, GET, HEAD"])
      const head = yield* ask("HEAD", "/rest/v1/")
      assert.deepStrictEqual([head.status, head.text], [200, ""])
    })
  )
}
