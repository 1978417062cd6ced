import { assert, describe, it } from "@effect/vitest"
import { dialect } from "../../src/sql/sqlite/SqliteDialect.ts"
import * as Statement from "../../src/sql/Statement.ts"

const { chain, identifier, join, render, sql, text } = Statement

const numbered = { placeholder: (position: number) => `$${position}` }

describe("Statement", () => {
  it("makes a parameter of every value that is not a fragment", () => {
    const name = `x'; DROP TABLE "t"; --`
    assert.deepStrictEqual(render(sql`SELECT ${name}, ${5}, ${null}`, dialect), {
      text: "SELECT ?, ?, ?",
      parameters: [name, 5, null]
    })
  })

  it("inserts fragments, their parameters in the order of the text", () => {
    const inner = sql`(${1} + ${2})`
    const outer = sql`SELECT ${0}, ${inner}${inner} FROM ${identifier("t")} WHERE ${text("TRUE")} AND x = ${3}`
    assert.deepStrictEqual(render(outer, numbered), {
      text: `SELECT $1, ($2 + $3)($4 + $5) FROM "t" WHERE TRUE AND x = $6`,
      parameters: [0, 1, 2, 1, 2, 3]
    })
    assert.strictEqual(outer.chunks.length, outer.parameters.length + 1)
  })

  it("joins fragments", () => {
    assert.deepStrictEqual(render(join([], ", "), dialect), { text: "", parameters: [] })
    assert.deepStrictEqual(render(join([sql`${1}`, text("a"), sql`${2}`], ", "), dialect), {
      text: "?, a, ?",
      parameters: [1, 2]
    })
  })

  it("quotes names", () => {
    assert.strictEqual(render(identifier(`a"b`), dialect).text, `"a""b"`)
  })

  it("keeps long chains shallow and in order", () => {
    const numbers = Array.from({ length: 12_345 }, (_, index) => index)
    const { parameters, text } = render(
      chain(
        numbers.map((number) => sql`${number}`),
        " OR "
      ),
      dialect
    )
    assert.deepStrictEqual(parameters, numbers)
    assert.isBelow(/\(+/.exec(text)?.[0].length ?? 0, 5)
  })
})
