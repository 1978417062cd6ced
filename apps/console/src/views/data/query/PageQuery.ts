/**
 * Makes the queries of a grid's pages: after the last row of the page before where the order allows it, so that rows that
 * are created or removed in the meantime do not shift the page, and otherwise at an offset.
 */
import * as Catalogue from "../../../service/Catalogue.ts"
import * as GridQuery from "./GridQuery.ts"
import type { Range } from "../grid/RowWindow.ts"

/** The columns besides the chosen ones that a page needs: the key, and those of its order. */
const selected = (resource: Catalogue.ResourceInfo, { columns, order }: GridQuery.GridQuery): ReadonlyArray<string> =>
  columns.length === 0 ? columns : [...new Set([...columns, resource.key, ...order.map(({ column }) => column)])]

interface Place {
  readonly sort: GridQuery.Sort
  readonly value: unknown
  readonly isNullable: boolean
}

/** The condition of the rows beyond a value of one column; empty where there are none. Nulls come last when ascending. */
const beyond = ({ isNullable, sort: { column, direction }, value }: Place): string => {
  const isAscending = direction === "asc"
  if (value === null) return isAscending ? "" : `${column}.not.is.null`
  const further = `${column}.${isAscending ? "gt" : "lt"}.${GridQuery.quote(String(value))}`
  return isNullable && isAscending ? `or(${further},${column}.is.null)` : further
}

const equal = ({ sort: { column }, value }: Place): string =>
  value === null ? `${column}.is.null` : `${column}.eq.${GridQuery.quote(String(value))}`

/** The condition of the rows after the places of one. */
const after = ([place, ...rest]: ReadonlyArray<Place>): string => {
  if (place === undefined) return ""
  const first = beyond(place)
  const later = after(rest)
  const tied = later === "" ? "" : `and(${equal(place)},${later})`
  return first === "" || tied === "" ? first + tied : `or(${first},${tied})`
}

/** The places of a row in an order that ends with the key; `undefined` where they cannot be compared. */
const placesOf = (
  resource: Catalogue.ResourceInfo,
  order: ReadonlyArray<GridQuery.Sort>,
  { after: row }: Range
): ReadonlyArray<Place> | undefined => {
  // Without an order, rows come in the order of their creation, which no column holds.
  if (row === undefined || order.length === 0) return undefined
  const places = order.flatMap((sort): ReadonlyArray<Place> => {
    const column = Catalogue.columnOf(resource, sort.column)
    const value = row.values[sort.column]
    const isComparable = column !== undefined && column.type !== "object" && column.type !== "array"
    return isComparable && value !== undefined && !row.cut.has(sort.column)
      ? [{ sort, value, isNullable: column.nullable }]
      : []
  })
  return places.length === order.length ? places : undefined
}

/** The text of the query of a page. */
export const toText = (resource: Catalogue.ResourceInfo, query: GridQuery.GridQuery, range: Range): string => {
  const offset = query.terms.find((term) => term._tag === "Text" && term.name === "offset")
  const isKeyed = query.order.some(({ column }) => column === resource.key)
  const order =
    isKeyed || query.order.length === 0
      ? query.order
      : [...query.order, { column: resource.key, direction: "asc" } as const]
  const places = offset === undefined ? placesOf(resource, order, range) : undefined
  const text = GridQuery.toText(resource, {
    terms: query.terms.filter((term) => term !== offset),
    order,
    columns: selected(resource, query),
    limit: range.limit
  })
  const start = range.offset + (offset?._tag === "Text" ? Number(offset.value) || 0 : 0)
  if (places !== undefined) return `and=${encodeURIComponent(`(${after(places)})`)}&${text}`
  return start === 0 ? text : `${text}&offset=${start}`
}
