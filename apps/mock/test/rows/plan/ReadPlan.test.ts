import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { Read } from "../../../src/rows/plan/RowPlan.ts"
import { type Asking, companyId, outcome, plan, userId } from "./plan.ts"

const read = (target: string, asking?: Asking): Read => {
  const planned = Either.getOrThrow(plan("GET", target, asking))
  if (planned._tag !== "Read") throw new Error(`a plan to ${planned._tag}`)
  return planned
}

const refusal = (target: string, asking?: Asking) => outcome(Either.flip(plan("GET", target, asking)))

const range = (range: string): Asking => ({ headers: { range } })

const pages: ReadonlyArray<readonly [target: string, asking: Asking, limit: number, offset: number]> = [
  ["holiday", {}, 1000, 0],
  ["holiday?limit=10", {}, 10, 0],
  ["holiday?limit=5000&offset=3", {}, 5000, 3],
  ["holiday?limit=20000", {}, 10_000, 0],
  ["holiday?limit=", {}, 1000, 0],
  ["holiday", range("0-4999"), 5000, 0],
  ["holiday?limit=0", {}, 0, 0],
  ["holiday?offset=7", {}, 1000, 7],
  ["holiday", range("0-9"), 10, 0],
  ["holiday", range("5-"), 1000, 5],
  ["holiday?limit=3&offset=2", range("0-9"), 3, 2],
  ["holiday?offset=2", range("0-9"), 8, 2],
  ["holiday?limit=100", range("5-9"), 5, 5],
  ["holiday?limit=0", range("5-9"), 0, 5],
  ["holiday?offset=9007199254740991&limit=9007199254740991", {}, 10_000, Number.MAX_SAFE_INTEGER]
]

const orders: ReadonlyArray<readonly [order: string, terms: ReadonlyArray<string>]> = [
  ["name", ["name asc last"]],
  ["name.desc", ["name desc first"]],
  ["name.nullsfirst,year.desc.nullslast", ["name asc first", "year desc last"]],
  ["customFields->>a.desc", ["customFields->>a desc first"]]
]

const selections: ReadonlyArray<readonly [select: string, fields: ReadonlyArray<string> | undefined]> = [
  ["", undefined],
  ["*", undefined],
  ["*,*", undefined],
  ["id,name", ["id=id", "name=name"]],
  ["days:year", ["days=year"]],
  ["year::text,when:date::timestamptz", ["year=year::text", "when=date::timestamp"]],
  ["customFields->a->b", ["b=customFields->a->b"]],
  ["customFields->>a", ["a=customFields->>a"]],
  ["tags->0", ["tags=tags->0"]],
  ["customFields->list->-1", ["list=customFields->list->-1"]],
  ["id,id", ["id=id"]],
  ["id,id:name", ["id=name"]]
]

