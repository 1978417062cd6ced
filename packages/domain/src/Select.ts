/**
 * What of each row is wanted, as data: columns (renamed, cast, aggregated, reached into) and embedded rows.
 */
import type { Path } from "./Filter.ts"
import type { Query } from "./Query.ts"

export type Item = All | Field | Embed

/** `*`. */
export interface All {
  readonly _tag: "All"
}

/** `[alias:]column[->key…][::cast][.aggregate()][::cast]`; a bare `count()` has no path. */
export interface Field {
  readonly _tag: "Field"
  readonly path: Path | undefined
  readonly alias: string | undefined
  readonly cast: string | undefined
  readonly aggregate: { readonly function: Aggregate; readonly cast: string | undefined } | undefined
}

export type Aggregate = "count" | "sum" | "avg" | "min" | "max"

/** `[alias:]resource[!hint][!inner](…)`, or spread with `...`; filters, order and page of the embed are its query's. */
export interface Embed {
  readonly _tag: "Embed"
  readonly resource: string
  readonly alias: string | undefined
  readonly hint: string | undefined
  readonly join: "left" | "inner"
  readonly spread: boolean
  readonly query: Query
}
