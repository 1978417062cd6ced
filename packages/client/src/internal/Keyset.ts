/**
 * Pages by key: the query of the page after a cursor, and the cursor of the page after that. Columns of the order that
 * the caller did not select are selected under reserved names, and removed from the rows.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Filter from "@mfgdata/domain/Filter"
import type { Query } from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Select from "@mfgdata/domain/Select"
import * as Either from "effect/Either"
import type { QueryRejected } from "../ClientError.ts"
import * as Cursor from "../Cursor.ts"
import { reject } from "./RowQuery.ts"

export interface Keyset {
  /** The query of a page of at most `limit` rows after a cursor. */
  readonly page: (after: Cursor.Cursor | undefined, limit: number) => Either.Either<Query, QueryRejected>
  /** The cursor after a row that was not decoded yet. */
  readonly cursorAfter: (row: unknown) => Cursor.Cursor
  /** Reports whether rows have the row of a cursor itself, after which they should start. */
  readonly repeats: (rows: ReadonlyArray<unknown>, cursor: Cursor.Cursor) => boolean
  /** A row without the columns that only the order needed. */
  readonly visible: (row: unknown) => unknown
}

const prefix = "_order"

const isPlain = ({ json }: Filter.Path): boolean => json.length === 0

const keeps = (column: string) => (item: Select.Item) =>
  item._tag === "All" ||
  (item._tag === "Field" &&
    item.alias === undefined &&
    item.cast === undefined &&
    item.aggregate === undefined &&
    isPlain(item.path) &&
    item.path.column === column)

/** The name of a term's value in a row, and the item that selects it where the caller did not. */
const sourceOf = (select: ReadonlyArray<Select.Item>, path: Filter.Path, index: number) => {
  const isSelected = isPlain(path) && (select.length === 0 || select.some(keeps(path.column)))
  const name = isSelected ? path.column : `${prefix}${index}`
  const item: Select.Field = { _tag: "Field", path, alias: name, cast: undefined, aggregate: undefined }
  return { name, items: isSelected ? [] : [item] }
}

const all: ReadonlyArray<Select.Item> = [{ _tag: "All" }]

/** The pages of a query without an offset, ordered by columns of the resource itself. */
export const make = (resource: Resource.Any, query: Query): Either.Either<Keyset, QueryRejected> => {
  if (query.offset !== undefined) {
    return Either.left(reject(resource, "pages have no offset", "Continue with the cursor of the page before."))
  }
  if (query.order.some(({ embed }) => embed !== undefined)) {
    return Either.left(
      reject(resource, "pages cannot be ordered by an embed", "Order them by columns of the resource.")
    )
  }
  const order = Cursor.total(resource, query.order)
  const columns = Column.byName(resource)
  const terms = order.map((order) => ({
    order,
    nullable: !isPlain(order.path) || (columns.get(order.path.column)?.nullable ?? true)
  }))
  const sources = order.map(({ path }, index) => sourceOf(query.select, path, index))
  const hidden = sources.flatMap(({ items }) => items)
  const select = hidden.length === 0 ? query.select : [...(query.select.length === 0 ? all : query.select), ...hidden]

  // A row that is not an object fails when it is decoded.
  const valueOf = (row: unknown, name: string) =>
    Cursor.scalar((row as { readonly [name: string]: unknown } | null)?.[name] ?? null)

  return Either.right({
    page: (after, limit) => {
      const page = { ...query, select, order, limit }
      if (after === undefined) return Either.right(page)
      return Either.mapBoth(Cursor.toFilter(after, terms), {
        onLeft: (problem) =>
          reject(resource, `the cursor is ${problem}`, "Start without a cursor, or use a cursor of this query."),
        onRight: (filter) => ({ ...page, where: [...query.where, filter] })
      })
    },
    cursorAfter: (row) =>
      Cursor.make(
        terms,
        sources.map(({ name }) => valueOf(row, name))
      ),
    repeats: (rows, cursor) => {
      const values = Cursor.values(cursor) ?? []
      return rows.some((row) => sources.every(({ name }, index) => valueOf(row, name) === values[index]))
    },
    visible: (row) =>
      hidden.length === 0 || typeof row !== "object" || row === null
        ? row
        : Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith(prefix)))
  })
}
