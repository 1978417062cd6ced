import { Holiday } from "@mfgdata/domain/resources/Holiday"
import { JournalLine } from "@mfgdata/domain/resources/JournalLine"
import { OauthClient } from "@mfgdata/domain/resources/OauthClient"
import { SalesOrderFavorite } from "@mfgdata/domain/resources/SalesOrderFavorite"
import { WarehouseTransferLine } from "@mfgdata/domain/resources/WarehouseTransferLine"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Condition } from "../../../src/sql/read/Condition.ts"
import * as SelectStatement from "../../../src/sql/read/SelectStatement.ts"
import type { Selection } from "../../../src/sql/read/Selection.ts"
import { at, dialect, open, ownedBy, owner, rowOf, stranger, whole } from "../memory.ts"
import * as oracle from "../oracle.ts"
import * as random from "../random.ts"

const page = (resource: Resource.Any, options: Partial<SelectStatement.Page> = {}) =>
  SelectStatement.page(dialect, {
    owned: ownedBy(owner, resource),
    selection: whole,
    where: [],
    order: [],
    limit: undefined,
    offset: 0,
    counted: false,
    ...options
  })

const byKey = (resource: Resource.Any, value: string): Condition => ({
  _tag: "Compare",
  target: at(resource, resource.key),
  operator: "eq",
  value
})

