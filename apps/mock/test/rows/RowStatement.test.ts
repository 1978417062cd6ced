import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { Read } from "../../src/rows/plan/RowPlan.ts"
import * as RowStatement from "../../src/rows/RowStatement.ts"
import * as SelectStatement from "../../src/sql/read/SelectStatement.ts"
import * as SqliteDialect from "../../src/sql/sqlite/SqliteDialect.ts"
import type { Statement } from "../../src/sql/Statement.ts"
import { plan } from "./plan/plan.ts"

const { dialect } = SqliteDialect
const target = {
  dialect,
  hasSubscribers: () => true,
  tableSize: () => ({ rows: 1000, bytes: 1000 }),
  limits: { bytes: 1_000_000, embedded: 1000 },
  maxBatch: 1000
}

const query = (plan: Read): RowStatement.Query =>
  RowStatement.read(plan, target, { class: "inline", rows: 1, known: 1, bytes: 1000, embedded: 0 })

const read = (target: string): Read => {
  const planned = Either.getOrThrow(plan("GET", target))
  if (planned._tag !== "Read") throw new Error(`a plan to ${planned._tag}`)
  return planned
}

const statement = (plan: Read): Statement => query(plan).statement

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
    const made = query(read("holiday?id=eq.a&select=name::integer"))
    assert.deepStrictEqual(
      made.resolve([[null, 1]]),
      Either.left({ _tag: "CastFailed", casts: [{ column: "name", type: "integer" }] })
    )
  })
})
