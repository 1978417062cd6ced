import type { Json } from "@mfgdata/domain/Json"
import { WarehouseTransfer } from "@mfgdata/domain/resources/WarehouseTransfer"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import type { Condition } from "../../../src/sql/read/Condition.ts"
import * as Containment from "../../../src/sql/read/Containment.ts"
import { at, open, rowOf } from "../memory.ts"
import * as oracle from "../oracle.ts"
import * as random from "../random.ts"

const memory = open()

/** The result of a condition on a stored value, in a column of any JSON. */
const ask = (tag: "Contains" | "ContainedBy", stored: Json, value: Json): boolean => {
  memory.clear()
  memory.insert(WarehouseTransfer, [rowOf(WarehouseTransfer, { id: "1", customFields: { value: stored } })])
  const target = at(WarehouseTransfer, "customFields", ["value"])
  return memory.find(WarehouseTransfer, { _tag: tag, target, value }).length === 1
}

const json = (text: string): Json => JSON.parse(text)

describe("Containment", () => {
  it("agrees with PostgreSQL's examples of @>", () => {
    const table: ReadonlyArray<readonly [outer: string, inner: string, holds: boolean]> = [
      ['"foo"', '"foo"', true],
      ["[1,2,3]", "[1,3]", true],
      ["[1,2,3]", "[3,1]", true],
      ["[1,2,3]", "[1,2,2]", true],
      ['{"product":"PostgreSQL","version":9.4,"jsonb":true}', '{"version":9.4}', true],
      ["[1,2,[1,3]]", "[1,3]", false],
      ["[1,2,[1,3]]", "[[1,3]]", true],
      ['{"foo":{"bar":"baz"}}', '{"bar":"baz"}', false],
      ['{"foo":{"bar":"baz"}}', '{"foo":{}}', true],
      ['["foo","bar"]', '"bar"', true],
      ['"bar"', '["bar"]', false],
      ['{"a":["foo"]}', '{"a":"foo"}', false],
      ["[{}]", "{}", false],
      ["[[]]", "[]", true],
      ['{"a":null}', '{"a":null}', true],
      ["{}", '{"a":null}', false],
      ["[1]", '["1"]', false],
      ["[true]", "[1]", false],
      ['{"items":[{"sku":"a","n":1},{"sku":"b","n":2}]}', '{"items":[{"sku":"b"}]}', true],
      ['{"items":[{"sku":"a","n":1},{"sku":"b","n":2}]}', '{"items":[{"sku":"a","n":2}]}', false],
      ['{"items":[{"sku":"a","tags":["x","y"]}]}', '{"items":[{"tags":["y"]},{"sku":"a"}]}', true],
      ['{"items":["a"]}', '{"items":[{"sku":"b"}]}', false],
      ['{"c\\"d":{"\\\\":1}}', '{"c\\"d":{"\\\\":1}}', true],
      ['{"__proto__":{"a":1,"b":2}}', '{"__proto__":{"a":1}}', true]
    ]
    for (const [outer, inner, expected] of table) {
      assert.strictEqual(ask("Contains", json(outer), json(inner)), expected, `${outer} @> ${inner}`)
      if (Either.isRight(Containment.check("cd", json(outer)))) {
        assert.strictEqual(ask("ContainedBy", json(inner), json(outer)), expected, `${inner} <@ ${outer}`)
      }
    }
  })

  it("agrees with the reference for random values", () => {
    let held = 0
    const pair = random.json.chain((stored) =>
      fc.tuple(fc.constant(stored), fc.oneof(random.json, random.part(stored)))
    )
    fc.assert(
      fc.property(pair, fc.constantFrom("Contains" as const, "ContainedBy" as const), ([whole, part], tag) => {
        const [stored, value] = tag === "Contains" ? [whole, part] : [part, whole]
        fc.pre(Either.isRight(Containment.check(tag === "Contains" ? "cs" : "cd", value)))
        const target = at(WarehouseTransfer, "customFields", ["value"])
        const condition: Condition = { _tag: tag, target, value }
        const expected = oracle.judge(rowOf(WarehouseTransfer, { customFields: { value: stored } }), condition)
        if (expected === true) held++
        assert.strictEqual(ask(tag, stored, value), expected)
      }),
      { numRuns: 1000 }
    )
    assert.isAbove(held, 200)
  })

  it("refuses constants that take too many steps to compare", () => {
    const table: ReadonlyArray<readonly [operator: "cs" | "cd" | "ov", value: Json, reason: string]> = [
      ["cs", Array.from({ length: 200 }, String), "a value of more than 200 parts is not supported"],
      ["ov", Array.from({ length: 200 }, String), "a value of more than 200 parts is not supported"],
      ["cs", [{ a: [{ b: 1 }] }], "objects and lists inside a list are supported if their own lists hold scalars"],
      ["cd", [[[1]]], "objects and lists inside a list are supported if their own lists hold scalars"],
      ["cd", { a: [[1]] }, "lists inside an object are supported on the right of <@ if they hold scalars"]
    ]
    for (const [operator, value, reason] of table) {
      assert.deepStrictEqual(Containment.check(operator, value), Either.left(reason))
    }
    const largest = Array.from({ length: 199 }, String)
    assert.deepStrictEqual(Containment.check("cs", largest), Either.right(largest))
    assert.deepStrictEqual(
      Containment.check("cs", { a: { b: [{ c: [1] }] } }),
      Either.right({ a: { b: [{ c: [1] }] } })
    )
  })
})
