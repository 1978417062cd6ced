/**
 * The position after a row in an order, as text to store and send. It holds the ordered values of the row, so that rows
 * created or removed in the meantime do not shift the next page.
 */
import * as Condition from "@mfgdata/domain/Condition"
import type * as Filter from "@mfgdata/domain/Filter"
import * as Order from "@mfgdata/domain/Order"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Brand from "effect/Brand"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"

export type Cursor = string & Brand.Brand<"@mfgdata/client/Cursor">

/** A stored text as a cursor. A page rejects a text that is not a cursor of its query. */
export const fromText = (text: string): Cursor => nominal(text)

const nominal = Brand.nominal<Cursor>()

type Scalar = string | number | boolean | null

/** One term of the order of a cursor, and whether its values can be null. */
export interface Term {
  readonly order: Order.Order
  readonly nullable: boolean
}

const pathOf = ({ column, json }: Filter.Path): string =>
  json.reduce((text, { arrow, key }) => `${text}${arrow}${JSON.stringify(key)}`, column)

const nullsOf = ({ direction, nulls }: Order.Order): "first" | "last" =>
  nulls ?? (direction === "asc" ? "last" : "first")

/** The text that identifies an order: cursors of other orders have another one. */
const signature = (terms: ReadonlyArray<Term>): string =>
  terms.map(({ order }) => `${pathOf(order.path)}.${order.direction}.${nullsOf(order)}`).join()

const print = (order: string, values: ReadonlyArray<Scalar>): Cursor =>
  nominal(Encoding.encodeBase64Url(JSON.stringify([order, ...values])))

/** The cursor after a row with these values. */
export const make = (terms: ReadonlyArray<Term>, values: ReadonlyArray<Scalar>): Cursor =>
  print(signature(terms), values)

/** The cursor after the row with a key, ordered by key: for programs that store the key of the last processed row. */
export const fromKey = <R extends Resource.Any>(resource: R, key: Resource.Key<R>): Cursor =>
  print(`${resource.key}.asc.last`, [String(key)])

type OrderTerm<R extends Resource.Any> = Resource.Column<R> | Order.ColumnOrder<Resource.Column<R>>
type NameOf<T> = T extends string ? T : T extends Order.ColumnOrder<infer C> ? C : never

/** A row with the columns of an order, and the key. */
export type OrderedRow<R extends Resource.Any, T> = Pick<
  Resource.Row<R>,
  (NameOf<T> | R["key"]) & keyof Resource.Row<R>
>

/** The order with the key as its last term, so that no two rows have the same place. */
export const total = ({ key }: Resource.Any, order: ReadonlyArray<Order.Order>): ReadonlyArray<Order.Order> =>
  order.some(({ path }) => path.json.length === 0 && path.column === key) ? order : [...order, Order.asc(key)]

/** The value at a path of a row, as the service returns it. */
const valueAt = (row: object, { column, json }: Filter.Path): unknown => {
  const value = json.reduce<unknown>(
    (inner, { key }) =>
      Array.isArray(inner) ? inner.at(Number(key)) : (inner as { readonly [key: string]: unknown } | null)?.[key],
    (row as { readonly [column: string]: unknown })[column]
  )
  return json.at(-1)?.arrow === "->>" && value !== null && value !== undefined && typeof value !== "string"
    ? JSON.stringify(value)
    : (value ?? null)
}

/**
 * The cursor after a row in an order: for programs that store the last processed row.
 *
 * @example
 * const after = Cursor.fromRow(JournalLine, [Query.desc("amount")], line)
 * rows.stream(JournalLine, { order: [Query.desc("amount")], after })
 */
export const fromRow = <R extends Resource.Any, const T extends OrderTerm<R>>(
  resource: R,
  order: ReadonlyArray<T>,
  row: OrderedRow<R, T>
): Cursor => {
  const terms = order.map((term: OrderTerm<R>) => (typeof term === "string" ? Order.asc(term) : term))
  const complete = total(resource, terms)
  return make(
    complete.map((order) => ({ order, nullable: true })),
    complete.map(({ path }) => scalar(valueAt(row, path)))
  )
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** A value of a row as a cursor holds it: arrays and objects as JSON text. */
export const scalar = (value: unknown): Scalar => (isScalar(value) ? value : JSON.stringify(value))

const decode = (cursor: Cursor): unknown => {
  try {
    return JSON.parse(Either.getOrThrow(Encoding.decodeBase64UrlString(cursor)))
  } catch {
    return undefined
  }
}

const and = (filters: ReadonlyArray<Filter.Filter>): Filter.Filter => ({ _tag: "And", negated: false, filters })
const or = (filters: ReadonlyArray<Filter.Filter>): Filter.Filter => ({ _tag: "Or", negated: false, filters })
const all = (filters: ReadonlyArray<Filter.Filter>): Filter.Filter => {
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : and(filters)
}

/** The filter of the rows after a value in the order of one term; `undefined` where there are none. */
const beyond = ({ nullable, order }: Term, value: Scalar): Filter.Filter | undefined => {
  const nullsFirst = nullsOf(order) === "first"
  if (value === null) return nullsFirst ? Condition.is("not_null").on(order.path) : undefined
  const further = (order.direction === "asc" ? Condition.gt(value) : Condition.lt(value)).on(order.path)
  return nullable && !nullsFirst ? or([further, Condition.is(null).on(order.path)]) : further
}

const equal = ({ order }: Term, value: Scalar): Filter.Filter =>
  (value === null ? Condition.is(null) : Condition.eq(value)).on(order.path)

const after = (terms: ReadonlyArray<Term>, values: ReadonlyArray<Scalar>): Filter.Filter | undefined => {
  const [term, ...others] = terms
  const [value, ...rest] = values
  if (term === undefined || value === undefined) return undefined
  const first = beyond(term, value)
  const later = after(others, rest)
  const tied = later === undefined ? undefined : all([equal(term, value), later])
  return first === undefined ? tied : tied === undefined ? first : or([first, tied])
}

/** The ordered values of the row of a cursor; `undefined` where it cannot be read. */
export const values = (cursor: Cursor): ReadonlyArray<Scalar> | undefined => read(cursor)?.values

const read = (cursor: Cursor) => {
  const decoded = decode(cursor)
  if (!Array.isArray(decoded) || decoded.length < 2) return undefined
  const [order, ...values]: ReadonlyArray<unknown> = decoded
  return typeof order === "string" && values.every(isScalar) ? { order, values } : undefined
}

/** The filter of the rows after a cursor; `Left` where it cannot be read, or belongs to another order. */
export const toFilter = (
  cursor: Cursor,
  terms: ReadonlyArray<Term>
): Either.Either<Filter.Filter, "unreadable" | "of another order"> => {
  const decoded = read(cursor)
  if (decoded === undefined) return Either.left("unreadable")
  const { order, values } = decoded
  if (order !== signature(terms) || values.length !== terms.length) return Either.left("of another order")
  const filter = after(terms, values)
  return filter === undefined ? Either.left("unreadable") : Either.right(filter)
}
