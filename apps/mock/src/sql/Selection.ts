/**
 * What of a row is written into the answer, and the SQL expression that writes it as JSON text.
 */
import type { Target } from "./Condition.ts"

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
