import { assert, describe, it } from "@effect/vitest"
import * as Cell from "../../src/output/Cell.ts"
import * as Table from "../../src/output/Table.ts"

const shown = (rows: ReadonlyArray<Table.Row>, room: number, names?: ReadonlyArray<string>) => {
  const layout = Table.layout(rows, { room, names })
  return { layout, lines: [Table.header(layout), ...Table.lines(layout, rows)] }
}

describe("Table", () => {
  it("puts numbers to the right, and texts to the left", () => {
    const { lines } = shown(
      [
        { item: "bolt", quantity: 5 },
        { item: "nut", quantity: 12.5 }
      ],
      80
    )
    assert.deepStrictEqual(lines, ["item  quantity", "bolt         5", "nut       12.5"])
  })

  it("fits every line into the room it has, and says what it left out", () => {
    const names = Array.from({ length: 12 }, (_, index) => `column${index}`)
    const row = Object.fromEntries(names.map((name) => [name, "x".repeat(30)]))
    const { layout, lines } = shown([row], 80)
    assert.isTrue(lines.every((line) => Cell.width(line) <= 80))
    assert.isTrue(layout.cut)
    assert.isAbove(layout.hidden.length, 0)
    assert.include(lines[1], "…")
    assert.strictEqual(layout.columns.length + layout.hidden.length, names.length)
  })

  it("leaves out what holds nothing, unless everything is to be seen", () => {
    const rows = [{ id: "a", notes: null }]
    assert.deepStrictEqual(shown(rows, 80).lines, ["id", "a"])
    assert.deepStrictEqual(shown(rows, Infinity).lines, ["id  notes", "a"])
  })

  it("shows no control character, and keeps columns under wide ones", () => {
    const { lines } = shown(
      [
        { a: "\u001B[31mred\n", b: 1 },
        { a: "日本", b: 2 }
      ],
      80
    )
    assert.include(lines[1], "\\u001b[31mred\\n")
    assert.strictEqual(Cell.width(lines[1] ?? ""), Cell.width(lines[2] ?? ""))
  })

  it("cuts between characters", () => {
    assert.strictEqual(Cell.truncate("日本語", 4), "日…")
    assert.strictEqual(Cell.truncate("abc", 3), "abc")
  })
})
