import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as QueryString from "../../../src/rows/request/QueryString.ts"

const table: ReadonlyArray<readonly [text: string, read: ReadonlyArray<QueryString.Parameter> | string]> = [
  ["", []],
  ["a", []],
  ["a=1&b", [["a", "1"]]],
  ["a=", [["a", ""]]],
  ["=a", [["", "a"]]],
  [
    "a=1&a=2",
    [
      ["a", "1"],
      ["a", "2"]
    ]
  ],
  ["a=b=c", [["a", "b=c"]]],
  ["a+b=c+d", [["a b", "c d"]]],
  ["a=%2B%26%3D", [["a", "+&="]]],
  ["a=%2525", [["a", "%25"]]],
  ["a=like.%x%20y%", [["a", "like.%x y%"]]],
  ["a=%F0%9F%94%A9", [["a", "🔩"]]],
  ["a=%EF%BF%BD", [["a", "\uFFFD"]]],
  ["a=%FF", "a"],
  ["a=%zz%C3", "a"],
  ["%C3=1", "%C3"]
]

describe("QueryString", () => {
  for (const [text, read] of table) {
    it(`reads ${JSON.stringify(text)}`, () =>
      assert.deepStrictEqual(
        QueryString.parse(text),
        typeof read === "string" ? Either.left(read) : Either.right(read)
      ))
  }

  it("reads the output of URLSearchParams", () => {
    const text = FastCheck.string({ unit: "binary" })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.tuple(text, text)), (parameters) => {
        const search = new URLSearchParams(parameters)
        assert.deepStrictEqual(QueryString.parse(search.toString()), Either.right(parameters))
      })
    )
  })
})
