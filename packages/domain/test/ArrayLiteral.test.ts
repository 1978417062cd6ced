import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as ArrayLiteral from "../src/ArrayLiteral.ts"

describe("ArrayLiteral", () => {
  it.each([
    ["{}", []],
    [" { } ", []],
    ["{a}", ["a"]],
    ["{a,b c, d }", ["a", "b c", "d"]],
    ['{"a,b","{c}",""}', ["a,b", "{c}", ""]],
    ['{"a\\"b\\\\c", "d" }', ['a"b\\c', "d"]],
    ["{a\\,b,c\\ ,d\\\\ }", ["a,b", "c ", "d\\"]],
    ['{"NULL",nullable}', ["NULL", "nullable"]],
    ["{1,-2.5,true}", ["1", "-2.5", "true"]]
  ])("reads %s", (literal, values) => assert.deepStrictEqual(ArrayLiteral.parse(literal), Either.right(values)))

  it.each([
    ["", 'Array value must start with "{" or dimension information.'],
    ["a,b", 'Array value must start with "{" or dimension information.'],
    ['["a"]', 'Array value must start with "{" or dimension information.'],
    ["{", "Unexpected end of input."],
    ["{a", "Unexpected end of input."],
    ["{a,", "Unexpected end of input."],
    ["{a\\", 'Unexpected "\\" character.'],
    ['{"a', 'Unexpected """ character.'],
    ["{a,}", 'Unexpected "}" character.'],
    ["{,a}", 'Unexpected "," character.'],
    ['{"a"b}', 'Unexpected "b" character.'],
    ['{a"b"}', 'Unexpected """ character.'],
    ["{{a}}", 'Unexpected "{" character.'],
    ["{a}b", 'Unexpected "b" character.'],
    ["{a,NULL}", "NULL is not allowed in a list of texts."],
    ["{null}", "NULL is not allowed in a list of texts."]
  ])("refuses %s", (literal, reason) => assert.deepStrictEqual(ArrayLiteral.parse(literal), Either.left(reason)))

  it("parses what it prints", () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.stringMatching(/^[ "{},\\nul]*$/))
    fc.assert(
      fc.property(fc.array(text), (values) => {
        assert.deepStrictEqual(ArrayLiteral.parse(ArrayLiteral.print(values)), Either.right(values))
      })
    )
  })
})
