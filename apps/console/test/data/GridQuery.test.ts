import { assert, describe, it } from "vitest"
import { Query } from "@mfgdata/domain"
import * as Either from "effect/Either"
import * as Catalogue from "../../src/service/Catalogue.ts"
import * as GridQuery from "../../src/views/data/query/GridQuery.ts"

const { read, toText } = GridQuery
const resourceOf = (name: string) => Catalogue.find(name) ?? assert.fail()
const [JournalLine, NonConformance, WarehouseTransfer] = [
  resourceOf("journalLine"),
  resourceOf("nonConformance"),
  resourceOf("warehouseTransfer")
]

const texts = [
  "",
  "status=eq.Draft&transferDate=gte.2026-01-01&select=transferId,status&order=transferDate.desc,id.asc&limit=50",
  "status=in.(Draft,%22To+Ship%22)&notes=is.null&reference=not.is.null",
  "notes=ilike.*crate*&reference=ilike.C%25&tags=cs.{a,b}&customFields=cs.{%22a%22:1}",
  "or=(status.eq.Draft,notes.is.null)&customFields-%3Ea=eq.1&order=customFields-%3Ea.asc",
  "select=id,lines:warehouseTransferLine(quantity)&lines.quantity=gt.3&offset=10",
  "notes=eq.a&notes=neq.b&unknown=eq.1&limit=nonsense"
]

describe("the query of a grid", () => {
  it("is read from its text and printed with the same meaning", () => {
    const meaning = (text: string) =>
      Either.mapBoth(Query.parse(Query.parameters(text)), { onLeft: String, onRight: (query) => JSON.stringify(query) })
    for (const text of texts) {
      const again = toText(WarehouseTransfer, read(WarehouseTransfer, text))
      assert.deepStrictEqual(meaning(again), meaning(text), text)
      assert.strictEqual(toText(WarehouseTransfer, read(WarehouseTransfer, again)), again)
    }
  })

  it("has a typed input for each condition that the inputs can express, and keeps the others as text", () => {
    const { terms } = read(WarehouseTransfer, `${texts[3]}&${texts[4]}`)
    assert.deepStrictEqual(
      terms.map((term) => (term._tag === "Condition" ? [term.column, term.operator, term.operand] : term._tag)),
      [
        ["notes", "contains", "crate"],
        ["reference", "ilike", "C%"],
        ["tags", "cs", "{a,b}"],
        ["customFields", "cs", '{"a":1}'],
        "Text",
        "Text",
        "Text"
      ]
    )
  })

  it("offers the operators of the type of a column", () => {
    const operators = (name: string) => {
      const column = Catalogue.columnOf(NonConformance, name)
      return column === undefined ? assert.fail() : GridQuery.operatorsOf(column)
    }
    assert.include(operators("name"), "contains")
    assert.notInclude(operators("name"), "null")
    assert.notInclude(operators("quantity"), "contains")
    assert.deepStrictEqual(operators("priority"), ["eq", "neq", "in", "null", "set"])
    assert.deepStrictEqual(operators("tags"), ["cs", "ov", "null", "set"])
    // An operator of another type is a term of text.
    assert.strictEqual(read(NonConformance, "quantity=ilike.1*").terms[0]?._tag, "Text")
  })

  it("finds what was typed, with the signs of patterns", () => {
    for (const operand of ["50%", "a_b", "back\\slash", "x.y,z(", "müsli ?&=+"]) {
      const query = {
        ...GridQuery.empty,
        terms: [{ _tag: "Condition", column: "notes", operator: "contains", operand }] as const
      }
      assert.deepStrictEqual(read(WarehouseTransfer, toText(WarehouseTransfer, query)), query)
    }
  })

  it("searches all columns of text, and reads the search back", () => {
    const query = GridQuery.withSearch(GridQuery.empty, 'north, "gate 4"')
    const text = toText(WarehouseTransfer, query)
    const parsed = Either.getOrThrow(Query.parse(Query.parameters(text)))
    assert.isTrue(
      parsed.where[0]?._tag === "Or" &&
        parsed.where[0].filters.every((filter) => filter._tag === "Search" && filter.value === 'north, "gate 4"')
    )
    assert.deepStrictEqual(read(WarehouseTransfer, text), query)
    assert.strictEqual(GridQuery.searchOf(read(WarehouseTransfer, text)), 'north, "gate 4"')
    assert.deepStrictEqual(GridQuery.withSearch(query, " ").terms, [])
    assert.notInclude(GridQuery.searched(WarehouseTransfer), "fromLocationId")
  })

  it("leaves out a condition whose value is not typed yet", () => {
    const query = read(NonConformance, "quantity=eq.&name=eq.&name=ilike.**&priority=eq.&dueDate=is.null&quantity=gt.1")
    assert.strictEqual(
      toText(NonConformance, GridQuery.finished(NonConformance, query)),
      "name=eq.&dueDate=is.null&quantity=gt.1"
    )
  })

  it("orders by a column: ascending, descending, not at all; further columns follow", () => {
    let query = GridQuery.withNextOrder(read(JournalLine, "order=id->x.asc"), "amount", false)
    assert.strictEqual(toText(JournalLine, query), "order=amount.asc")
    query = GridQuery.withNextOrder(query, "amount", false)
    query = GridQuery.withNextOrder(query, "createdAt", true)
    assert.strictEqual(toText(JournalLine, query), "order=amount.desc,createdAt.asc")
    assert.strictEqual(toText(JournalLine, GridQuery.withNextOrder(query, "amount", true)), "order=createdAt.asc")
  })
})
