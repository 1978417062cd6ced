import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { Read } from "../../src/rows/plan/RowPlan.ts"
import * as Slices from "../../src/world/Slices.ts"
import * as RowStatement from "../../src/rows/RowStatement.ts"
import * as SelectStatement from "../../src/sql/read/SelectStatement.ts"
import * as SqliteDialect from "../../src/sql/sqlite/SqliteDialect.ts"
import type { Statement } from "../../src/sql/Statement.ts"
import { plan } from "./plan/plan.ts"

const { dialect } = SqliteDialect
const target = { dialect, hasSubscribers: () => true }

const read = (target: string): Read => {
  const planned = Either.getOrThrow(plan("GET", target))
  if (planned._tag !== "Read") throw new Error(`a plan to ${planned._tag}`)
  return planned
}

const compile = (plan: Read) => Slices.run(RowStatement.make(plan, target, () => ({ change: "c1", at: 0 })))

const statement = (plan: Read): Statement => {
  const made = compile(plan)
  if (made._tag !== "Query") throw new Error("a change")
  return made.statement
}

describe("RowStatement", () => {
  for (const { key, resource } of Catalogue.resources) {
    it(`finds a ${resource} by its key with its first statement`, () => {
      const [first, second] = ["a", "b"].map((value) => read(`${resource}?${key}=eq.${value}`))
      if (first === undefined || second === undefined) throw new Error("no plan")
      const made = (plan: Read) =>
        SelectStatement.one(dialect, { owned: plan, selection: plan.selection, where: plan.where })
      assert.deepStrictEqual(statement(first), made(first))
      assert.deepStrictEqual(statement(second), made(second))
      assert.strictEqual(statement(first).text, statement(second).text)
      const some = read(`${resource}?${key}=eq.a&select=${key}`)
      assert.deepStrictEqual(statement(some), made(some))
    })
  }

  it("refuses a row with a value that cannot be cast", () => {
    const made = compile(read("holiday?id=eq.a&select=name::integer"))
    assert.deepStrictEqual(
      made._tag === "Query" && made.resolve([[null, 1]]),
      Either.left({ _tag: "CastFailed", casts: [{ column: "name", type: "integer" }] })
    )
  })
})