describe("SelectStatement", () => {
  it("finds and orders the same rows as plain JavaScript", () => {
    const memory = open()
    const cases = random.resource.chain((resource) =>
      fc.record({
        resource: fc.constant(resource),
        rows: random.rows(resource),
        others: random.rows(resource),
        where: fc.array(random.condition(resource), { maxLength: 2 }),
        order: random.order(resource),
        offset: fc.constantFrom(0, 1, 3),
        limit: fc.constantFrom(undefined, 0, 2, 5)
      })
    )
    fc.assert(
      fc.property(cases, ({ limit, offset, order, others, resource, rows, where }) => {
        memory.clear()
        memory.insert(resource, rows)
        memory.insert(resource, others, stranger)
        const passing = rows
          .filter((row) => where.every((condition) => oracle.judge(row, condition) === true))
          .toSorted(oracle.compare(order, resource.key))
        const expected = passing.slice(offset, limit === undefined ? undefined : offset + limit)
        const [row] = memory.execute(page(resource, { where, order, limit, offset, counted: true }))
        assert.deepStrictEqual(row, [JSON.stringify(expected), expected.length, passing.length])
        const owned = ownedBy(owner, resource)
        assert.deepStrictEqual(memory.execute(SelectStatement.count(dialect, { owned, where })), [[passing.length]])
      }),
      { numRuns: 500 }
    )
  })

  it("orders by the order of creation without terms, and by the key by code points after the terms", () => {
    const memory = open()
    const keys = ["b", "a", "B", "é", "ﬀ", "😀", "a1", "a10", "a2"]
    memory.insert(
      Holiday,
      keys.map((id) => rowOf(Holiday, { id }))
    )
    const listed = (order: SelectStatement.Page["order"]) => memory.list(Holiday, { order }).map(({ id }) => id)
    assert.deepStrictEqual(listed([]), keys)
    const name = { target: at(Holiday, "name"), through: undefined, direction: "desc", nulls: "first" } as const
    assert.deepStrictEqual(listed([name]), ["B", "a", "a1", "a10", "a2", "b", "é", "ﬀ", "😀"])
  })

  it("returns one row for a page, with a total on request", () => {
    const memory = open()
    assert.deepStrictEqual(memory.execute(page(Holiday)), [["[]", 0, null]])
    memory.insert(
      Holiday,
      ["1", "2", "3"].map((id) => rowOf(Holiday, { id }))
    )
    const selection: Selection = {
      _tag: "Fields",
      fields: [{ name: "key", target: at(Holiday, "id"), cast: undefined }],
      embeds: []
    }
    assert.deepStrictEqual(memory.execute(page(Holiday, { selection, limit: 2, offset: 1, counted: true })), [
      ['[{"key":"2"},{"key":"3"}]', 2, 3]
    ])
    assert.deepStrictEqual(memory.execute(page(Holiday, { limit: 0, counted: true })), [["[]", 0, 3]])
    assert.deepStrictEqual(memory.execute(page(Holiday, { offset: 1e300 })), [["[]", 0, null]])
  })

  it("returns the document and the revision of the row with a key", () => {
    const memory = open()
    const row = rowOf(Holiday, { id: "new year", name: "New Year" })
    memory.insert(Holiday, [row, rowOf(Holiday, { id: "other" })])
    const one = (key: string, by = owner) =>
      memory.execute(
        SelectStatement.one(dialect, { owned: ownedBy(by, Holiday), selection: whole, where: [byKey(Holiday, key)] })
      )
    assert.deepStrictEqual(one("new year"), [[JSON.stringify(row), 1]])
    assert.deepStrictEqual(one("none"), [])
    assert.deepStrictEqual(one("new year", stranger), [])
  })

  it("returns a user's own rows to that user only", () => {
    const memory = open()
    const colleague = { ...owner, userId: "bob" }
    memory.insert(SalesOrderFavorite, [rowOf(SalesOrderFavorite, { salesOrderId: "1", userId: "ann" })])
    memory.insert(SalesOrderFavorite, [rowOf(SalesOrderFavorite, { salesOrderId: "1", userId: "bob" })], colleague)
    assert.deepStrictEqual(
      memory.list(SalesOrderFavorite, { owner: colleague }).map(({ userId }) => userId),
      ["bob"]
    )
    assert.deepStrictEqual(memory.list(SalesOrderFavorite, { owner: stranger }), [])
  })

  it("keeps doubles exact in responses, comparisons, lists and orders", () => {
    const memory = open()
    const doubles = fc.sample(
      fc.uniqueArray(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        {
          minLength: 2000,
          maxLength: 2000
        }
      ),
      { numRuns: 1, seed: 7 }
    )[0]
    assert(doubles !== undefined)
    const target = at(JournalLine, "amount")
    const rows = doubles.map((amount, index) => rowOf(JournalLine, { id: String(index).padStart(4, "0"), amount }))
    memory.insert(JournalLine, rows)
    assert.deepStrictEqual(memory.list(JournalLine), rows)
    const order = [{ target, through: undefined, direction: "asc", nulls: "last" } as const]
    assert.deepStrictEqual(
      memory.list(JournalLine, { order }).map(({ amount }) => amount),
      doubles.toSorted((one, other) => one - other)
    )
    for (const [index, value] of doubles.slice(0, 300).entries()) {
      const key = String(index).padStart(4, "0")
      assert.deepStrictEqual(memory.find(JournalLine, { _tag: "Compare", target, operator: "eq", value }), [key])
    }
    assert.strictEqual(memory.find(JournalLine, { _tag: "OneOf", target, values: doubles }).length, doubles.length)
  })

  it("orders timestamps by microseconds, which their text and a double would not", () => {
    const memory = open()
    const moments = [
      "9999-12-31T23:59:59Z",
      "9999-12-31T23:59:59.000001Z",
      "9999-12-31T23:59:59.000002Z",
      "9999-12-31T23:59:59.001Z"
    ]
    memory.insert(
      Holiday,
      moments.map((createdAt, index) => rowOf(Holiday, { id: String(9 - index), createdAt }))
    )
    const target = at(Holiday, "createdAt")
    const order = [{ target, through: undefined, direction: "asc", nulls: "last" } as const]
    assert.deepStrictEqual(
      memory.list(Holiday, { order }).map(({ createdAt }) => createdAt),
      moments
    )
    const compare = (operator: "gt" | "eq", value = "9999-12-31T23:59:59.000001Z") =>
      memory.find(Holiday, { _tag: "Compare", target, operator, value })
    assert.deepStrictEqual(compare("gt"), ["7", "6"])
    assert.deepStrictEqual(compare("eq"), ["8"])
    assert.deepStrictEqual(memory.find(Holiday, { _tag: "OneOf", target, values: moments.slice(1, 3) }), ["8", "7"])
  })

  it("finds a key without a scan, and lists without a sort", () => {
    const memory = open()
    const plan = (statement: ReturnType<typeof page>) =>
      memory
        .execute({ ...statement, isSingle: false, text: `EXPLAIN QUERY PLAN ${statement.text}` })
        .map(([, , , detail]) => String(detail))
        .join("\n")
    const where = [byKey(Holiday, "1")]
    const one = plan(SelectStatement.one(dialect, { owned: ownedBy(owner, Holiday), selection: whole, where }))
    assert.strictEqual(one, "SEARCH holiday USING INDEX sqlite_autoindex_holiday_1 (_tenant=? AND id=?)")
    const many = plan(page(Holiday, { limit: 100 }))
    assert.include(many, "SEARCH holiday USING INDEX holiday_sequence (_tenant=?)")
    assert.notInclude(many, "TEMP B-TREE")
    const target = at(WarehouseTransferLine, "transferId")
    const referring = plan(
      page(WarehouseTransferLine, { where: [{ _tag: "Compare", target, operator: "eq", value: "1" }] })
    )
    assert.include(referring, "(_tenant=? AND transferId=?)")
    assert.notInclude(referring, "TEMP B-TREE")
  })

  it("has one text for lists of any length, values of any kind and pages of any size", () => {
    const text = (values: ReadonlyArray<string>, limit: number, key: string, name: string) =>
      page(OauthClient, {
        where: [
          { _tag: "OneOf", target: at(OauthClient, "name"), values },
          { _tag: "Overlaps", target: at(OauthClient, "redirectUris"), value: values },
          { _tag: "Compare", target: at(OauthClient, "grantTypes", [key]), operator: "gt", value: name }
        ],
        selection: { _tag: "Fields", fields: [{ name, target: at(OauthClient, "id"), cast: undefined }], embeds: [] },
        limit
      }).text
    assert.strictEqual(text([], 1, "a", "b"), text(["1", "2", "'; DROP TABLE x; --"], 1000, "c'd", '"e?'))
  })
})
