import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { Json, JsonNumber, JsonObject, maximumDepth } from "../src/Json.ts"
import { sample } from "./fixtures/generated.ts"

const issues = <A, I>(schema: Schema.Schema<A, I>, value: unknown): ReadonlyArray<string> =>
  Either.match(ParseResult.decodeUnknownEither(schema)(value), {
    onLeft: (issue) =>
      ParseResult.ArrayFormatter.formatIssueSync(issue).map(({ path, message }) => `${path.join(".")}: ${message}`),
    onRight: () => []
  })

const nested = (depth: number, leaf: unknown): unknown => {
  let value = leaf
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value }
  return value
}

describe("Json", () => {
  it("accepts every JSON value and returns it unchanged", () => {
    const value = { a: [1, "x", null, true, {}], "": { b: -1.5e300 } }
    assert.strictEqual(Schema.decodeUnknownSync(JsonObject)(value), value)
    assert.strictEqual(Schema.encodeSync(JsonObject)(value), value)
    for (const json of [null, 0, "", false, []]) assert.deepStrictEqual(Schema.decodeUnknownSync(Json)(json), json)
  })

  it("names the path of a value that cannot be stored", () => {
    assert.deepStrictEqual(issues(JsonObject, { a: [1, { b: "\u0000" }] }), [
      'a.1.b: Expected text without U+0000 or a lone surrogate, actual "\\u0000"'
    ])
    assert.deepStrictEqual(issues(JsonObject, { a: { "\ud800": 1 } }), [
      'a: Expected object keys of text without U+0000 or a lone surrogate, actual "\\ud800"'
    ])
    assert.deepStrictEqual(issues(Json, [Number.NaN]), ["0: Expected a finite number, actual NaN"])
    assert.deepStrictEqual(issues(Json, { a: undefined }), ["a: Expected a JSON value, actual undefined"])
  })

  it("refuses what JSON.parse makes of a number too large", () => {
    assert.deepStrictEqual(issues(JsonObject, JSON.parse('{"a":1e999}')), [
      "a: Expected a finite number, actual Infinity"
    ])
  })

  it("refuses what would not come back as it was", () => {
    for (const value of [new Date(0), new Map([["a", 1]]), () => 1, 1n, Symbol("a"), undefined, Array(2)]) {
      assert.isNotEmpty(issues(Json, value), String(value))
      assert.isNotEmpty(issues(JsonObject, { value }), String(value))
    }
  })

  it("goes as deep as both stores can follow, and no deeper", () => {
    assert.isEmpty(issues(Json, nested(maximumDepth, 1)))
    assert.lengthOf(issues(Json, nested(maximumDepth + 1, 1)), 1)
    assert.lengthOf(issues(Json, JSON.parse("[".repeat(100_000) + "]".repeat(100_000))), 1)
  })

  it("keeps a key that objects have by nature", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}')
    assert.strictEqual(JSON.stringify(Schema.decodeUnknownSync(JsonObject)(value)), '{"__proto__":{"a":1}}')
    assert.isNotEmpty(issues(JsonObject, JSON.parse('{"__proto__":{"a":"\\u0000"}}')))
  })

  it("generates small values that survive the wire", () => {
    for (const value of sample(JsonObject, 300)) {
      const text = JSON.stringify(value)
      assert.isBelow(text.length, 5000)
      assert.deepStrictEqual(Schema.decodeUnknownSync(JsonObject)(JSON.parse(text)), value)
    }
  })
})

describe("JsonObject", () => {
  it("is neither an array nor null nor a scalar", () => {
    for (const value of [[], null, "a", 1, true])
      assert.match(issues(JsonObject, value)[0] ?? "", /Expected a JSON object/)
  })
})

describe("JsonNumber", () => {
  it("is finite", () => {
    for (const value of [Number.NaN, Infinity, -Infinity, "1", null]) assert.isNotEmpty(issues(JsonNumber, value))
    assert.isTrue(sample(JsonNumber, 300).every((value) => Number.isFinite(value) && !Object.is(value, -0)))
  })
})
