/**
 * The plan of a request: the rows to read or write, checked against the catalogue and the caller.
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

interface CommonFields extends OwnedTable {
  readonly selection: Selection
  readonly counted: boolean
  readonly responseShape: ResponseShape.ResponseShape
}

interface FilterFields extends CommonFields {
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<OrderTerm>
}

interface WriteFields extends CommonFields {
  /** Rolls the write back after its outcome is known. */
  readonly rollback: boolean
}

export interface Read extends FilterFields {
  readonly _tag: "Read"
  readonly limit: number | undefined
  readonly offset: number
  /** Set for an update without changes, which is planned as a read: service-set values that every row must have. */
  readonly expected?: NewRow
}

export interface Insert extends WriteFields {
  readonly _tag: "Insert"
  readonly rows: ReadonlyArray<NewRow>
}

export interface Upsert extends WriteFields {
  readonly _tag: "Upsert"
  readonly rows: ReadonlyArray<NewRow>
  /** The columns in the request, which a merge overwrites. */
  readonly given: ReadonlyArray<string>
  /** The columns that every merge sets: the user and the time of the update. */
  readonly auditColumns: NewRow
  readonly target: ReadonlyArray<string>
  /** The treatment of a row that exists already; `replace` (PUT) overwrites the whole row. */
  readonly resolution: "merge" | "ignore" | "replace"
  /** Values of columns that the service sets, which may only repeat the stored values. */
  readonly expected: ReadonlyArray<StoredGuard.Expected>
}

export interface Update extends WriteFields, FilterFields {
  readonly _tag: "Update"
  readonly set: NewRow
  /** Service-set values that every row must have. */
  readonly expected: NewRow
  /** Tables that the caller cannot read, when the address of webhooks changes: no webhook may be of these. */
  readonly unreadable: ReadonlyArray<string>
  readonly maxAffected: number | undefined
}

export interface Delete extends WriteFields, FilterFields {
  readonly _tag: "Delete"
  readonly rules: RuleSet
  readonly maxAffected: number | undefined
}
