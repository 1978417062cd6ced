import type { Json } from "@mfgdata/domain/Json"
import { JobOperationStepRecord } from "@mfgdata/domain/resources/JobOperationStepRecord"
import { WarehouseTransfer } from "@mfgdata/domain/resources/WarehouseTransfer"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Cast, Field, Target } from "../../../src/sql/read/Target.ts"
import * as Mutation from "../../../src/sql/write/Mutation.ts"
import * as SelectStatement from "../../../src/sql/read/SelectStatement.ts"
import { isCastable, type Selection } from "../../../src/sql/read/Selection.ts"
import { at, dialect, open, ownedBy, owner, type Row, rowOf } from "../memory.ts"
import * as oracle from "../oracle.ts"
import * as random from "../random.ts"

const Transfer = WarehouseTransfer
const Record = JobOperationStepRecord

const memory = open()

const page = (resource: Resource.Any, fields: ReadonlyArray<Field>) =>
  memory.execute(
    SelectStatement.page(dialect, {
      owned: ownedBy(owner, resource),
      selection: { _tag: "Fields", fields, embeds: [] },
      where: [],
      order: [],
      limit: undefined,
      offset: 0,
      counted: false
    })
  )[0]

/** The text of the only value of the only row, or `undefined` if it cannot be cast. */
const select = (resource: Resource.Any, row: Row, target: Target, cast?: Cast): string | undefined => {
  memory.clear()
  memory.insert(resource, [row])
  const [body] = page(resource, [{ name: "x", target, cast }]) ?? []
  return typeof body === "string" ? /^\[\{"x":(.*)\}\]$/s.exec(body)?.[1] : undefined
}

const custom = (value: Json) => rowOf(Transfer, { customFields: { value } })
const field = at(Transfer, "customFields", ["value"])
const textField = at(Transfer, "customFields", ["value"], true)

