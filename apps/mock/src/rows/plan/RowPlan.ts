/**
 * The plan of a request: what is read or written, checked against the catalogue and the caller.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Condition } from "../../sql/read/Condition.ts"
import type { NewRow } from "../../sql/write/Mutation.ts"
import type * as StoredGuard from "../../sql/write/StoredGuard.ts"
import type { OrderTerm } from "../../sql/read/Order.ts"
import type { OwnedTable } from "../../sql/Owner.ts"
import type { Selection } from "../../sql/read/Selection.ts"
import type * as ResponseShape from "./ResponseShape.ts"

export type RowPlan = Read | Insert | Upsert | Update | Delete

interface Planned extends OwnedTable {
  readonly selection: Selection
  readonly counted: boolean
  readonly responseShape: ResponseShape.ResponseShape
}

interface Filtered extends Planned {
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<OrderTerm>
}

interface Change extends Planned {
  /** Whether it is undone once it is known what it would have done. */
  readonly rollback: boolean
}

export interface Read extends Filtered {
  readonly _tag: "Read"
  readonly limit: number | undefined
  readonly offset: number
  /** Of an update that changes nothing: values of columns that the service sets, which every row must hold already. */
  readonly expected?: NewRow
}

export interface Insert extends Change {
  readonly _tag: "Insert"
  readonly rows: ReadonlyArray<NewRow>
}

export interface Upsert extends Change {
  readonly _tag: "Upsert"
  readonly rows: ReadonlyArray<NewRow>
  /** Columns the caller gave, which a merge overwrites. */
  readonly given: ReadonlyArray<string>
  /** What a merge sets besides: who changed the row, and when. */
  readonly touch: NewRow
  readonly target: ReadonlyArray<string>
  /** What becomes of a row that stands already; `replace` is the merge of a whole row. */
  readonly resolution: "merge" | "ignore" | "replace"
  /** Values of columns that the service sets, which may only repeat what is stored. */
  readonly expected: ReadonlyArray<StoredGuard.Expected>
}

export interface Update extends Change, Filtered {
  readonly _tag: "Update"
  readonly set: NewRow
  /** Values of columns that the service sets, which every row must hold already. */
  readonly expected: NewRow
  readonly maxAffected: number | undefined
}

export interface Delete extends Change, Filtered {
  readonly _tag: "Delete"
  readonly rules: RuleSet
  readonly maxAffected: number | undefined
}
