/**
 * One term of an order, as data, and how app developers write it.
 */
import * as Filter from "./Filter.ts"

/** What rows are ordered by, in which direction. */
export interface Order {
  readonly path: Filter.Path
  /** The to-one embed whose column orders the rows: `order=transfer(status)`. */
  readonly embed: string | undefined
  readonly direction: "asc" | "desc"
  /** `undefined` leaves the default: last when ascending, first when descending. */
  readonly nulls: "first" | "last" | undefined
}

/** A term over a column of the rows themselves. */
export interface By<out Column extends string> extends Order {
  readonly path: Filter.PathOf<Column>
  readonly embed: undefined
}

/** A term over a column of an embed. */
export interface Through extends Order {
  readonly embed: string
}

const by =
  (direction: Order["direction"]) =>
  <const Column extends string>(
    column: Column | Filter.PathOf<Column>,
    options: { readonly nulls?: "first" | "last" } = {}
  ): By<Column> => ({
    path: typeof column === "string" ? Filter.column(column) : column,
    embed: undefined,
    direction,
    nulls: options.nulls
  })

/** Smallest first. */
export const asc = by("asc")

/**
 * Largest first.
 *
 * @example
 * Query.desc("transferDate", { nulls: "last" })
 */
export const desc = by("desc")

/** Orders rows by a term over one of their to-one embeds. */
export const through = (embed: string, term: By<string>): Through => ({ ...term, embed })
