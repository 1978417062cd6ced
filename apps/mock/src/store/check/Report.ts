/**
 * The results of a check and of a repair of a store, and their errors.
 */
import * as Data from "effect/Data"
import type { Finding } from "./Finding.ts"

/** The changes of a repair. */
interface Repair {
  /** The path of the copy from before the repair; undefined if none was wanted. */
  readonly backup: string | undefined
  /** The path of the file with what is left of lost rows; undefined if none was lost. */
  readonly lost: string | undefined
  readonly lostRows: number
  /** Set when the rows that are left violate the rules of the store, which has the rules of the contract now. */
  readonly hasLostRules: boolean
}

export interface Report {
  readonly findings: ReadonlyArray<Finding>
  /** Undefined if there was nothing to repair, or no repair was wanted. */
  readonly repair: Repair | undefined
}

export interface Options {
  readonly isRepair: boolean
  readonly hasBackup: boolean
}

/** The store is damaged beyond a repair. */
export class RepairImpossible extends Data.TaggedError("RepairImpossible")<{
  readonly store: string
  readonly reason: string
}> {
  override get message() {
    return (
      `The store ${this.store} cannot be repaired: ${this.reason}. ` +
      `Move the file away, and restore a snapshot with "mfg-mock snapshot restore"`
    )
  }
}

/** The time in names of files. */
export const stamp = (millis: number): string => new Date(millis).toISOString().replaceAll(/[-:]|\.\d+/g, "")