describe("ReadPlan", () => {
  it.each([
    ["warehouseTransferLine()", 0],
    ["warehouseTransferLine!inner()", 1],
    ["warehouseTransferLine(id)", 1],
    ["...warehouseTransferLine()", 0]
  ])("select=id,%s reads %i embeds: one that adds no value and restricts no row is left out", (embed, count) => {
    const { selection } = read(`warehouseTransfer?select=id,${embed}`)
    assert(selection._tag === "Fields")
    assert.lengthOf(selection.embeds, count)
  })

  for (const [target, asking, limit, offset] of pages) {
    it(`${target} ${JSON.stringify(asking)} reads ${limit} rows from ${offset}`, () => {
      const page = read(target, asking)
      assert.deepStrictEqual([page.limit, page.offset], [limit, offset])
    })
  }

  it("refuses empty ranges", () => {
    for (const [target, asked] of [
      ["holiday", "5-2"],
      ["holiday?limit=3", "5-9"],
      ["holiday?offset=10", "0-9"]
    ] as const) {
      assert.deepInclude(refusal(target, range(asked)), { _tag: "RangeInverted" })
    }
  })

  for (const [order, terms] of orders) {
    it(`order=${order} means ${terms.join(", ")}`, () => {
      const planned = read(`holiday?order=${order}`).order.map(
        ({ direction, nulls, target }) =>
          `${target.column.name}${target.json.map(({ arrow, key }) => arrow + key).join("")} ${direction} ${nulls}`
      )
      assert.deepStrictEqual(planned, terms)
    })
  }

  for (const [select, fields] of selections) {
    it(`select=${select} returns ${fields?.join(", ") ?? "whole rows"}`, () => {
      const { selection } = read(`holiday?select=${select}`)
      const planned =
        selection._tag === "Document"
          ? undefined
          : selection.fields.map(
              ({ cast, name, target }) =>
                `${name}=${target.column.name}${target.json.map(({ arrow, key }) => arrow + key).join("")}` +
                (cast === undefined ? "" : `::${cast}`)
            )
      assert.deepStrictEqual(planned, fields)
    })
  }

  it("expands a star to every column, in their order", () => {
    const { selection } = read("webhookTable?select=*,mine:name")
    assert.deepStrictEqual(selection._tag === "Fields" && selection.fields.map(({ name }) => name), [
      "table",
      "module",
      "name",
      "mine"
    ])
  })

  it("compares an embed only with null", () => {
    const embed = "warehouseTransfer?select=id,lines:warehouseTransferLine(id)"
    const conditions = (filter: string) => read(`${embed}&${filter}`).where.map(({ _tag }) => _tag)
    assert.deepStrictEqual(conditions("lines=not.is.null"), ["Not"])
    assert.deepStrictEqual(conditions("lines=is.not_null"), ["Exists"])
    for (const filter of ["lines=is.true", "lines=is.unknown", "lines=eq.null"]) {
      assert.deepInclude(refusal(`${embed}&${filter}`), { _tag: "EmbedCompared", name: "lines" })
    }
    assert.deepInclude(refusal(`${embed}&lines->a=is.null`), { _tag: "ColumnUnknown", column: "lines" })
  })

  it("refuses columns that the resource does not have", () => {
    assert.deepInclude(refusal("holiday?select=foo"), { _tag: "ColumnUnknown", column: "foo" })
    assert.deepInclude(refusal("holiday?order=foo"), { _tag: "ColumnUnknown", column: "foo" })
    assert.deepInclude(refusal("holiday?foo=eq.1"), { _tag: "ColumnUnknown", column: "foo" })
    assert.deepInclude(refusal("holiday?select=name->a"), { _tag: "OperatorMismatch" })
    assert.deepInclude(refusal("holiday?select=name::money"), { _tag: "TypeUnknown", type: "money" })
    assert.deepInclude(refusal("holiday?select=name::constructor"), { _tag: "TypeUnknown" })
    assert.deepInclude(refusal("holiday?select=name,count()"), { _tag: "AggregatesOff" })
    assert.deepInclude(refusal("holiday?select=year.sum()"), { _tag: "AggregatesOff" })
    assert.deepInclude(refusal("holiday?select=id,line(*)"), {
      _tag: "RelationshipUnknown",
      from: "holiday",
      to: "line"
    })
  })

  it("suggests a name for the first unknown column alone", () => {
    const millis = (name: string): number => {
      const names = Array.from({ length: 600 }, (_, index) => `a${index}:${name}`)
      const times = Array.from({ length: 20 }, () => {
        const start = performance.now()
        plan("GET", `warehouseTransferLine?select=${names.join(",")}`)
        return performance.now() - start
      })
      return Math.min(...times)
    }
    // To compare all names takes ten times as long as to plan columns that exist.
    assert.isBelow(millis("quantitx"), 3 * millis("quantity"))
  })

  it("reads the caller's rows, and counts on request", () => {
    const planned = read("holiday", { headers: { prefer: "count=planned" } })
    assert.deepInclude(planned.owner, { companyId, userId })
    assert.isTrue(planned.counted)
    assert.isFalse(read("holiday").counted)
  })

  it("requires the scope to read", () => {
    assert.deepStrictEqual(refusal("holiday", { scopes: ["holiday:create", "kanban:*"] }), {
      _tag: "ScopeMissing",
      resource: "holiday",
      action: "read"
    })
    for (const scope of ["*", "holiday:read", "holiday:*", "*:read"] as const) {
      assert.isTrue(Either.isRight(plan("GET", "holiday", { scopes: [scope] })))
    }
  })
})
