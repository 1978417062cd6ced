/**
 * What of each row is wanted, as data: columns (renamed, cast, aggregated, reached into) and embedded rows.
 */
import type { Filter, Path } from "./Filter.ts"
import type { Order } from "./Order.ts"

/** One item of a select. */
export type Item = All | Field | Count | Embed

/** `*`. */
export interface All {
  readonly _tag: "All"
}

/** `[alias:]column[->key…][::cast][.aggregate()][::cast]`. */
export interface Field {
  readonly _tag: "Field"
  readonly path: Path
  readonly alias: string | undefined
  readonly cast: string | undefined
  readonly aggregate: { readonly function: Aggregate; readonly cast: string | undefined } | undefined
}

/** `[alias:]count()[::cast]`: how many rows, whatever their columns. */
export interface Count {
  readonly _tag: "Count"
  readonly alias: string | undefined
  readonly cast: string | undefined
}

/** The functions a column can be aggregated with. */
export const aggregates = ["count", "sum", "avg", "min", "max"] as const

export type Aggregate = (typeof aggregates)[number]

/** `[alias:]resource[!hint][!inner](…)`, or spread with `...`; filters, order and page of the embed are its query's. */
export interface Embed {
  readonly _tag: "Embed"
  readonly resource: string
  /** A spread has none: its columns join the row's own. */
  readonly alias: string | undefined
  readonly hint: string | undefined
  readonly join: Join
  readonly spread: boolean
  readonly query: Query
}

/** Whether a row stays when nothing is embedded (`left`, the default) or goes (`inner`). */
export type Join = "left" | "inner"

/** The query of a resource's rows; what is embedded has a query of its own. */
export interface Query {
  /** Empty means every column at the top, and nothing inside an embed. */
  readonly select: ReadonlyArray<Item>
  /** All of them hold. */
  readonly where: ReadonlyArray<Filter>
  readonly order: ReadonlyArray<Order>
  readonly limit: number | undefined
  readonly offset: number | undefined
}
