import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Slices from "../../src/world/Slices.ts"
import * as Csv from "../../src/rows/Csv.ts"

const table: ReadonlyArray<readonly [text: string, lines: ReadonlyArray<ReadonlyArray<string>> | undefined]> = [
  ["", []],
  [
    "a,b\n1,2",
    [
      ["a", "b"],
      ["1", "2"]
    ]
  ],
  [
    "a,b\r\n1,2\r\n",
    [
      ["a", "b"],
      ["1", "2"]
    ]
  ],
  ["a\r1", [["a"], ["1"]]],
  [
    "a,b\n\n1,2\n\n",
    [
      ["a", "b"],
      ["1", "2"]
    ]
  ],
  [
    "a,b\n,",
    [
      ["a", "b"],
      ["", ""]
    ]
  ],
  ['a\n""', [["a"], [""]]],
  ['a\n"x,""y"",\nz"', [["a"], ['x,"y",\nz']]],
  ['a\n"x"y', undefined],
  ['a\n"x', undefined],
  ['a\nx"y', undefined]
]

const parse = (text: string) => {
  const parsed = Slices.run(Csv.parse(text))
  return parsed._tag === "Lines" ? parsed.lines : undefined
}

const print = (rows: ReadonlyArray<Csv.Row>, isList: Csv.IsList) => Slices.run(Csv.print(rows, isList))

const isList = (name: string) => name === "list"

describe("Csv", () => {
  for (const [text, lines] of table) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepStrictEqual(parse(text), lines))
  }

  it("reads back the texts that it writes", () => {
    const text = FastCheck.string({ unit: "binary", maxLength: 12 })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.record({ a: text, b: text }), { minLength: 1 }), (rows) => {
        assert.deepStrictEqual(parse(print(rows, isList)), [["a", "b"], ...rows.map(({ a, b }) => [a, b])])
      })
    )
  })

  it("reads a field of a million quotes in linear time, with pauses", () => {
    const slices = Csv.parse(`a\n"b${'""'.repeat(1_000_000)}c"`)
    let pauses = 0
    let next = slices.next()
    for (; next.done !== true; next = slices.next()) pauses++
    assert.isTrue(next.value._tag === "Lines" && next.value.lines[1]?.[0] === `b${'"'.repeat(1_000_000)}c`)
    assert.isAbove(pauses, 50)
  })

  it("refuses fields that are longer than the limit", () => {
    const read = (field: string) => Slices.run(Csv.parse(`a\nb\n${field}\n`, { lines: 9, characters: 10 }))
    for (const field of ["x".repeat(10), `"${"x".repeat(10)}"`, `"${'""'.repeat(5)}"`]) {
      assert.strictEqual(read(field)._tag, "Lines")
    }
    for (const field of ["x".repeat(11), `"${"x".repeat(11)}"`, `"${'""'.repeat(6)}"`]) {
      assert.deepStrictEqual(read(field), { _tag: "FieldTooLong", line: 2 })
    }
  })

  it("writes rows as PostgreSQL writes records", () => {
    const row = {
      text: "plain",
      spaced: "a b",
      quoted: 'say "x"',
      empty: "",
      none: null,
      yes: true,
      no: false,
      number: 0.1,
      list: ["a", "b c"],
      object: { a: [1, null] }
    }
    assert.strictEqual(
      print([row], isList),
      'text,spaced,quoted,empty,none,yes,no,number,list,object\nplain,"a b","say ""x""","",,t,f,0.1,"{a,""b c""}","{""a"":[1,null]}"'
    )
  })

  it("writes nothing without rows", () => assert.strictEqual(print([], isList), ""))
})
