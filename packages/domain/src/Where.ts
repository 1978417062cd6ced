/**
 * The `where` of a resource: columns with values or conditions, and trees of them. The compiler checks them against the
 * columns of the resource.
 */
import { identity } from "effect/Function"
import type { Covariant } from "effect/Types"
import type { CalendarDate } from "./CalendarDate.ts"
import * as Condition from "./Condition.ts"
import * as Filter from "./Filter.ts"
import type { JsonObject } from "./Json.ts"
import type * as Resource from "./Resource.ts"
import type { Timestamp } from "./Timestamp.ts"

/** The conditions of some columns, which all have to match, or a predicate. */
export type Where<R extends Resource.Any, Embed extends string = never> = Columns<R> | Predicate<R, Embed>

/** The conditions of columns. A value means equality, and null means `is.null`. */
export type Columns<R extends Resource.Any> = {
  readonly [C in Resource.Column<R>]?: ColumnCondition<Resource.Row<R>[C]>
}

/** The values and conditions that a column of a type accepts; any for an unknown resource. */
export type ColumnCondition<A> = 0 extends A & 1
  ? Condition.Scalar | Condition.Any | null
  : Fitting<Exclude<A, null>> | (null extends A ? null : never)

/** A number, or a condition of numbers. */
export type NumberOrCondition = number | Condition.Condition<"equal" | "order" | "null", number>
/** A boolean, or a condition of booleans. */
export type BooleanOrCondition = boolean | Condition.Condition<"equal" | "truth" | "null", boolean>
/** A date or timestamp as text, or a condition of such texts. */
export type DateOrCondition = string | Condition.Condition<"equal" | "order" | "null", string>
/** A text, or a condition of texts. */
export type TextOrCondition<A> =
  | A
  | Condition.Condition<"equal" | "order" | "null", A>
  | Condition.Condition<"pattern" | "search", string>
/** A condition of arrays, such as `Query.contains(["a"])`. */
export type ArrayCondition =
  | Condition.Condition<"contain" | "overlap", ReadonlyArray<string>>
  | Condition.Condition<"null", never>
/** A condition of objects, such as `Query.contains({ a: 1 })`. */
export type ObjectCondition = Condition.Condition<"contain", JsonObject> | Condition.Condition<"null", never>

// Tuples keep the unions of vocabularies and booleans together.
type Fitting<A> = [A] extends [number]
  ? NumberOrCondition
  : [A] extends [boolean]
    ? BooleanOrCondition
    : [A] extends [CalendarDate | Timestamp]
      ? DateOrCondition
      : [A] extends [string]
        ? TextOrCondition<A>
        : [A] extends [ReadonlyArray<string>]
          ? ArrayCondition
          : ObjectCondition

const TypeId: unique symbol = Symbol.for("@mfgdata/domain/Where/Predicate")

/** Filters of a resource, which all have to match; a query has to select the embeds that they name. */
export interface Predicate<in R extends Resource.Any, out Embed extends string = never> {
  readonly [TypeId]: { readonly _Resource: (resource: R) => void; readonly _Embed: Covariant<Embed> }
  readonly filters: ReadonlyArray<Filter.Filter>
}

/**
 * The resource of a predicate that is made where no resource is expected, which no query accepts. Annotate its variable:
 * `const where: Query.Where<typeof Holiday> = Query.or(…)`.
 */
export interface UnknownResource extends Resource.Any {
  readonly resource: "unknown: annotate the predicate with Query.Where<typeof Resource>"
}

const predicate = <R extends Resource.Any, Embed extends string>(
  filters: ReadonlyArray<Filter.Filter>
): Predicate<R, Embed> => ({
  [TypeId]: { _Resource: () => {}, _Embed: identity },
  filters
})

const isPredicate = <R extends Resource.Any, Embed extends string>(
  where: Where<R, Embed>
): where is Predicate<R, Embed> => TypeId in where

/** The filters of a `where`, which all have to match. */
export const toFilters = <R extends Resource.Any, Embed extends string>(
  where: Where<R, Embed>
): ReadonlyArray<Filter.Filter> =>
  isPredicate(where)
    ? where.filters
    : Object.entries<unknown>(where).flatMap(([name, condition]) =>
        condition === undefined ? [] : flatten(toCondition(condition).on(Filter.column(name)))
      )

const toCondition = (value: unknown): Condition.Any =>
  Condition.isCondition(value) ? value : value === null ? Condition.is(null) : Condition.eq(String(value))

/** Replaces an `and` by its filters. */
const flatten = (filter: Filter.Filter): ReadonlyArray<Filter.Filter> =>
  filter._tag === "And" && !filter.negated ? filter.filters.flatMap(flatten) : [filter]

/** Combines filters into one. Without filters it is an empty tree, which services reject instead of matching every row. */
const together = (filters: ReadonlyArray<Filter.Filter>): Filter.Filter => {
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : { _tag: "And", negated: false, filters }
}

type AtLeastOne<A> = readonly [A, ...ReadonlyArray<A>]

/** Matches rows that match all of these. */
export const and = <R extends Resource.Any = UnknownResource, Embed extends string = never>(
  ...wheres: AtLeastOne<Where<R, Embed>>
): Predicate<R, Embed> => predicate(wheres.flatMap((where) => toFilters(where)))

/**
 * Matches rows that match one of these.
 *
 * @example
 * Query.or({ status: "Draft" }, { transferDate: null })
 */
export const or = <R extends Resource.Any = UnknownResource, Embed extends string = never>(
  ...wheres: AtLeastOne<Where<R, Embed>>
): Predicate<R, Embed> =>
  predicate([{ _tag: "Or", negated: false, filters: wheres.map((where) => together(toFilters(where))) }])

/** Negates the condition of a column, or a `where`. Rows for which it is null match neither. */
export function not<R extends Resource.Any = UnknownResource, Embed extends string = never>(
  where: Where<R, Embed>
): Predicate<R, Embed>
/** Negates the condition of a column, or a `where`. Rows for which it is null match neither. */
export function not<C extends Condition.Any>(condition: C): C
export function not<R extends Resource.Any, Embed extends string>(
  condition: Condition.Any | Where<R, Embed>
): Condition.Any | Predicate<R, Embed> {
  return Condition.isCondition(condition)
    ? { ...condition, on: (path) => Filter.negate(condition.on(path)) }
    : predicate([Filter.negate(together(toFilters(condition)))])
}

/** Matches rows whose value at a path into JSON meets a condition. */
export const at = <R extends Resource.Any = UnknownResource>(
  path: Filter.PathOf<Resource.Column<R>>,
  condition: Condition.Any
): Predicate<R> => predicate(flatten(condition.on(path)))

/** Matches rows that have embedded rows under this name, which the query has to select. */
export const exists = <R extends Resource.Any = UnknownResource, const Embed extends string = never>(
  embed: Embed
): Predicate<R, Embed> => predicate([Condition.is("not_null").on(Filter.column(embed))])
