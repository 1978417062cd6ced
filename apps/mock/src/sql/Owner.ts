/**
 * A resource's rows as far as a caller owns them. Every `FROM` is made of one, so no statement can be written that
 * forgets whose rows it may touch.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import type { Fragment } from "./Statement.ts"

export interface OwnedTable {
  readonly resource: Resource.Any
  readonly owner: Owner
}

export interface Owner {
  readonly companyId: string
  readonly userId: string
}

/** The rows of an owner that meet a condition, which names their columns by their table. */
export interface Matching {
  readonly owned: OwnedTable
  readonly where: Fragment
}
