/** Statements on the companies of a store. */
import * as Either from "effect/Either"
import type { Change } from "../../../src/sql/Change.ts"
import type { Parameter, Statement } from "../../../src/sql/Statement.ts"

export const statement = (text: string, ...parameters: ReadonlyArray<Parameter>): Statement => ({ text, parameters })

export const run = (text: string, ...parameters: ReadonlyArray<Parameter>): Change<void, never> => ({
  steps: [{ _tag: "Run", statement: statement(text, ...parameters) }],
  resolve: () => Either.void
})

export const company = (id: string) => run(`INSERT INTO "_company" ("id", "name") VALUES (?, ?)`, id, `Company ${id}`)

export const companies = statement(`SELECT "id" FROM "_company" ORDER BY "id"`)
