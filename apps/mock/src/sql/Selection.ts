/**
 * What of a row is written into the answer, and the SQL expression that writes it as JSON text.
 */
import { type Kind, kindOf, type Target } from "./Condition.ts"
import type { Dialect } from "./Dialect.ts"
import { chain, type Fragment, sql, text } from "./Statement.ts"

/** The types a selected value may be cast to. */
export type Cast = "text" | "number" | "integer" | "boolean" | "date" | "timestamp" | "json"

/** The stored document as it is, or an object made of some of its fields. */
export type Selection =
  | { readonly _tag: "Document" }
  | { readonly _tag: "Fields"; readonly fields: ReadonlyArray<Field> }

export interface Field {
  /** The key in the answer. */
  readonly name: string
  readonly target: Target
  readonly cast: Cast | undefined
}

/** What PostgreSQL casts to what; a text that is to be a moment is left out, for it would have to be read in SQL. */
const casts: { readonly [K in Kind]: ReadonlyArray<Cast> } = {
  text: ["text", "number", "integer", "boolean", "date", "json"],
  number: ["text", "number", "integer"],
  boolean: ["text", "integer", "boolean"],
  date: ["text", "date", "timestamp"],
  timestamp: ["text", "date", "timestamp"],
  object: ["text", "json"],
  array: ["text"],
  json: ["text", "number", "integer", "boolean", "json"]
}

/** Whether values of a target can be cast to a type; some single value may still not be castable. */
export const isCastable = (target: Target, cast: Cast): boolean => casts[kindOf(target)].includes(cast)

/**
 * A row as JSON text. It is SQL's null when one of its values cannot be cast, which a query cannot refuse by itself.
 */
export const toSql = (dialect: Dialect, row: Fragment, selection: Selection): Fragment => {
  if (selection._tag === "Document") return dialect.document(row)
  const { fields } = selection
  if (fields.length === 0) return text("'{}'")
  const members = fields.map(({ cast, name, target }, index) => {
    const value = cast === undefined ? dialect.json(row, target) : dialect.cast(row, target, cast)
    return sql`${`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`} || (${value})`
  })
  return chain([...members, text("'}'")], " || ")
}
