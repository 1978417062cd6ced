/**
 * A filter that was held against the catalogue: the columns exist, the operators fit them, the values have their
 * type. What remains is to write it down as SQL.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Path } from "@mfgdata/domain/Filter"
import type { Json } from "@mfgdata/domain/Json"
import type * as Pattern from "../text/Pattern.ts"
import type { Related } from "./Related.ts"

/** What is compared: a column, or a place inside its JSON value. */
export interface Target {
  readonly column: Column.Column
  readonly json: Path["json"]
}

/** What stands at a target: a value of the column's type; inside its JSON any JSON, or with `->>` its text. */
export type Kind = Column.Type | "json"

export const kindOf = ({ column, json }: Target): Kind => {
  const last = json.at(-1)
  if (last === undefined) return column.type
  return last.arrow === "->>" ? "text" : "json"
}

/** A value in its wire form: canonical text for timestamps, a calendar day for dates, JSON for objects and arrays. */
export type Value = Exclude<Json, null>

export type Condition =
  | {
      readonly _tag: "Compare"
      readonly target: Target
      readonly operator: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "isdistinct"
      readonly value: Value
    }
  | { readonly _tag: "OneOf"; readonly target: Target; readonly values: ReadonlyArray<Value> }
  | { readonly _tag: "Is"; readonly target: Target; readonly value: "null" | "true" | "false" | "unknown" }
  /** `pattern` as `Pattern.like` accepts it: `%`, `_`, and `\` to escape. */
  | { readonly _tag: "Like"; readonly target: Target; readonly foldCase: boolean; readonly pattern: string }
  | { readonly _tag: "Match"; readonly target: Target; readonly foldCase: boolean; readonly pattern: Pattern.Pattern }
  | {
      readonly _tag: "Contains" | "ContainedBy" | "Overlaps"
      readonly target: Target
      readonly value: Json
    }
  /** There are related rows. */
  | { readonly _tag: "Exists"; readonly related: Related }
  | { readonly _tag: "And" | "Or"; readonly conditions: ReadonlyArray<Condition> }
  | { readonly _tag: "Not"; readonly condition: Condition }
