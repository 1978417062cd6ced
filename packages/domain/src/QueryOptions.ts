/**
 * A query in terms of a resource: what app developers write, checked by the compiler, and turned into plain data.
 */
import * as Order from "./Order.ts"
import type * as Resource from "./Resource.ts"
import type * as Select from "./Select.ts"
import * as Selection from "./Selection.ts"
import * as Where from "./Where.ts"

/** What can be asked of a resource's rows; all of it may be left out. */
export interface Options<R extends Resource.Any, S extends Selection.Selection<R> = readonly []> {
  /** Left out or empty means whole rows. */
  readonly select?: S
  readonly where?: Where.Where<R>
  readonly order?: ReadonlyArray<Term<R>>
  readonly limit?: number
  readonly offset?: number
}

/** A column stands for its ascending order. */
export type Term<R extends Resource.Any> = Resource.Column<R> | Order.By<Resource.Column<R>> | Order.Through

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
 * The query that some options say.
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
  // The options are checked against it; the data names no resource.
  _resource: R,
  options: Options<R, S> = {}
): Select.Query => toQuery<R>(options, [])

/** What can be asked of rows that are spread: left out, `select` means whole rows, and empty none of them. */
export interface SpreadOptions<
  E extends Resource.Any,
  S extends Selection.Selection<E>,
  J extends Select.Join
> extends Options<E, S> {
  /** `"inner"` leaves out the rows for which nothing is embedded. */
  readonly join?: J
  /** The column that refers, where more than one does. */
  readonly hint?: string
}

/** What can be asked of embedded rows. */
export interface EmbedOptions<
  E extends Resource.Any,
  S extends Selection.Selection<E>,
  Name extends string,
  J extends Select.Join
> extends SpreadOptions<E, S, J> {
  /** The name under which they come; left out, the resource's. */
  readonly as?: Name
}

/** Of embedded rows everything is wanted unless it is said. */
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
 * Rows of a resource that refers to this one, or the row it refers to, as an item of a selection.
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

/** As `embed`, the columns put among the row's own: as they are, or as arrays where many rows are embedded. */
export const spread = <
  E extends Resource.Any,
  const S extends Selection.Selection<E> = readonly ["*"],
  const J extends Select.Join = "left"
>(
  resource: E,
  options: SpreadOptions<E, S, J> = {}
): Selection.Embedding<E, S, never, J, true> =>
  Selection.embedding(toEmbed(resource, options, undefined, true), resource, options.select ?? everything)
