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

const parse = (text: string) => Slices.run(Csv.parse(text))

const isList = (name: string) => name === "list"

describe("Csv", () => {
  for (const [text, lines] of table) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepStrictEqual(parse(text), lines))
  }

  it("reads back the texts that it writes", () => {
    const text = FastCheck.string({ unit: "binary", maxLength: 12 })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.record({ a: text, b: text }), { minLength: 1 }), (rows) => {
        assert.deepStrictEqual(parse(Csv.print(rows, isList)), [["a", "b"], ...rows.map(({ a, b }) => [a, b])])
      })
    )
  })

  it("reads a field of a million quotes in linear time", () => {
    const lines = parse(`a\n"${'""'.repeat(1_000_000)}"`)
    assert.strictEqual(lines?.[1]?.[0]?.length, 1_000_000)
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
      Csv.print([row], isList),
      'text,spaced,quoted,empty,none,yes,no,number,list,object\nplain,"a b","say ""x""","",,t,f,0.1,"{a,""b c""}","{""a"":[1,null]}"'
    )
  })

  it("writes nothing without rows", () => assert.strictEqual(Csv.print([], isList), ""))
})
