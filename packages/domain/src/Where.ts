/**
 * The `where` of a resource: columns with values or conditions, and trees of them. The compiler checks them against the
 * columns of the resource.
 */
import type { CalendarDate } from "./CalendarDate.ts"
import * as Condition from "./Condition.ts"
import * as Filter from "./Filter.ts"
import type { JsonObject } from "./Json.ts"
import type * as Resource from "./Resource.ts"
import type { Timestamp } from "./Timestamp.ts"

/** The conditions of some columns, which all have to match, or a predicate. */
export type Where<R extends Resource.Any> = Columns<R> | Predicate<R>

/** The conditions of columns. A value means equality, and null means `is.null`. */
export type Columns<R extends Resource.Any> = {
  readonly [C in Resource.Column<R>]?: ColumnCondition<Resource.Row<R>[C]>
}

/** The conditions that a column of a type accepts; any condition for an unknown resource. */
export type ColumnCondition<A> = 0 extends A & 1
  ? Condition.Scalar | Condition.Any | null
  : Fitting<NonNullable<A>> | (null extends A ? null : never)

type Plain<V, K extends Condition.Kind> = V | Condition.Condition<K | "equal" | "null", V>

// Tuples keep the unions of vocabularies and booleans together.
type Fitting<A> = [A] extends [number]
  ? Plain<number, "order">
  : [A] extends [boolean]
    ? Plain<boolean, "truth">
    : [A] extends [CalendarDate | Timestamp]
      ? Plain<string, "order">
      : [A] extends [string]
        ? Plain<A, "order"> | Condition.Condition<"pattern" | "search", string>
        : [A] extends [ReadonlyArray<string>]
          ? Condition.Condition<"contain" | "overlap" | "null", ReadonlyArray<string>>
          : Condition.Condition<"contain" | "null", JsonObject>

const TypeId: unique symbol = Symbol.for("@mfgdata/domain/Where/Predicate")

/** Filters of a resource, which all have to match. */
export interface Predicate<in R extends Resource.Any> {
  readonly [TypeId]: (resource: R) => void
  readonly filters: ReadonlyArray<Filter.Filter>
}

const predicate = <R extends Resource.Any>(filters: ReadonlyArray<Filter.Filter>): Predicate<R> => ({
  [TypeId]: () => {},
  filters
})

const isPredicate = <R extends Resource.Any>(where: Where<R>): where is Predicate<R> => TypeId in where

/** The filters of a `where`, which all have to match. */
export const toFilters = <R extends Resource.Any>(where: Where<R>): ReadonlyArray<Filter.Filter> =>
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
export const and = <R extends Resource.Any>(...wheres: AtLeastOne<Where<R>>): Predicate<R> =>
  predicate(wheres.flatMap(toFilters))

/**
 * Matches rows that match one of these.
 *
 * @example
 * Query.or({ status: "Draft" }, { transferDate: null })
 */
export const or = <R extends Resource.Any>(...wheres: AtLeastOne<Where<R>>): Predicate<R> =>
  predicate([{ _tag: "Or", negated: false, filters: wheres.map((where) => together(toFilters(where))) }])

/** Negates the condition of a column, or a `where`. Rows for which it is null match neither. */
export function not<C extends Condition.Any>(condition: C): C
export function not<R extends Resource.Any>(where: Where<R>): Predicate<R>
export function not<R extends Resource.Any>(condition: Condition.Any | Where<R>): Condition.Any | Predicate<R> {
  return Condition.isCondition(condition)
    ? { ...condition, on: (path) => Filter.negate(condition.on(path)) }
    : predicate([Filter.negate(together(toFilters(condition)))])
}

/** Matches rows whose value at a path into JSON meets a condition. */
export const at = <R extends Resource.Any>(
  path: Filter.PathOf<Resource.Column<R>>,
  condition: Condition.Any
): Predicate<R> => predicate(flatten(condition.on(path)))

/** Matches rows that have embedded rows under this name. */
export const exists = <R extends Resource.Any>(embed: string): Predicate<R> =>
  predicate([Condition.is("not_null").on(Filter.column(embed))])
