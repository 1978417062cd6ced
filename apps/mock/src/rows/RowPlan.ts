/**
 * A request held against the catalogue and the caller. After this only constraints and cardinality can refuse.
 */
import type { Condition, Target } from "../sql/Condition.ts"
import type { Owned } from "../sql/Owned.ts"
import type * as Selection from "../sql/Selection.ts"

export interface OrderTerm {
  readonly target: Target
  readonly direction: "asc" | "desc"
  readonly nulls: "first" | "last"
}

/** How the outcome is to be told. */
export interface Telling {
  readonly format: "object" | "array" | "csv"
  /** What a wrong number of rows means: `absent` is 404, `singular` is 406, and both undo a write. */
  readonly exactlyOne: "absent" | "singular" | undefined
  readonly body: "representation" | "minimal" | "headers-only"
  readonly head: boolean
  readonly stripNulls: boolean
  readonly vendor: boolean
  readonly profile: boolean
  readonly applied: ReadonlyArray<string>
}

export type RowPlan = Read | Insert | Upsert | Update | Delete

export interface Read extends Owned {
  readonly _tag: "Read"
  readonly selection: Selection.Selection
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<OrderTerm>
  readonly limit: number | undefined
  readonly offset: number
  readonly counted: boolean
  readonly telling: Telling
}

/** A whole row as it will stand, in column order. */
export interface NewRow {
  readonly [column: string]: unknown
}

export interface Insert extends Owned {
  readonly _tag: "Insert"
  readonly rows: ReadonlyArray<NewRow>
  readonly selection: Selection.Selection
  readonly counted: boolean
  readonly rollback: boolean
  readonly telling: Telling
}

export interface Upsert extends Owned {
  readonly _tag: "Upsert"
  readonly rows: ReadonlyArray<NewRow>
  /** Columns the caller gave, which a merge overwrites. */
  readonly given: ReadonlyArray<string>
  readonly target: ReadonlyArray<string>
  readonly resolution: "merge" | "ignore"
  readonly selection: Selection.Selection
  readonly counted: boolean
  readonly rollback: boolean
  readonly telling: Telling
}

export interface Update extends Owned {
  readonly _tag: "Update"
  /** Empty means that nothing changes and the rows are answered as they stand. */
  readonly set: NewRow
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<OrderTerm>
  readonly selection: Selection.Selection
  readonly maxAffected: number | undefined
  readonly counted: boolean
  readonly rollback: boolean
  readonly telling: Telling
}

export interface Delete extends Owned {
  readonly _tag: "Delete"
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<OrderTerm>
  readonly selection: Selection.Selection
  readonly maxAffected: number | undefined
  readonly counted: boolean
  readonly rollback: boolean
  readonly telling: Telling
}
