/**
 * Which rows are wanted, in terms of a resource: columns with values or conditions, and trees over them. What does
 * not fit the resource's columns does not compile.
 */
import type { CalendarDate } from "./CalendarDate.ts"
import * as Condition from "./Condition.ts"
import * as Filter from "./Filter.ts"
import type { JsonObject } from "./Json.ts"
import type * as Resource from "./Resource.ts"
import type { Timestamp } from "./Timestamp.ts"

/** Rows that meet every column's condition, or that a predicate holds of. */
export type Where<R extends Resource.Any> = Columns<R> | Predicate<R>

/** A plain value means equality, and null means `is.null`. */
export type Columns<R extends Resource.Any> = {
  readonly [C in Resource.Column<R>]?: Accepts<Resource.Row<R>[C]>
}

/** What can be asked of a column of some type; of a resource that is not known, anything. */
export type Accepts<A> = 0 extends A & 1
  ? Condition.Scalar | Condition.Any | null
  : Fitting<NonNullable<A>> | (null extends A ? null : never)

type Plain<V, K extends Condition.Kind> = V | Condition.Condition<K | "equal" | "null", V>

// Tuples, because a vocabulary or a boolean is a union that has to stay whole.
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

/** Filters that all hold, made for the rows of a resource. */
export interface Predicate<in R extends Resource.Any> {
  readonly [TypeId]: (resource: R) => void
  readonly filters: ReadonlyArray<Filter.Filter>
}

const predicate = <R extends Resource.Any>(filters: ReadonlyArray<Filter.Filter>): Predicate<R> => ({
  [TypeId]: () => {},
  filters
})

const isPredicate = <R extends Resource.Any>(where: Where<R>): where is Predicate<R> => TypeId in where

/** The filters that a where says; all of them hold. */
export const toFilters = <R extends Resource.Any>(where: Where<R>): ReadonlyArray<Filter.Filter> =>
  isPredicate(where)
    ? where.filters
    : Object.entries<unknown>(where).flatMap(([name, asked]) =>
        asked === undefined ? [] : flatten(toCondition(asked).on(Filter.column(name)))
      )

const toCondition = (asked: unknown): Condition.Any =>
  Condition.isCondition(asked) ? asked : asked === null ? Condition.is(null) : Condition.eq(String(asked))

/** An `and` where everything holds anyway is what it lists. */
const flatten = (filter: Filter.Filter): ReadonlyArray<Filter.Filter> =>
  filter._tag === "And" && !filter.negated ? filter.filters.flatMap(flatten) : [filter]

/** One filter instead of several. Of none it is an empty tree, which services refuse: better than every row. */
const together = (filters: ReadonlyArray<Filter.Filter>): Filter.Filter => {
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : { _tag: "And", negated: false, filters }
}

type AtLeastOne<A> = readonly [A, ...ReadonlyArray<A>]

/** Rows for which all of these hold. */
export const and = <R extends Resource.Any>(...wheres: AtLeastOne<Where<R>>): Predicate<R> =>
  predicate(wheres.flatMap(toFilters))

/**
 * Rows for which one of these holds.
 *
 * @example
 * Query.or({ status: "Draft" }, { transferDate: null })
 */
export const or = <R extends Resource.Any>(...wheres: AtLeastOne<Where<R>>): Predicate<R> =>
  predicate([{ _tag: "Or", negated: false, filters: wheres.map((where) => together(toFilters(where))) }])

/** The opposite of a column's condition, or of a where; what is null is in neither. */
export function not<C extends Condition.Any>(condition: C): C
export function not<R extends Resource.Any>(where: Where<R>): Predicate<R>
export function not<R extends Resource.Any>(asked: Condition.Any | Where<R>): Condition.Any | Predicate<R> {
  return Condition.isCondition(asked)
    ? { ...asked, on: (path) => Filter.negate(asked.on(path)) }
    : predicate([Filter.negate(together(toFilters(asked)))])
}

/** Rows whose column holds, at the end of a path into its JSON, what meets a condition. */
export const at = <R extends Resource.Any>(
  path: Filter.PathOf<Resource.Column<R>>,
  condition: Condition.Any
): Predicate<R> => predicate(flatten(condition.on(path)))

/** Rows for which an embed of this name finds something. */
export const exists = <R extends Resource.Any>(embed: string): Predicate<R> =>
  predicate([Condition.is("not_null").on(Filter.column(embed))])
