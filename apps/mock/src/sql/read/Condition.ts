/**
 * A filter that was held against the catalogue: the columns exist, the operators fit them, the values have their
 * type. What remains is to write it down as SQL.
 */
import type { Json, JsonArray } from "@mfgdata/domain/Json"
import type * as Pattern from "../text/Pattern.ts"
import type { OwnedTable } from "../Owner.ts"
import type { Target } from "./Target.ts"

/**
 * A value in its wire form: canonical text for timestamps, a calendar day for dates, JSON for objects and arrays. Null
 * is JSON's, which only a place inside JSON can hold.
 */
export type Value = Json

/** Finds objects in a value: their members have no order, so that equal values have several texts. */
export const holdsObject = (value: Value): boolean =>
  typeof value === "object" && value !== null && (!Array.isArray(value) || value.some(holdsObject))

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
      readonly _tag: "Contains" | "ContainedBy"
      readonly target: Target
      readonly value: Json
    }
  | { readonly _tag: "Overlaps"; readonly target: Target; readonly value: JsonArray }
  /** There are related rows. */
  | { readonly _tag: "Exists"; readonly related: Related }
  | { readonly _tag: "And" | "Or"; readonly conditions: ReadonlyArray<Condition> }
  | { readonly _tag: "Not"; readonly condition: Condition }

/** The rows of a resource that belong to a row of another, or the row that it belongs to, found by one column each. */
export interface Related {
  /** Distinguishes them from all others of one statement. */
  readonly id: string
  readonly owned: OwnedTable
  /** The column of the row that they are related to. */
  readonly column: string
  /** Their column with the same value. */
  readonly field: string
  /** How many of them there can be for one row. */
  readonly cardinality: "one" | "many"
  readonly where: ReadonlyArray<Condition>
  /** Which of them count, for each row they are related to. */
  readonly limit: number
  readonly offset: number
}

/** Reports whether no related row counts, whatever the table holds. */
export const isEmpty = ({ cardinality, limit, offset }: Related): boolean =>
  limit === 0 || (cardinality === "one" && offset > 0)
