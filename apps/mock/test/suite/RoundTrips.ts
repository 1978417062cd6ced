/** Tests that values are returned as they were sent. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Resource from "@mfgdata/domain/Resource"
import { assert, type Vitest } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const step = (values: JsonObject): JsonObject => ({ jobOperationStepId: "step", index: 1, companyId, ...values })

const steps = "/rest/jobOperationStepRecord"

/** The edges of doubles, and doubles of any size. */
const numbers: ReadonlyArray<number> = [
  0,
  0.1,
  1 / 3,
  1e21,
  1e-7,
  123456789.12345679,
  2 ** 53,
  2 ** 63,
  -(2 ** 31),
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  Number.EPSILON,
  Number.MAX_SAFE_INTEGER,
  ...fc
    .sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 10_000, seed: 7 })
    // JSON has no negative zero.
    .map((number) => number + 0)
]

const chunks = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<Array<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

const texts: ReadonlyArray<string> = [
  "",
  " ",
  "null",
  "NULL",
  "\u0001\u001f\u007f\u0080",
  "\\ \" ' ` / \b\f\n\r\t",
  "👩🏽‍🔧 🇩🇪 😀",
  "e\u0301 é ﬀ İ ß",
  "\u202eright to left\u202c \u2028\u2029\ufeff\uffff",
  "\u{10ffff}",
  'Robert\'); DROP TABLE "holiday";--',
  "' OR '1'='1",
  '{"a":1}',
  "{a,b}",
  "%_*?[a]",
  "$1 ? :a @b",
  "__proto__"
]

const days = ["0001-01-01", "0004-02-29", "1582-10-10", "1900-02-28", "2000-02-29", "9999-12-31"]

