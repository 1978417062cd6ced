import { assert, describe, it } from "vitest"
import * as Delimited from "../../src/views/data/transfer/Delimited.ts"

const fields = (text: string, separator = ",") => {
  const parsed = Delimited.parse(text, separator)
  return parsed._tag === "Lines" ? parsed.lines.map(({ fields, line }) => [line, ...fields]) : parsed
}

describe("delimited text", () => {
  it("has quoted separators, quotes and line ends, and the lines on which records start", () => {
    assert.deepStrictEqual(fields('\uFEFFa,b\r\n"x,""y""\nz",\n\n"",2'), [
      [1, "a", "b"],
      [2, 'x,"y"\nz', null],
      [5, "", "2"]
    ])
    assert.deepStrictEqual(fields('a\t"b\tc"\r\n1\t2', "\t"), [
      [1, "a", "b\tc"],
      [2, "1", "2"]
    ])
    assert.deepStrictEqual(fields("a,b,"), [[1, "a", "b", null]])
    assert.deepStrictEqual(fields(""), [])
  })

  it("names the line of a quote that is not closed", () => {
    assert.deepStrictEqual(fields('a\n"b'), { _tag: "QuoteMisplaced", line: 2 })
    assert.deepStrictEqual(fields('a\n"b" c'), { _tag: "QuoteMisplaced", line: 2 })
  })

  it("is read back as it was printed", () => {
    const values = ["a", "", null, 'q"', "x,y", "l\r\nm"]
    assert.deepStrictEqual(fields(Delimited.print(values, ",")), [[1, ...values]])
  })

  it("finds the separator of a file", () => {
    assert.deepStrictEqual(["a,b;c,d", "a;b", "a\tb", "a"].map(Delimited.separatorOf), [",", ";", "\t", ","])
  })
})
