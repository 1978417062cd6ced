import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import { Holiday } from "@mfgdata/domain/resources/Holiday"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, it } from "@effect/vitest"
import * as PostgresDialect from "../../../src/sql/postgres/PostgresDialect.ts"
import type { Owner } from "../../../src/sql/Owner.ts"
import type { Condition } from "../../../src/sql/read/Condition.ts"
import type { OrderTerm } from "../../../src/sql/read/Order.ts"
import * as SelectStatement from "../../../src/sql/read/SelectStatement.ts"
import { at, dialect, ownedBy, owner, stranger, whole } from "../memory.ts"

const operators = ["eq", "neq", "gt", "gte", "lt", "lte", "isdistinct"] as const

const page = { selection: whole, limit: 7, offset: 3, counted: false }

const values: { readonly [T in Column.Type]: Json } = {
  text: "a",
  number: 1.5,
  boolean: true,
  date: "2026-01-02",
  timestamp: "2026-01-02T03:04:05.000006Z",
  object: { a: 1 },
  array: ["a"]
}

/** Comparisons with every column of a row, each with another operator. */
const comparisons = (resource: Resource.Any, turn: number): ReadonlyArray<Condition> =>
  Column.fromResource(resource).map(({ name, type }, index) => ({
    _tag: "Compare",
    target: at(resource, name),
    operator: operators[(index + turn) % operators.length] ?? "eq",
    value: values[type]
  }))

const terms = (resource: Resource.Any): ReadonlyArray<OrderTerm> =>
  Column.fromResource(resource).map(({ name }, index) => ({
    target: at(resource, name),
    through: undefined,
    direction: index % 2 === 0 ? "asc" : "desc",
    nulls: index % 3 === 0 ? "first" : "last"
  }))

describe("PlainStatement", () => {
  for (const each of [dialect, PostgresDialect.dialect]) {
    it(`makes the statements of ${each.name} that compiling makes`, () => {
      for (const resource of Catalogue.resources) {
        for (let turn = 0; turn < operators.length; turn++) {
          const orders = terms(resource)
          comparisons(resource, turn).forEach((condition, index) => {
            const order = orders.slice(index, index + 1)
            const where = [condition]
            const made = (given: Resource.Any, of: Owner, limit: number) => [
              SelectStatement.page(each, { ...page, limit, owned: ownedBy(of, given), where, order }),
              SelectStatement.countUpTo(each, { owned: ownedBy(of, given), where }, limit)
            ]
            made(resource, stranger, 9)
            // A text is kept for a resource, and one that inherits from it has none.
            assert.deepStrictEqual(made(resource, owner, 4), made(Object.create(resource), owner, 4))
          })
        }
      }
    })
  }

  it("has one text for all values, and another for other operators, columns and orders", () => {
    const owned = ownedBy(owner, Holiday)
    const text = (where: ReadonlyArray<Condition>, order: ReadonlyArray<OrderTerm> = []) =>
      SelectStatement.page(dialect, { ...page, owned, where, order }).text
    const compared = (operator: "eq" | "gt", name: string, value: Json): Condition => ({
      _tag: "Compare",
      target: at(Holiday, name),
      operator,
      value
    })
    assert.strictEqual(text([compared("eq", "name", "a")]), text([compared("eq", "name", "b")]))
    const [first, second] = terms(Holiday)
    if (first === undefined || second === undefined) throw new RangeError("a holiday has columns")
    const texts = [
      text([]),
      text([compared("eq", "name", "a")]),
      text([compared("gt", "name", "a")]),
      text([compared("eq", "date", "2026-01-01")]),
      text([compared("eq", "name", "a"), compared("eq", "date", "2026-01-01")]),
      text([], [first]),
      text([], [second]),
      text([], [{ ...first, direction: "desc" }])
    ]
    assert.strictEqual(new Set(texts).size, texts.length)
  })

  it("compiles more shapes than it keeps", () => {
    const owned = ownedBy(owner, Catalogue.byName.inboundInspection)
    const names = Column.fromResource(owned.resource).map(({ name }) => name)
    for (let index = 0; index < 400; index++) {
      const where = [0, 1].map((place): Condition => {
        const name = names[(place === 0 ? index : Math.floor(index / names.length)) % names.length] ?? "id"
        return { _tag: "Compare", target: at(owned.resource, name), operator: "eq", value: "2026-01-01T00:00:00Z" }
      })
      const { parameters, text } = SelectStatement.page(dialect, { ...page, owned, where, order: [] })
      assert.strictEqual(text.split("?").length - 1, parameters.length)
    }
  })
})
