/**
 * The target of a condition, an order or a selection: a column, or a path inside its JSON value.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Path } from "@mfgdata/domain/Filter"

export interface Target {
  readonly column: Column.Column
  readonly json: Path["json"]
}

/** The type of a target's values: the column's type; `json` for a `->` path; `text` for a `->>` path. */
export type Kind = Column.Type | "json"

/** Reports whether only the document holds the values of a target. */
export const isInDocument = ({ column, json }: Target): boolean => json.length > 0 || column.isOpaque

/** An opaque column is compared as a path in the document is: as text or as JSON. */
const opaqueKinds: { readonly [T in Column.Type]: Kind } = {
  text: "text",
  date: "text",
  timestamp: "text",
  number: "json",
  boolean: "json",
  object: "json",
  array: "array"
}

export const kindOf = ({ column, json }: Target): Kind => {
  const last = json.at(-1)
  if (last === undefined) return column.isOpaque ? opaqueKinds[column.type] : column.type
  return last.arrow === "->>" ? "text" : "json"
}

/** The types a selected value may be cast to. */
export type Cast = "text" | "number" | "integer" | "boolean" | "date" | "timestamp" | "json"

/** A selected target. */
export interface Field {
  /** The key in the response. */
  readonly name: string
  readonly target: Target
  readonly cast: Cast | undefined
}
