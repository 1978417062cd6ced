/**
 * Requests one page of rows, after or before a row: by key, so that no page costs more than another.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import * as Cursor from "@mfgdata/client/Cursor"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Order from "@mfgdata/domain/Order"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as RowQuery from "../RowQuery.ts"
import type { Connection } from "../service/Connection.ts"

/** The column that orders the rows; rows of the same value are ordered by key. */
export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** The place of a page among the rows. */
export type Anchor =
  | { readonly _tag: "First" }
  | { readonly _tag: "Last" }
  | { readonly _tag: "After"; readonly cursor: Cursor.Cursor }
  | { readonly _tag: "Before"; readonly cursor: Cursor.Cursor }

/** The rows of a page, and their columns. */
export interface PageQuery {
  readonly resource: Resource.Any
  readonly where: ReadonlyArray<RowQuery.Parameter>
  readonly columns: ReadonlyArray<string>
  readonly sort: Sort | undefined
  readonly anchor: Anchor
  readonly limit: number
}

export interface Page {
  readonly rows: ReadonlyArray<JsonObject>
  readonly hasBefore: boolean
  readonly hasAfter: boolean
  /** The greatest number of rows that the page may have. */
  readonly limit: number
}

type Sorted = Pick<PageQuery, "resource" | "sort">

const orderOf = ({ resource, sort }: Sorted, isReversed: boolean): ReadonlyArray<Order.ColumnOrder<string>> => {
  const term = (column: string, descending: boolean) =>
    descending === isReversed ? Order.asc(column) : Order.desc(column)
  const key = term(resource.key, false)
  return sort === undefined || sort.column === resource.key
    ? [sort === undefined ? key : term(sort.column, sort.descending)]
    : [term(sort.column, sort.descending), key]
}

/** The page after a row. */
export const after = (query: Sorted, row: JsonObject): Anchor => ({
  _tag: "After",
  cursor: Cursor.fromRow(query.resource, orderOf(query, false), row)
})

/** The page before a row. */
export const before = (query: Sorted, row: JsonObject): Anchor => ({
  _tag: "Before",
  cursor: Cursor.fromRow(query.resource, orderOf(query, true), row)
})

/** Loads a page. */
export const load = ({ rows }: Connection, query: PageQuery): Effect.Effect<Page, QueryError> => {
  const { anchor, columns, limit, resource, sort, where } = query
  const isReversed = anchor._tag === "Last" || anchor._tag === "Before"
  // The cursors of the next pages are made of these columns.
  const selected = new Set([resource.key, ...(sort === undefined ? [] : [sort.column]), ...columns])
  const text = RowQuery.toText([["select", [...selected].join(",")], ...where])
  const options = {
    ...Query.fromText(text),
    order: orderOf(query, isReversed),
    limit,
    ...("cursor" in anchor ? { after: anchor.cursor } : {})
  }
  return Effect.map(rows.page(resource, options), (page): Page => {
    const found: ReadonlyArray<JsonObject> = page.rows
    return isReversed
      ? { rows: found.toReversed(), hasBefore: page.hasMore, hasAfter: anchor._tag === "Before", limit }
      : { rows: found, hasBefore: anchor._tag === "After", hasAfter: page.hasMore, limit }
  })
}
