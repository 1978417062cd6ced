import { JobOperationStepRecord } from "@mfgdata/domain/resources/JobOperationStepRecord"
import { WarehouseTransfer } from "@mfgdata/domain/resources/WarehouseTransfer"
import type { Json } from "@mfgdata/domain/Json"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { Condition, Value } from "../../../src/sql/read/Condition.ts"
import * as Mutation from "../../../src/sql/write/Mutation.ts"
import * as Pattern from "../../../src/sql/text/Pattern.ts"
import * as SelectStatement from "../../../src/sql/read/SelectStatement.ts"
import { at, dialect, open, ownedBy, owner, rowOf, whole } from "../memory.ts"

const Transfer = WarehouseTransfer
const Record = JobOperationStepRecord

const compare = (
  operator: Extract<Condition, { readonly _tag: "Compare" }>["operator"],
  target: ReturnType<typeof at>,
  value: Value
): Condition => ({ _tag: "Compare", target, operator, value })

const not = (condition: Condition): Condition => ({ _tag: "Not", condition })
const and = (...conditions: ReadonlyArray<Condition>): Condition => ({ _tag: "And", conditions })
const or = (...conditions: ReadonlyArray<Condition>): Condition => ({ _tag: "Or", conditions })

describe("Filter", () => {
  const memory = open()
  memory.insert(Transfer, [
    rowOf(Transfer, {
      id: "1",
      notes: "Bolt",
      transferDate: "2026-01-01",
      tags: ["a", "b"],
      customFields: { n: 5, s: "x", list: [1, 2, 3], deep: { "e.f": true }, nothing: null }
    }),
    rowOf(Transfer, {
      id: "2",
      notes: "bolt%",
      transferDate: "2026-01-02",
      tags: [],
      customFields: { n: "5", list: [] }
    }),
    rowOf(Transfer, { id: "3", notes: "", customFields: { n: 10, s: null } }),
    rowOf(Transfer, { id: "4" })
  ])
  memory.insert(Record, [
    rowOf(Record, { id: "true", booleanValue: true, numericValue: 0.1 }),
    rowOf(Record, { id: "false", booleanValue: false, numericValue: -1 }),
    rowOf(Record, { id: "null" })
  ])

  const notes = at(Transfer, "notes")
  const date = at(Transfer, "transferDate")
  const field = (...keys: ReadonlyArray<string | number>) => at(Transfer, "customFields", keys)
  const text = (...keys: ReadonlyArray<string | number>) => at(Transfer, "customFields", keys, true)
  const match = (expression: string): Condition => ({
    _tag: "Match",
    target: notes,
    foldCase: true,
    pattern: Either.getOrThrow(Pattern.parse(expression))
  })

  it("matches a row if a condition is true, not if it is null", () => {
    const isNull: Condition = { _tag: "Is", target: notes, value: "null" }
    const table: ReadonlyArray<readonly [Condition, ReadonlyArray<string>]> = [
      [compare("eq", notes, "Bolt"), ["1"]],
      [compare("neq", notes, "Bolt"), ["2", "3"]],
      [not(compare("eq", notes, "Bolt")), ["2", "3"]],
      [compare("isdistinct", notes, "Bolt"), ["2", "3", "4"]],
      [not(compare("isdistinct", notes, "Bolt")), ["1"]],
      [isNull, ["4"]],
      [not(isNull), ["1", "2", "3"]],
      [compare("gte", date, "2026-01-02"), ["2"]],
      [not(compare("gte", date, "2026-01-02")), ["1"]],
      [{ _tag: "OneOf", target: notes, values: ["Bolt", ""] }, ["1", "3"]],
      [not({ _tag: "OneOf", target: notes, values: ["Bolt", ""] }), ["2"]],
      [{ _tag: "OneOf", target: notes, values: [] }, []],
      [not({ _tag: "OneOf", target: notes, values: [] }), ["1", "2", "3", "4"]],
      [{ _tag: "Like", target: notes, foldCase: false, pattern: "Bo%" }, ["1"]],
      [{ _tag: "Like", target: notes, foldCase: true, pattern: "BOLT\\%" }, ["2"]],
      [not({ _tag: "Like", target: notes, foldCase: true, pattern: "bolt%" }), ["3"]],
      [match("^bol.$"), ["1"]],
      [not(match("bolt")), ["3"]],
      [and(), ["1", "2", "3", "4"]],
      [or(), []],
      [not(and()), []],
      [or(compare("eq", notes, "Bolt"), isNull), ["1", "4"]],
      [not(or(compare("eq", notes, "Bolt"), isNull)), ["2", "3"]],
      [not(and(compare("eq", notes, "Bolt"), compare("eq", date, "2026-01-01"))), ["2", "3"]],
      [or(compare("eq", notes, "Bolt"), compare("neq", date, "2026-01-01")), ["1", "2"]]
    ]
    for (const [condition, expected] of table) {
      assert.deepStrictEqual(memory.find(Transfer, condition), expected, JSON.stringify(condition))
    }
  })

  it("distinguishes true, false and unknown", () => {
    const target = at(Record, "booleanValue")
    const is = (value: "true" | "false" | "unknown"): Condition => ({ _tag: "Is", target, value })
    const table: ReadonlyArray<readonly [Condition, ReadonlyArray<string>]> = [
      [is("true"), ["true"]],
      [is("false"), ["false"]],
      [is("unknown"), ["null"]],
      [not(is("true")), ["false", "null"]],
      [compare("eq", target, true), ["true"]],
      [compare("neq", target, true), ["false"]],
      [compare("lt", target, true), ["false"]],
      [{ _tag: "OneOf", target, values: [true, false] }, ["true", "false"]],
      [compare("gt", at(Record, "numericValue"), -1), ["true"]],
      [{ _tag: "OneOf", target: at(Record, "numericValue"), values: [0.1, 7] }, ["true"]]
    ]
    for (const [condition, expected] of table) {
      assert.deepStrictEqual(memory.find(Record, condition), expected, JSON.stringify(condition))
    }
  })

  it("reads paths into JSON as PostgreSQL does", () => {
    const isNull = (target: ReturnType<typeof at>): Condition => ({ _tag: "Is", target, value: "null" })
    const table: ReadonlyArray<readonly [Condition, ReadonlyArray<string>]> = [
      // `->` compares JSON, in which a number is not a text
      [compare("eq", field("n"), 5), ["1"]],
      [compare("eq", field("n"), "5"), ["2"]],
      [compare("gt", field("n"), 5), ["3"]],
      [compare("gt", field("n"), "4"), ["1", "2", "3"]],
      [compare("neq", field("n"), 5), ["2", "3"]],
      [{ _tag: "OneOf", target: field("n"), values: [5, 10] }, ["1", "3"]],
      // `->>` compares texts
      [compare("eq", text("n"), "5"), ["1", "2"]],
      [compare("gt", text("n"), "10"), ["1", "2"]],
      [{ _tag: "Like", target: text("s"), foldCase: false, pattern: "_" }, ["1"]],
      // a null in JSON is a value for `->`, and SQL's null for `->>`
      [isNull(field("s")), ["2", "4"]],
      [isNull(text("s")), ["2", "3", "4"]],
      [isNull(at(Transfer, "customFields")), ["4"]],
      [compare("eq", field("list", 0), 1), ["1"]],
      [compare("eq", field("list", -1), 3), ["1"]],
      [not(isNull(field("list", -4))), []],
      [not(isNull(field("n", 0))), []],
      [compare("eq", field("deep", "e.f"), true), ["1"]],
      [compare("eq", at(Transfer, "tags", [1], true), "b"), ["1"]]
    ]
    for (const [condition, expected] of table) {
      assert.deepStrictEqual(memory.find(Transfer, condition), expected, JSON.stringify(condition))
    }
  })

  it("compares lists", () => {
    const target = at(Transfer, "tags")
    const table: ReadonlyArray<readonly [Condition, ReadonlyArray<string>]> = [
      [{ _tag: "Contains", target, value: ["b"] }, ["1"]],
      [{ _tag: "Contains", target, value: [] }, ["1", "2"]],
      [{ _tag: "ContainedBy", target, value: ["c", "b", "a"] }, ["1", "2"]],
      [not({ _tag: "ContainedBy", target, value: ["a"] }), ["1"]],
      [{ _tag: "Overlaps", target, value: ["z", "a"] }, ["1"]],
      [not({ _tag: "Overlaps", target, value: ["z"] }), ["1", "2"]],
      [{ _tag: "Contains", target: at(Transfer, "customFields"), value: { list: [3] } }, ["1"]],
      [{ _tag: "ContainedBy", target: at(Transfer, "customFields"), value: { n: "5", list: [1], more: 0 } }, ["2"]]
    ]
    for (const [condition, expected] of table) {
      assert.deepStrictEqual(memory.find(Transfer, condition), expected, JSON.stringify(condition))
    }
  })

  it("finds objects and arrays by value, whatever the order of members", () => {
    const equal = open()
    const values: ReadonlyArray<readonly [string, Json]> = [
      ["1", { a: 1, b: { c: [1, "x", null, true], d: 0.1 } }],
      ["2", { b: { d: 0.1, c: [1, "x", null, true] }, a: 1 }],
      ["3", { a: 1, b: { d: 0.1, c: ["x", 1, null, true] } }],
      ["4", { a: 1, b: { d: 0.1, c: [1, "x", null, true] }, e: null }],
      ["5", { a: "1", b: { d: 0.1, c: [1, "x", null, 1] } }],
      ["6", {}],
      ["7", { 'a"."b': 1, "": [[], {}] }],
      ["8", { a: { b: 1 }, "": [{}, []] }],
      ["9", null]
    ]
    equal.insert(
      Transfer,
      values.map(([id, customFields]) => rowOf(Transfer, { id, customFields }))
    )
    const target = at(Transfer, "customFields")
    const others = (...ids: ReadonlyArray<string>) => values.map(([id]) => id).filter((id) => !ids.includes(id))
    for (const [id, value] of values) {
      if (value === null) continue
      const same = id === "1" || id === "2" ? ["1", "2"] : [id]
      const find = (condition: Condition) => equal.find(Transfer, condition)
      assert.deepStrictEqual(find(compare("eq", target, value)), same, `eq ${id}`)
      assert.deepStrictEqual(find(compare("neq", target, value)), others(...same, "9"), `neq ${id}`)
      assert.deepStrictEqual(find(not(compare("eq", target, value))), others(...same, "9"), `not.eq ${id}`)
      assert.deepStrictEqual(find(compare("isdistinct", target, value)), others(...same), `isdistinct ${id}`)
      assert.deepStrictEqual(find({ _tag: "OneOf", target, values: [value, { z: 1 }] }), same, `in ${id}`)
    }
    assert.deepStrictEqual(equal.find(Transfer, { _tag: "OneOf", target, values: [] }), [])
    assert.deepStrictEqual(equal.find(Transfer, compare("eq", target, 5)), [])

    const tags = at(Transfer, "tags")
    assert.deepStrictEqual(memory.find(Transfer, compare("eq", tags, ["a", "b"])), ["1"])
    assert.deepStrictEqual(memory.find(Transfer, compare("eq", tags, ["b", "a"])), [])
    assert.deepStrictEqual(memory.find(Transfer, compare("neq", tags, ["b", "a"])), ["1", "2"])
    assert.deepStrictEqual(memory.find(Transfer, { _tag: "OneOf", target: tags, values: [[], ["b"]] }), ["2"])
  })

  it("compiles the deepest and the widest conditions to SQL that SQLite can parse", () => {
    const heavy: Condition = {
      _tag: "Contains",
      target: at(Transfer, "customFields", ["a", "b"]),
      value: { a: [{ b: [1], c: [2] }] }
    }
    const light = compare("gt", field("n"), 5)
    // Two branches of equal depth at each of 200 conditions, and below that as deep as allowed.
    const deepest = (depth: number, budget: number): Condition => {
      if (depth === 0 || budget < 2) return heavy
      const twins = budget > 2 ** 5
      const branches = twins
        ? [deepest(depth - 1, budget / 2), deepest(depth - 1, budget / 2)]
        : [light, deepest(depth - 1, budget - 2)]
      const tree: Condition = { _tag: depth % 2 === 0 ? "And" : "Or", conditions: branches }
      return depth % 3 === 0 ? not(tree) : tree
    }
    const chain = (depth: number): Condition =>
      depth === 0
        ? heavy
        : { _tag: depth % 2 === 0 ? "And" : "Or", conditions: [light, light, chain(depth - 1), heavy] }
    const numbers = Array.from({ length: 200 }, (_, index) => `${index}`)
    const wide = numbers.map((pattern): Condition => ({ _tag: "Like", target: notes, foldCase: true, pattern }))
    for (const condition of [deepest(32, 200), chain(32), or(...wide), and(...wide)]) {
      const where = [condition, not(condition)]
      const owned = ownedBy(owner, Transfer)
      const options = { owned, where, selection: whole, order: [] }
      memory.execute(SelectStatement.page(dialect, { ...options, limit: 10, offset: 0, counted: true }))
      memory.write(Mutation.update(dialect, { ...options, set: { notes: "x" } }))
      memory.write(Mutation.remove(dialect, { ...options, rules: "contract" }))
    }
    assert.strictEqual(memory.list(Transfer).length, 4)
  })

  it("takes the values of any as one list", () => {
    const values = Array.from({ length: 20_000 }, (_, index) => (index === 7000 ? "Bolt" : `${index}`))
    const any = or(...values.map((value) => compare("eq", notes, value)))
    assert.deepStrictEqual(memory.find(Transfer, any), ["1"])
    assert.deepStrictEqual(memory.find(Transfer, not(any)), ["2", "3"])
  })
})
