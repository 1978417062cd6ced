/** Tests arrays of any JSON, and the order of arrays and objects. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { elements, filters, ordered, places, refused, texts } from "./ArrayCases.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const transfers = "/rest/warehouseTransfer"

const transfer = (transferId: string, more: JsonObject): JsonObject => ({
  transferId,
  fromLocationId: "here",
  toLocationId: "there",
  status: "Draft",
  companyId,
  ...more
})

/** A row for each array, numbered from 0. */
const planted = (arrays: ReadonlyArray<Json>, more: (index: number) => JsonObject = () => ({})) =>
  Effect.gen(function* () {
    const service = yield* Service.Service
    yield* Sample.clear("operator")
    const body = arrays.map((tags, index) => transfer(String(index), { tags, ...more(index) }))
    yield* service.done("POST", transfers, { body })
    /** The numbers of the rows that a query finds, in order. */
    const find = (parameters: { readonly [name: string]: string }) => {
      const search = new URLSearchParams({ select: "transferId", order: "transferId", ...parameters })
      return Effect.map(service.ask("GET", `${transfers}?${search}`), (reply) =>
        reply.status === 200 ? reply.rows.map(({ transferId }) => transferId).join() : reply.text
      )
    }
    return { ...service, find }
  })

const shuffled = (values: ReadonlyArray<string>): ReadonlyArray<Json> =>
  values.toSorted((one, other) => (one.length % 3) - (other.length % 3)).map((text): Json => JSON.parse(text))

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("hold any elements, which are returned as they were sent", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted([])
      for (const text of texts) {
        for (const path of [transfers, "/rest/v1/warehouseTransfer?select=*"]) {
          const headers = { prefer: "return=representation" }
          const body = JSON.stringify(transfer("1", {})).replace("}", `,"tags":${text}}`)
          const created = yield* ask("POST", path, {
            body,
            headers: { ...headers, "content-type": "application/json" }
          })
          assert.strictEqual(created.status, 201, created.text)
          assert.include(created.text, `"tags":${text}`)
          const address = `${transfers}?id=eq.${String([JSON.parse(created.text)].flat()[0].id)}`
          const changed = yield* done("PATCH", address, { body: { notes: "other" } })
          assert.include(changed.text, `"tags":${text}`)
          const replaced = yield* done("PATCH", address, { body: `{"tags":${text},"notes":null}` })
          assert.include(replaced.text, `"tags":${text}`)
          assert.strictEqual((yield* done("GET", `${address}&select=tags`)).text, `{"tags":${text}}`)
          assert.include((yield* done("GET", transfers)).text, `"tags":${text}`)
        }
      }
    })
  )

  it.effect("are found by their elements", () =>
    Effect.gen(function* () {
      const { find } = yield* planted(elements)
      for (const [filter, found] of filters) {
        const at = filter.indexOf("=")
        assert.strictEqual(yield* find({ [filter.slice(0, at)]: filter.slice(at + 1) }), found, filter)
      }
    })
  )

  it.effect("refuse filters that are invalid or too expensive", () =>
    Effect.gen(function* () {
      const { ask } = yield* planted([])
      for (const [filter, ...verdict] of refused) {
        const at = filter.indexOf("=")
        const search = `${filter.slice(0, at)}=${encodeURIComponent(filter.slice(at + 1))}`
        assert.deepStrictEqual((yield* ask("GET", `${transfers}?${search}`)).verdict, verdict, filter)
      }
    })
  )

  it.effect("accept filters on objects inside the deepest trees", () =>
    Effect.gen(function* () {
      const { find } = yield* planted(elements)
      const wrap = (depth: number, filter: string): string =>
        depth === 0 ? filter : `or(and(${wrap(depth - 1, filter)},transferId.neq.x),transferId.eq.y)`
      for (const filter of [
        'tags.cs."[{\\"x\\":1},{\\"x\\":2}]"',
        'tags.cd."[{\\"x\\":1,\\"y\\":[1,2]},{\\"x\\":2},1]"',
        'tags.ov."[{\\"x\\":2},1]"',
        'tags.in.("[{\\"x\\":1,\\"y\\":[1,2]},{\\"x\\":2}]","[1]")'
      ]) {
        const found = yield* find({ or: `(${wrap(15, filter)})` })
        assert.include(found, "4", filter)
        assert.include(found, "8", filter)
      }
    })
  )

  it.effect("are ordered by their text, and so are objects", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted(shuffled(ordered), () => ({ customFields: { b: 0 } }))
      const read = (search: string) => Effect.map(ask("GET", `${transfers}?${search}`), ({ text }) => text)
      const listed = (column: string, values: ReadonlyArray<string>) =>
        `[${values.map((text) => `{"${column}":${text}}`).join(",")}]`
      yield* done("POST", transfers, { body: transfer("none", { tags: null, customFields: null }) })
      assert.strictEqual(yield* read("select=tags&order=tags"), listed("tags", [...ordered, "null"]))
      assert.strictEqual(yield* read("select=tags&order=tags.desc"), listed("tags", ["null", ...ordered.toReversed()]))
      assert.strictEqual(
        yield* read("select=tags&order=tags.asc.nullsfirst&limit=2"),
        listed("tags", ["null", ...ordered.slice(0, 1)])
      )

      // An update of one column leaves the text of the others unchanged.
      yield* done("PATCH", `${transfers}?tags=not.is.null`, {
        body: { customFields: { b: 1, a: [{ c: "é" }] }, notes: "x" },
        headers: { prefer: "return=minimal" }
      })
      assert.strictEqual(
        yield* read("select=tags&order=customFields,tags.desc&limit=2"),
        listed("tags", ordered.slice(-2).toReversed())
      )
      yield* done("PATCH", `${transfers}?tags=cs.[2]`, { body: { customFields: { a: 2 } } })
      assert.strictEqual(
        yield* read("select=customFields&order=customFields&customFields=not.is.null&limit=2"),
        listed("customFields", ['{"a":2}', '{"a":2}'])
      )
    })
  )

  it.effect("order rows by the values inside them: by type, then by value or text", () =>
    Effect.gen(function* () {
      const { ask } = yield* planted(
        shuffled(places).map((value) => [value]),
        (index) => ({ customFields: { at: shuffled(places)[index] ?? null } })
      )
      for (const path of ["tags->0", "tags->-1", "customFields->at"]) {
        for (const direction of ["asc", "desc"]) {
          const { text } = yield* ask("GET", `${transfers}?select=at:${path}&order=${path}.${direction}`)
          const expected = direction === "asc" ? places : places.toReversed()
          assert.strictEqual(text, `[${expected.map((value) => `{"at":${value}}`).join(",")}]`, `${path}.${direction}`)
        }
      }
    })
  )

  it.effect("are cast to text as PostgreSQL prints a text[], with other elements as JSON", () =>
    Effect.gen(function* () {
      const { ask } = yield* planted([
        ["a", "b c", "", "null", 'q"', "{x}", "\\"],
        [1, 2.5, 1e21, 61098214627622510, 123456789.12345679, true, false, null],
        [{ z: 1, a: ["x y"] }, [1, [null]], {}, []],
        []
      ])
      const { rows } = yield* ask("GET", `${transfers}?select=tags::text,first:tags->0::text&order=transferId`)
      assert.deepStrictEqual(rows, [
        { tags: '{a,"b c","","null","q\\"","{x}","\\\\"}', first: '"a"' },
        { tags: "{1,2.5,1e+21,61098214627622510,123456789.12345679,true,false,NULL}", first: "1" },
        { tags: '{"{\\"z\\":1,\\"a\\":[\\"x y\\"]}","[1,[null]]","{}",[]}', first: '{"z":1,"a":["x y"]}' },
        { tags: "{}", first: null }
      ])
    })
  )

  it.effect("are written as CSV that can be read back", () =>
    Effect.gen(function* () {
      const arrays = [...texts.map((text): Json => JSON.parse(text)), ["[1]", "{a}"]]
      const { ask } = yield* planted(arrays)
      const columns = "transferId,fromLocationId,toLocationId,status,companyId,tags"
      const target = `${transfers}?select=${columns}&order=transferId`
      const before = (yield* ask("GET", target)).text
      const { text } = yield* ask("GET", target, { headers: { accept: "text/csv" } })
      yield* Sample.clear("operator")
      const reply = yield* ask("POST", `/rest/v1/warehouseTransfer?columns=${columns}`, {
        body: text,
        headers: { "content-type": "text/csv", prefer: "return=minimal" }
      })
      assert.strictEqual(reply.status, 201, reply.text)
      assert.strictEqual((yield* ask("GET", target)).text, before)
    })
  )

  it.effect("form groups, in the order of their text", () =>
    Effect.gen(function* () {
      const { ask } = yield* planted([[1], ["a"], [1], null, [{ b: 1 }], ["a"], [1]], (index) => ({
        customFields: index < 3 ? { a: index % 2 } : null
      }))
      const group = (search: string) => Effect.map(ask("GET", `${transfers}?select=${search}`), ({ rows }) => rows)
      assert.deepStrictEqual(yield* group("tags,count()"), [
        { tags: ["a"], count: 2 },
        { tags: [1], count: 3 },
        { tags: [{ b: 1 }], count: 1 },
        { tags: null, count: 1 }
      ])
      assert.deepStrictEqual(yield* group("customFields,count()&order=customFields.desc.nullslast"), [
        { customFields: { a: 1 }, count: 1 },
        { customFields: { a: 0 }, count: 2 },
        { customFields: null, count: 4 }
      ])
      assert.deepStrictEqual(yield* group("tags::text,count()"), [
        { tags: "{1}", count: 3 },
        { tags: '{"{\\"b\\":1}"}', count: 1 },
        { tags: "{a}", count: 2 },
        { tags: null, count: 1 }
      ])
    })
  )

  it.effect("are described with any items", () =>
    Effect.gen(function* () {
      const { items } = yield* described
      assert.deepStrictEqual(items, [{}, {}])
    })
  )

  it.effect("an id may be the empty text, as a reference and as a key", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted([])
      const favorite = "/rest/salesOrderFavorite?salesOrderId=eq."
      const created = yield* done("POST", "/rest/salesOrderFavorite", { body: { salesOrderId: "" } })
      assert.strictEqual(created.row["salesOrderId"], "")
      yield* done("POST", "/rest/salesOrderFavorite", { body: { salesOrderId: "other" } })
      assert.deepStrictEqual((yield* done("GET", favorite)).row, created.row)
      assert.strictEqual((yield* ask("DELETE", favorite)).status, 204)
      assert.deepStrictEqual((yield* ask("GET", favorite)).verdict, [404, "PGRST116"])
      assert.lengthOf((yield* done("GET", "/rest/salesOrderFavorite")).rows, 1)

      const { row } = yield* done("POST", transfers, { body: transfer("1", { fromLocationId: "" }) })
      assert.strictEqual(row["fromLocationId"], "")
      const found = yield* done("GET", `${transfers}?fromLocationId=eq.&select=id`)
      assert.deepStrictEqual(found.rows, [{ id: row["id"] ?? null }])
      const status = yield* ask("POST", transfers, { body: transfer("2", { status: "" }) })
      assert.deepStrictEqual(status.verdict, [400, "22P02"])
    })
  )
}

