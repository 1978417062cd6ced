/**
 * A query of rows as data, and the items of its `select`: columns (renamed, cast, aggregated, or paths into JSON) and
 * embedded rows, which are queries themselves.
 */
import type { Filter, Path } from "./Filter.ts"
import type { Order } from "./Order.ts"

export interface Query {
  /** Empty selects every column, or nothing inside an embed. */
  readonly select: ReadonlyArray<Item>
  /** Filters that all have to match. */
  readonly where: ReadonlyArray<Filter>
  readonly order: ReadonlyArray<Order>
  readonly limit: number | undefined
  readonly offset: number | undefined
}

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

/** `[alias:]count()[::cast]`: the number of rows. */
export interface Count {
  readonly _tag: "Count"
  readonly alias: string | undefined
  readonly cast: string | undefined
}

/** The aggregate functions of a column. */
export const aggregates = ["count", "sum", "avg", "min", "max"] as const

export type Aggregate = (typeof aggregates)[number]

/** `[alias:]resource[!hint][!inner](…)`, or spread with `...`; `query` has the filters, order and page of the embed. */
export interface Embed {
  readonly _tag: "Embed"
  readonly resource: string
  /** `undefined` for a spread: its columns become columns of the row. */
  readonly alias: string | undefined
  readonly hint: string | undefined
  readonly join: Join
  readonly spread: boolean
  readonly query: Query
}

/** `left` (the default) returns rows without embedded rows; `inner` leaves them out. */
export type Join = "left" | "inner"
