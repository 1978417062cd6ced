/**
 * The owner of rows. Every `FROM` is built from a resource together with an owner, so that no statement reads or writes
 * the rows of another company.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import type { Dialect } from "./Dialect.ts"
import type { Fragment } from "./Statement.ts"

/** The rows of a resource that an owner has. */
export interface OwnedTable {
  readonly resource: Resource.Any
  readonly owner: Owner
}

export interface Owner {
  readonly companyId: string
  readonly userId: string
  /** Set for a read of the rows as they were at a time. */
  readonly asOf?: AsOf | undefined
}

/** A time in the past. */
export interface AsOf {
  /** Microseconds since 1970: changes at this time are included. */
  readonly micros: number
  readonly dialect: Dialect
}

/** The rows of an owner that match a condition, in which columns are qualified with the table's name. */
export interface Matching {
  readonly owned: OwnedTable
  readonly where: Fragment
}
