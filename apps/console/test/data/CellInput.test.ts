import { assert, describe, it } from "vitest"
import { ArrayLiteral, CalendarDate, Timestamp } from "@mfgdata/domain"
import * as Either from "effect/Either"
import * as Catalogue from "../../src/service/Catalogue.ts"
import * as CellInput from "../../src/views/data/value/CellInput.ts"
import * as CellText from "../../src/views/data/value/CellText.ts"
import * as Paste from "../../src/views/data/transfer/Paste.ts"

const resourceOf = (name: string) => Catalogue.find(name) ?? assert.fail()
const [NonConformance, OauthCode, PurchaseOrderDelivery] = [
  resourceOf("nonConformance"),
  resourceOf("oauthCode"),
  resourceOf("purchaseOrderDelivery")
]

const parse = (resource: Catalogue.ResourceInfo, name: string, text: string) => {
  const { problem, value } = CellInput.parse(Catalogue.columnOf(resource, name) ?? assert.fail(), text)
  return problem === undefined ? value : new Error(problem)
}

describe("the text of a cell", () => {
  it("is a value of its column, or has a problem", () => {
    assert.strictEqual(parse(NonConformance, "quantity", " 12.5 "), 12.5)
    assert.strictEqual(parse(PurchaseOrderDelivery, "dropShipment", "TRUE"), true)
    assert.deepStrictEqual(parse(NonConformance, "content", '{"a":[1]}'), { a: [1] })
    assert.deepStrictEqual(parse(NonConformance, "tags", '{a,"b c"}'), ["a", "b c"])
    assert.deepStrictEqual(parse(NonConformance, "tags", '["a"]'), ["a"])
    assert.isNull(parse(NonConformance, "description", ""))
    assert.strictEqual(parse(NonConformance, "name", " x "), " x ")
    assert.strictEqual(parse(OauthCode, "expiresAt", "2026-01-02T03:04:05Z"), "2026-01-02T03:04:05Z")
    for (const [name, text, expected] of [
      ["quantity", "many", "number"],
      ["quantity", "", "number"],
      ["openDate", "2026-02-30", "calendar date"],
      ["content", "{a}", "JSON object"],
      ["content", "[1]", "JSON object"],
      ["tags", "a,b", "array"],
      ["name", "a\u0000b", "U+0000"]
    ] as const)
      assert.include(String(parse(NonConformance, name, text)), expected, `${name}=${text}`)
  })

  it("is a date, a timestamp or a list where the domain has one", () => {
    const accepts = (name: string, text: string) =>
      !(parse(name === "expiresAt" ? OauthCode : NonConformance, name, text) instanceof Error)
    for (const text of ["2026-02-29", "2024-02-29", "0000-01-01", "0001-01-01", "9999-12-31", "2026-1-1", "2026-13-01"])
      assert.strictEqual(accepts("openDate", text), CalendarDate.is(text), text)
    for (const text of ["2026-01-01T00:00:00Z", "2026-W01-1 24:00", "2026-001T10:00:00,123456+0200", "2026-01-01t10"])
      assert.isTrue(Timestamp.is(text) && accepts("expiresAt", text), text)
    for (const text of ["2026-01-01", "now", "1767225600"])
      assert.isFalse(Timestamp.is(text) || accepts("expiresAt", text), text)
    for (const text of ["{}", "{a}", '{a, "b,c" ,d e}', '{"q\\"q"}', "{a", "{a,}", "{a}b"])
      assert.deepStrictEqual(
        Either.getOrElse(ArrayLiteral.parse(text), () => "problem"),
        text.startsWith("{") && accepts("tags", text) ? parse(NonConformance, "tags", text) : "problem",
        text
      )
  })

  it("shows control and bidirectional characters, and is cut", () => {
    assert.strictEqual(CellText.cell("a\u0000\u202Eb\n\u007F"), "a␀⟨U+202E⟩b␊␡")
    assert.strictEqual(CellText.cell("<b>&amp;</b>"), "<b>&amp;</b>")
    assert.lengthOf(CellText.cell("x".repeat(5000)), 201)
    assert.strictEqual(CellText.cell({ a: null }), '{"a":null}')
    assert.strictEqual(CellText.cell(null), "")
  })
})

describe("a pasted table", () => {
  const columns = ["id", "name", "quantity", "dueDate"]
  const read = (start: string, text: string) => Paste.read(NonConformance, columns, start, text)

  it("fills the cells from the column on, and keeps cells that are not valid with their problem", () => {
    const { cells, rows } = read("name", 'a "b"\t3\r\n"two\nlines"\tmany\t2026-01-01\r\n')
    assert.strictEqual(rows, 2)
    assert.deepStrictEqual(
      cells.map(({ column, input, row }) => [row, column, input.problem === undefined ? input.value : "problem"]),
      [
        [0, "name", 'a "b"'],
        [0, "quantity", 3],
        [1, "name", "two\nlines"],
        [1, "quantity", "problem"],
        [1, "dueDate", "2026-01-01"]
      ]
    )
  })

  it("follows a first line with names of columns, and skips those of the service", () => {
    const { cells, rows, skipped } = read("id", "dueDate\tid\tname\n2026-01-01\tx\tn")
    assert.deepStrictEqual([rows, cells.map(({ column }) => column), skipped], [1, ["dueDate", "name"], ["id"]])
  })

  it("takes a quote that is not closed as text", () => {
    assert.deepStrictEqual(
      read("name", '"5 inch\t3').cells.map(({ input }) => input.text),
      ['"5 inch', "3"]
    )
  })
})