describe("Selection", () => {
  it("returns each value as it was stored, under its alias", () => {
    const cases = random.resource.chain((resource) =>
      fc.record({
        resource: fc.constant(resource),
        row: random.row(resource, "key"),
        fields: fc.uniqueArray(
          fc.record({ name: fc.string(), target: random.target(resource), cast: fc.constant(undefined) }),
          { maxLength: 5, selector: ({ name }) => name }
        )
      })
    )
    fc.assert(
      fc.property(cases, ({ fields, resource, row }) => {
        memory.clear()
        memory.insert(resource, [row])
        const [body, count] = page(resource, fields) ?? []
        const expected = fields.map(({ name, target }) => [name, oracle.read(row, target) ?? null] as const)
        const members = expected.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
        assert.deepStrictEqual(JSON.parse(String(body)), [Object.fromEntries(expected)])
        assert.strictEqual(
          JSON.stringify(JSON.parse(String(body))),
          JSON.stringify(JSON.parse(`[{${members.join(",")}}]`))
        )
        assert.strictEqual(count, 1)
      }),
      { numRuns: 300 }
    )
  })

  it("takes hundreds of fields", () => {
    memory.clear()
    memory.insert(Transfer, [rowOf(Transfer, { id: "1" })])
    const fields = Array.from({ length: 1500 }, (_, index) => ({
      name: `f${index}`,
      target: at(Transfer, "id"),
      cast: undefined
    }))
    const [body] = page(Transfer, fields) ?? []
    assert.strictEqual(Object.keys(JSON.parse(String(body))[0]).length, 1500)
  })

  it("casts ->> to text, whatever the value", () => {
    const table: ReadonlyArray<readonly [stored: Json, text: string]> = [
      ['a"b', '"a\\"b"'],
      [1e21, '"1e+21"'],
      [0.1, '"0.1"'],
      [true, '"true"'],
      [null, "null"],
      [[1, "a"], '"[1,\\"a\\"]"'],
      [{ a: 1 }, '"{\\"a\\":1}"'],
      ["", '""']
    ]
    for (const [stored, expected] of table) {
      assert.strictEqual(select(Transfer, custom(stored), textField), expected, JSON.stringify(stored))
    }
  })

  it("casts the values that PostgreSQL casts, and marks the values that it refuses", () => {
    const record = (values: { readonly [column: string]: Json }) => rowOf(Record, values)
    const columns: ReadonlyArray<readonly [column: string, value: Json, cast: Cast, result: string | undefined]> = [
      ["numericValue", 0.1, "text", '"0.1"'],
      ["numericValue", 1e21, "text", '"1e+21"'],
      ["numericValue", null, "text", "null"],
      ["numericValue", 2.5, "integer", "3"],
      ["numericValue", -2.5, "integer", "-3"],
      ["numericValue", 2.4, "integer", "2"],
      ["numericValue", 1e18, "integer", "1000000000000000000"],
      ["numericValue", 1e19, "integer", undefined],
      ["numericValue", 61098214627622510, "number", "61098214627622510"],
      ["booleanValue", true, "text", '"true"'],
      ["booleanValue", false, "integer", "0"],
      ["booleanValue", null, "integer", "null"],
      ["booleanValue", true, "boolean", "true"],
      ["createdAt", "2026-01-31T23:59:59.5Z", "date", '"2026-01-31"'],
      ["createdAt", "2026-01-31T23:59:59.5Z", "text", '"2026-01-31T23:59:59.5Z"'],
      ["createdAt", "2026-01-31T23:59:59.5Z", "timestamp", '"2026-01-31T23:59:59.5Z"'],
      ["value", "007", "number", "7"],
      ["value", " +1.50 ", "number", "1.50"],
      ["value", "-.5e1", "number", "-0.5e1"],
      ["value", "5.", "number", "5.0"],
      ["value", "0", "number", "0"],
      ["value", "000.5", "number", "0.5"],
      ["value", "1e999", "number", undefined],
      ["value", "0x10", "number", undefined],
      ["value", "1 2", "number", undefined],
      ["value", "", "number", undefined],
      ["value", " -12\n", "integer", "-12"],
      ["value", "1.5", "integer", undefined],
      ["value", "9999999999999999999", "integer", undefined],
      ["value", " Yes", "boolean", "true"],
      ["value", "of", "boolean", "false"],
      ["value", "o", "boolean", undefined],
      ["value", "2024-02-29", "date", '"2024-02-29"'],
      ["value", "2023-02-29", "date", undefined],
      ["value", "0000-01-01", "date", undefined],
      ["value", "now", "date", undefined],
      ["value", '{"a": 1e400, "b": [1 ]}', "json", '{"a":1e400,"b":[1]}'],
      ["value", "{a:1}", "json", undefined],
      ["value", 'a"b', "text", '"a\\"b"'],
      ["value", null, "boolean", "null"]
    ]
    for (const [column, value, cast, expected] of columns) {
      const target = at(Record, column)
      assert.isTrue(isCastable(target, cast))
      assert.strictEqual(
        select(Record, record({ [column]: value }), target, cast),
        expected,
        `${column} ${JSON.stringify(value)}::${cast}`
      )
    }
    const transfers: ReadonlyArray<readonly [column: string, value: Json, cast: Cast, result: string]> = [
      ["transferDate", "2026-01-31", "timestamp", '"2026-01-31T00:00:00.000Z"'],
      ["transferDate", "2026-01-31", "text", '"2026-01-31"'],
      ["tags", ["a", "b c", "", "null", 'q"\\', "é"], "text", JSON.stringify('{a,"b c","","null","q\\"\\\\",é}')],
      ["tags", [], "text", '"{}"'],
      ["tags", null, "text", "null"],
      ["customFields", { a: [1] }, "text", '"{\\"a\\":[1]}"'],
      ["customFields", { a: [1] }, "json", '{"a":[1]}'],
      ["customFields", null, "json", "null"]
    ]
    for (const [column, value, cast, expected] of transfers) {
      const row = rowOf(Transfer, { [column]: value })
      assert.strictEqual(select(Transfer, row, at(Transfer, column), cast), expected, `${column}::${cast}`)
    }
    const paths: ReadonlyArray<readonly [value: Json, cast: Cast, result: string | undefined]> = [
      [1e21, "number", "1e+21"],
      ["5", "number", undefined],
      [null, "number", "null"],
      [2.5, "integer", "3"],
      [true, "boolean", "true"],
      [1, "boolean", undefined],
      ["a", "text", '"\\"a\\""'],
      [["a"], "json", '["a"]']
    ]
    for (const [value, cast, expected] of paths) {
      assert.strictEqual(select(Transfer, custom(value), field, cast), expected, `${JSON.stringify(value)}::${cast}`)
    }
    assert.strictEqual(select(Transfer, custom("12"), textField, "integer"), "12")
  })

  it("knows the casts that no value has", () => {
    assert.isFalse(isCastable(at(Record, "booleanValue"), "number"))
    assert.isFalse(isCastable(at(Record, "value"), "timestamp"))
    assert.isFalse(isCastable(at(Transfer, "tags"), "json"))
  })

  it("marks the row of a write too", () => {
    memory.clear()
    const selection: Selection = {
      _tag: "Fields",
      fields: [{ name: "x", target: at(Record, "value"), cast: "integer" }],
      embeds: []
    }
    const owned = ownedBy(owner, Record)
    const rows = ["1", "one"].map((value, index) => rowOf(Record, { id: `${index}`, value }))
    const written = memory.write(Mutation.insert(dialect, { owned, rows, revision: 1, selection }))
    assert.deepStrictEqual(
      written.map(({ json }) => json),
      ['{"x":1}', null]
    )
  })
})