/** A body that a generator made, of the caller's company. */
const settled = (made: object): JsonObject =>
  Object.fromEntries(
    Object.entries(made).map(([name, value]): [string, Json] =>
      // The schema that made it returns JSON.
      [name, name === "companyId" && value !== null ? companyId : (value as Json)]
    )
  )

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("finds objects and arrays by value", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const transfer = (transferId: string, customFields: Json, tags: Json) =>
        done("POST", "/rest/warehouseTransfer", {
          body: {
            ...Sample.body(Catalogue.byName.warehouseTransfer, 1, { companyId, parents: new Map() }),
            transferId,
            customFields,
            tags
          }
        })
      yield* transfer("1", { a: 1, b: [{ c: "x" }, 2.5] }, ["a", "b c"])
      yield* transfer("2", { b: [2.5, { c: "x" }], a: 1 }, ["b c", "a"])
      yield* transfer("3", null, null)
      const find = (filter: readonly [column: string, condition: string]) => {
        const search = new URLSearchParams([["select", "transferId"], ["order", "transferId"], [...filter]])
        return Effect.map(done("GET", `/rest/warehouseTransfer?${search}`), ({ rows }) =>
          rows.map(({ transferId }) => transferId).join()
        )
      }
      const object = '{"b":[{"c":"x"},2.50],"a":1.0}'
      for (const [column, condition, expected] of [
        ["customFields", `eq.${object}`, "1"],
        ["customFields", `neq.${object}`, "2"],
        ["customFields", `not.eq.${object}`, "2"],
        ["customFields", `isdistinct.${object}`, "2,3"],
        ["customFields", `in.("{}","${object.replaceAll('"', '\\"')}")`, "1"],
        ["customFields", "eq.5", ""],
        ["tags", 'eq.{a,"b c"}', "1"],
        ["tags", 'neq.{a,"b c"}', "2"],
        ["tags", 'isdistinct.{a,"b c"}', "2,3"],
        ["tags", 'in.("{}","{b c,a}")', "2"]
      ] as const) {
        assert.strictEqual(yield* find([column, condition]), expected, `${column}=${condition}`)
      }
      const ordered = yield* ask("GET", "/rest/warehouseTransfer?tags=gt.{a}")
      assert.deepStrictEqual(ordered.verdict, [404, "42883"])
    })
  )

  for (const resource of Catalogue.resources) {
    it.effect(`${resource.resource}: 'every writable field is returned with its stored value'`, () =>
      Effect.gen(function* () {
        const { done } = yield* Service.Service
        yield* Sample.clear("operator")
        const path = `/rest/${resource.resource}`
        const arbitrary = Arbitrary.make(Resource.createSchema(resource))
        const cleared = Column.fromResource(resource).map(({ name }) => [name, null])
        for (const [index, made] of fc.sample(arbitrary, { numRuns: 40, seed: 11 }).entries()) {
          const body = settled(made)
          const own = resource.key in body ? { [resource.key]: `${index} ü` } : {}
          const created = yield* done("POST", path, { body: { ...body, ...own } })
          const { companyId: company, ...given } = { ...Object.fromEntries(cleared), ...body, ...own }
          const writable = Object.entries(given).filter(([name]) => name in resource.writes)
          for (const [name, value] of writable) {
            if (value === null && resource.rules.defaults[name] !== undefined && !(name in body)) continue
            assert.deepStrictEqual(created.row[name], value, name)
          }
          assert.isTrue(company === null || !("companyId" in resource.writes) || created.row["companyId"] === companyId)
          const found = yield* done("GET", Sample.address(resource, created.row))
          assert.strictEqual(found.text, created.text)
        }
      })
    )
  }

  it.effect("keeps 10 000 doubles", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      for (const chunk of chunks(numbers, 1000)) {
        const body = chunk.map((numericValue) => step({ numericValue, index: numericValue }))
        const { rows } = yield* done("POST", `${steps}?select=id,numericValue,index`, { body })
        const values = (name: string) => rows.map((row) => Number(row[name]))
        assert.deepStrictEqual([values("numericValue"), values("index")], [chunk, chunk])
        for (const [place, row] of rows.entries()) {
          // Every double is found by its own text; a tenth is enough for single requests.
          if (place % 10 !== 0) continue
          const search = `numericValue=eq.${encodeURIComponent(String(row["numericValue"]))}&select=numericValue`
          const found = yield* done("GET", `${steps}?${search}&id=eq.${String(row["id"])}`)
          assert.deepStrictEqual(found.rows, [{ numericValue: row["numericValue"] ?? null }])
        }
      }
      const read: Array<unknown> = []
      for (let offset = 0; offset < numbers.length; offset += 1000) {
        const { rows } = yield* done("GET", `${steps}?select=numericValue&order=numericValue&offset=${offset}`)
        read.push(...rows.map(({ numericValue }) => numericValue))
      }
      assert.deepStrictEqual(
        read,
        numbers.toSorted((a, b) => a - b)
      )
    })
  )

  it.effect("keeps days at the edges of the calendar, and refuses days that do not exist", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      for (const date of days) {
        const { row } = yield* done("POST", "/rest/holiday", { body: { name: "Day", date, companyId } })
        assert.deepStrictEqual([row["date"], row["year"]], [date, null])
        assert.lengthOf((yield* done("GET", `/rest/holiday?date=eq.${date}`)).rows, 1)
      }
      const { rows } = yield* done("GET", "/rest/holiday?order=date&select=date")
      assert.deepStrictEqual(
        rows.map(({ date }) => date),
        days
      )
      for (const date of ["2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "0000-01-01"]) {
        const reply = yield* ask("POST", "/rest/holiday", { body: { name: "Day", date, companyId } })
        assert.deepStrictEqual(reply.verdict, [400, "22008"], date)
        assert.include(reply.text, `\\"date\\"`)
      }
      for (const date of ["2026-1-1", "10000-01-01", "today", "2026-01-01T00:00:00Z", ""]) {
        const reply = yield* ask("POST", "/rest/holiday", { body: { name: "Day", date, companyId } })
        assert.oneOf(reply.verdict[1], ["22007", "22008"], date)
      }
    })
  )

  it.effect("keeps texts: quotes, control characters, emoji, SQL, and 1 MB of them", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      const large = ["a", "é", "😀", '"\\'].map((text) => text.repeat(1_000_000 / text.length))
      for (const value of [...texts, ...large]) {
        const created = yield* done("POST", steps, { body: step({ value }) })
        assert.isTrue(created.row["value"] === value, value.slice(0, 50))
        const changed = yield* done("PATCH", Sample.address(Catalogue.byName.jobOperationStepRecord, created.row), {
          body: { value: `${value}.`, userValue: value.slice(0, 10) || null }
        })
        assert.isTrue(changed.row["value"] === `${value}.`, value.slice(0, 50))
        if (value.length > 1000) continue
        const search = `value=eq.${encodeURIComponent(`${value}.`)}&select=value`
        assert.deepStrictEqual((yield* done("GET", `${steps}?${search}`)).rows, [{ value: `${value}.` }])
        const quoted = `"${`${value}.`.replaceAll(/["\\]/g, "\\$&")}"`
        assert.lengthOf((yield* done("GET", `${steps}?value=in.(${encodeURIComponent(quoted)})`)).rows, 1)
      }
    })
  )

  it.effect("keeps the members of objects, their order and every value", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      const object = JSON.parse(
        '{"z":1,"a":{"":[null,true,1e300,-0.5,"\u{1f600}",[],{}]},"__proto__":{"x":1},"constructor":"y","1":2}'
      )
      const body = { name: "Action", active: true, customFields: object }
      const created = yield* done("POST", "/rest/changeOrderRequiredAction", { body })
      const text = JSON.stringify(object)
      assert.include(created.text, `"customFields":${text}`)
      const address = Sample.address(Catalogue.byName.changeOrderRequiredAction, created.row)
      assert.include((yield* done("PATCH", address, { body: { name: "Other" } })).text, `"customFields":${text}`)
      assert.strictEqual((yield* done("GET", `${address}&select=customFields`)).text, `{"customFields":${text}}`)
    })
  )
}
