/**
 * Makes queries from options in terms of a resource, which the compiler checks against its columns.
 */
import * as Order from "./Order.ts"
import type * as Resource from "./Resource.ts"
import type * as Select from "./Select.ts"
import * as Selection from "./Selection.ts"
import type * as TextQuery from "./TextQuery.ts"
import * as Where from "./Where.ts"

/** The options of a query. */
export interface Options<R extends Resource.Any, S extends Selection.Selection<R> = readonly []> {
  /** The columns and embeds to return (default: all columns). */
  readonly select?: S & Selection.Referring<R, S>
  readonly where?: Where.Where<R, Selection.EmbedName<S>>
  readonly order?: ReadonlyArray<Term<R, Selection.EmbedName<S>>>
  readonly limit?: number
  readonly offset?: number
  /** Only methods of a client accept a text. */
  readonly [TextQuery.TypeId]?: never
}

/** A column means its ascending order. */
export type Term<R extends Resource.Any, Embed extends string = string> =
  | Resource.Column<R>
  | Order.ColumnOrder<Resource.Column<R>>
  | Order.EmbedOrder<Embed>

const toQuery = <R extends Resource.Any>(
  options: Options<R, Selection.Selection<R>>,
  select: Selection.Selection<R>
): Select.Query => ({
  select: Selection.toItems(options.select ?? select),
  where: options.where === undefined ? [] : Where.toFilters(options.where),
  order: (options.order ?? []).map((term) => (typeof term === "string" ? Order.asc(term) : term)),
  limit: options.limit,
  offset: options.offset
})

/**
 * Makes a query from options.
 *
 * @example
 * Query.make(WarehouseTransfer, {
 *   select: ["id", "status"],
 *   where: { status: "Draft", transferDate: Query.gte("2026-01-01") },
 *   order: [Query.desc("transferDate")],
 *   limit: 50
 * })
 */
export const make = <R extends Resource.Any, const S extends Selection.Selection<R> = readonly []>(
  // Only the types of the options depend on the resource.
  _resource: R,
  options: Options<R, S> = {}
): Select.Query => toQuery<R>(options, [])

/** The options of a spread. `select` defaults to all columns; an empty one selects none. */
export interface SpreadOptions<
  E extends Resource.Any,
  S extends Selection.Selection<E>,
  J extends Select.Join
> extends Options<E, S> {
  /** `"inner"` leaves out rows without an embedded row. */
  readonly join?: J
  /** The referring column, where there are several. */
  readonly hint?: string
}

/** The options of an embed. */
export interface EmbedOptions<
  E extends Resource.Any,
  S extends Selection.Selection<E>,
  Name extends string,
  J extends Select.Join
> extends SpreadOptions<E, S, J> {
  /** The field of the embedded rows (default: the name of the resource). */
  readonly as?: Name
}

/** The default selection of embedded rows. */
const everything = ["*"] as const

const toEmbed = <E extends Resource.Any>(
  resource: E,
  options: SpreadOptions<E, Selection.Selection<E>, Select.Join>,
  alias: string | undefined,
  spread: boolean
): Select.Embed => ({
  _tag: "Embed",
  resource: resource.resource,
  alias: alias === resource.resource ? undefined : alias,
  hint: options.hint,
  join: options.join ?? "left",
  spread,
  query: toQuery<E>(options, everything)
})

/**
 * Embeds the rows of a resource that refers to this one, or the row that this one refers to.
 *
 * @example
 * Query.make(WarehouseTransfer, {
 *   select: ["id", Query.embed(WarehouseTransferLine, { as: "lines", select: ["itemId", "quantity"] })]
 * })
 */
export const embed = <
  E extends Resource.Any,
  const S extends Selection.Selection<E> = readonly ["*"],
  const Name extends string = E["resource"],
  const J extends Select.Join = "left"
>(
  resource: E,
  options: EmbedOptions<E, S, Name, J> = {}
): Selection.Embedding<E, S, Name, J, false> =>
  Selection.embedding(toEmbed(resource, options, options.as, false), resource, options.select ?? everything)

/** Embeds rows, and adds their columns to those of the row: as values, or as arrays where many rows are embedded. */
export const spread = <
  E extends Resource.Any,
  const S extends Selection.Selection<E> = readonly ["*"],
  const J extends Select.Join = "left"
>(
  resource: E,
  options: SpreadOptions<E, S, J> = {}
): Selection.Embedding<E, S, never, J, true> =>
  Selection.embedding(toEmbed(resource, options, undefined, true), resource, options.select ?? everything)
