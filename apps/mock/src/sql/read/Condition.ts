/**
 * The condition of a query, after validation: its columns exist, its operators accept their types, and its values have
 * these types.
 */
import type { Json, JsonArray } from "@mfgdata/domain/Json"
import type * as Pattern from "../text/Pattern.ts"
import type { OwnedTable } from "../Owner.ts"
import type { Target } from "./Target.ts"

/**
 * A value in its wire form: canonical text for timestamps, a calendar day for dates, JSON for objects and arrays. Null
 * is the null of JSON, which only a path inside JSON can have.
 */
export type Value = Json

/** Reports whether a value contains an object. Members of objects have no order, so equal values have several texts. */
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
  /** Matches a row that has related rows. */
  | { readonly _tag: "Exists"; readonly related: Related }
  /** Matches a row that has one of some keys and revisions, or one that has changed since and matches the conditions. */
  | {
      readonly _tag: "Unchanged"
      readonly target: Target
      readonly rows: ReadonlyArray<readonly [key: string, revision: number]>
      readonly otherwise: ReadonlyArray<Condition>
    }
  | { readonly _tag: "And" | "Or"; readonly conditions: ReadonlyArray<Condition> }
  | { readonly _tag: "Not"; readonly condition: Condition }

/** The children of a row, or its parent, which are found by equal values of two columns. */
export interface Related {
  /** The identifier of the relation within its statement. */
  readonly id: string
  readonly owned: OwnedTable
  /** The column of the row itself. */
  readonly column: string
  /** The column of the related rows with the same value. */
  readonly field: string
  /** The number of related rows that one row can have. */
  readonly cardinality: "one" | "many"
  readonly where: ReadonlyArray<Condition>
  /** The page of related rows of each row. */
  readonly limit: number
  readonly offset: number
}

/** Reports whether the page is empty for any content of the table. */
export const isEmpty = ({ cardinality, limit, offset }: Related): boolean =>
  limit === 0 || (cardinality === "one" && offset > 0)
