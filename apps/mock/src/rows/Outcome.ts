/**
 * The outcome of a plan: the rows that were read or written.
 */
import type { Affected } from "../sql/write/Mutation.ts"

/** A row that was written, with its JSON where the response shows it. */
export interface WrittenRow extends Affected {
  readonly json: string | undefined
}

export type Outcome =
  /** `rows` is a JSON array; `total` is the exact count, if requested. */
  | {
      readonly _tag: "Page"
      readonly rows: string
      readonly count: number
      readonly total: number | undefined
      readonly offset: number
    }
  | { readonly _tag: "One"; readonly row: string; readonly revision: number }
  | { readonly _tag: "Written"; readonly rows: ReadonlyArray<WrittenRow> }

/** A write that was undone as requested, with its outcome. */
export interface RolledBack {
  readonly _tag: "RolledBack"
  readonly outcome: Outcome
}
