import { assert, describe, it } from "vitest"
import * as Commands from "../src/shell/Commands.ts"

const titles = ["Warehouse transfer line", "Warehouse transfer", "Sales order payment", "Payment term", "Home"]

const found = (text: string): ReadonlyArray<string> =>
  titles
    .flatMap((title) => {
      const rank = Commands.rank(text, { title, words: "rows" })
      return rank === undefined ? [] : [{ title, rank }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ title }) => title)

describe("the palette", () => {
  it("finds words in any order, and begins with the whole title, then with titles that begin so", () => {
    assert.deepEqual(found("warehouse transfer"), ["Warehouse transfer", "Warehouse transfer line"])
    assert.deepEqual(found("pay"), ["Payment term", "Sales order payment"])
    assert.deepEqual(found("ter pay"), ["Payment term"])
    assert.deepEqual(found("nothing"), [])
    assert.deepEqual(found("rows"), titles)
  })
})
