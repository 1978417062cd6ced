import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Csv from "../../src/output/Csv.ts"

const read = (pieces: ReadonlyArray<string>): ReadonlyArray<Csv.Record> | Csv.Flaw => {
  const reader = Csv.reader()
  const records: Array<Csv.Record> = []
  for (const found of [...pieces.map(reader.push), reader.end()]) {
    if ("line" in found) return found
    records.push(...found)
  }
  return records
}

const fields = (text: string) => {
  const found = read([text])
  return "line" in found ? found : found.map((record) => record.fields)
}

describe("Csv", () => {
  it("reads back what it wrote, wherever the text is cut", () => {
    const field = fc.oneof(fc.constant(null), fc.string(), fc.stringMatching(/^[",\r\n a]{0,6}$/))
    fc.assert(
      fc.property(
        fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
        fc.nat(200),
        (rows, at) => {
          const text = rows.map(Csv.line).join("")
          const found = read([text.slice(0, at), text.slice(at)])
          assert.deepStrictEqual("line" in found ? found : found.map((record) => record.fields), rows)
        }
      )
    )
  })

  it("reads an empty cell as null, and a quoted one as an empty text", () => {
    assert.deepStrictEqual(fields(`a,,""\n`), [["a", null, ""]])
  })

  it("knows the line on which a row begins", () => {
    const found = read([`a,"1\n2"\n\nb,c\r\n"d",e`])
    assert.isFalse("line" in found)
    assert.deepStrictEqual("line" in found ? [] : found.map(({ line }) => line), [1, 4, 5])
  })

  it.each([`a"b\n`, `"a"b\n`, `"a`])("refuses the quote of %j", (text) => {
    assert.isTrue("line" in fields(text))
  })
})
