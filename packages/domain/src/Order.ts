/**
 * The terms of an order as data, and the functions that make them.
 */
import * as Filter from "./Filter.ts"

/** A term of an order. */
export interface Order {
  readonly path: Filter.Path
  /** The to-one embed whose column orders the rows: `order=transfer(status)`. */
  readonly embed: string | undefined
  readonly direction: "asc" | "desc"
  /** `undefined` for the default: last when ascending, first when descending. */
  readonly nulls: "first" | "last" | undefined
}

/** A term over a column of the resource itself. */
export interface ColumnOrder<out Column extends string> extends Order {
  readonly path: Filter.PathOf<Column>
  readonly embed: undefined
}

/** A term over a column of an embed. */
export interface EmbedOrder<out Embed extends string = string> extends Order {
  readonly embed: Embed
}

const by =
  (direction: Order["direction"]) =>
  <const Column extends string>(
    column: Column | Filter.PathOf<Column>,
    options: { readonly nulls?: "first" | "last" } = {}
  ): ColumnOrder<Column> => ({
    path: typeof column === "string" ? Filter.column(column) : column,
    embed: undefined,
    direction,
    nulls: options.nulls
  })

/** Ascending order. */
export const asc = by("asc")

/**
 * Descending order.
 *
 * @example
 * Query.desc("transferDate", { nulls: "last" })
 */
export const desc = by("desc")

/** Orders rows by a term over one of their to-one embeds. */
export const through = <const Embed extends string>(embed: Embed, term: ColumnOrder<string>): EmbedOrder<Embed> => ({
  ...term,
  embed
})
