/**
 * Rows of a resource that belong to a row of another, or to which it belongs, found by one column on either side.
 */
import type { Condition } from "./Condition.ts"
import type { Owned } from "../Owner.ts"

export interface Related {
  /** Tells them apart from all others of one statement. */
  readonly id: string
  readonly owned: Owned
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

/** Whether none of them counts, whatever stands there. */
export const isEmpty = ({ cardinality, limit, offset }: Related): boolean =>
  limit === 0 || (cardinality === "one" && offset > 0)