/** The items of an array column in both OpenAPI documents. */
const described = Effect.gen(function* () {
  const { ask } = yield* Service.Service
  const { text } = yield* ask("GET", "/openapi.json")
  const root = yield* ask("GET", "/rest/")
  const schemas = JSON.parse(text).components.schemas
  const { items } = schemas.WarehouseTransferCreate.properties.tags
  return {
    items: [items, JSON.parse(root.text).definitions.warehouseTransfer.properties.tags.items],
    id: schemas.WarehouseTransfer.properties.id
  }
})

export const publicSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("hold text, which the OpenAPI document says", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      yield* Sample.clear("operator")
      const term = Sample.body(Catalogue.byName.paymentTerm, 1, { companyId, parents: new Map() })
      const post = (path: string, tags: Json) => ask("POST", path, { body: { ...term, name: path, tags } })
      assert.deepStrictEqual((yield* post("/rest/paymentTerm", [1])).verdict, [400, "22P02"])
      assert.deepStrictEqual((yield* post("/rest/paymentTerm", [null])).verdict, [400, "22P02"])
      // PostgREST's shape converts numbers and booleans to their texts.
      const created = yield* ask("POST", "/rest/v1/paymentTerm?select=tags", {
        body: { ...term, tags: [1, true, "a"] },
        headers: { prefer: "return=representation" }
      })
      assert.deepStrictEqual(created.rows, [{ tags: ["1", "true", "a"] }])
      assert.deepStrictEqual((yield* ask("GET", "/rest/paymentTerm?tags=cs.{1}&select=tags")).rows, created.rows)
      assert.deepStrictEqual((yield* ask("GET", "/rest/paymentTerm?tags=cs.[1]")).verdict, [400, "22P02"])
      const { items } = yield* described
      assert.deepStrictEqual(items, [{ type: "string" }, { type: "string" }])
    })
  )
}
