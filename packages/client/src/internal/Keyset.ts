/**
 * Pages by key: the query of the page behind a cursor, and the cursor of the page behind that. What the order needs
 * and the caller did not select is asked for under names of our own, and taken off again.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Filter from "@mfgdata/domain/Filter"
import * as Order from "@mfgdata/domain/Order"
import type { Query } from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Select from "@mfgdata/domain/Select"
import * as Either from "effect/Either"
import type { QueryRejected } from "../ClientError.ts"
import * as Cursor from "../Cursor.ts"
import { refuse } from "./RowQuery.ts"

export interface Keyset {
  /** The query of a page of so many rows behind a cursor. */
  readonly page: (after: Cursor.Cursor | undefined, limit: number) => Either.Either<Query, QueryRejected>
  /** The place behind a row as it came. */
  readonly behind: (row: unknown) => Cursor.Cursor
  /** A row without what only the order needed. */
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

/** Under which name a term's value comes, and the item that asks for it unless it comes anyway. */
const sourceOf = (select: ReadonlyArray<Select.Item>, path: Filter.Path, index: number) => {
  const comes = isPlain(path) && (select.length === 0 || select.some(keeps(path.column)))
  const name = comes ? path.column : `${prefix}${index}`
  const item: Select.Field = { _tag: "Field", path, alias: name, cast: undefined, aggregate: undefined }
  return { name, items: comes ? [] : [item] }
}

const all: ReadonlyArray<Select.Item> = [{ _tag: "All" }]

/** The pages of a query; it has no offset, and its order is of the rows' own columns. */
export const make = (resource: Resource.Any, query: Query): Either.Either<Keyset, QueryRejected> => {
  if (query.offset !== undefined) {
    return Either.left(refuse(resource, "pages have no offset", "Go on from the cursor of the page before."))
  }
  if (query.order.some(({ embed }) => embed !== undefined)) {
    return Either.left(refuse(resource, "pages are not ordered by an embed", "Order them by columns of their own."))
  }
  const ordered = query.order.some(({ path }) => isPlain(path) && path.column === resource.key)
  const order = ordered ? query.order : [...query.order, Order.asc(resource.key)]
  const columns = Column.byName(resource)
  const terms = order.map((order) => ({
    order,
    nullable: !isPlain(order.path) || (columns.get(order.path.column)?.nullable ?? true)
  }))
  const sources = order.map(({ path }, index) => sourceOf(query.select, path, index))
  const hidden = sources.flatMap(({ items }) => items)
  const select = hidden.length === 0 ? query.select : [...(query.select.length === 0 ? all : query.select), ...hidden]

  return Either.right({
    page: (after, limit) => {
      const asked = { ...query, select, order, limit }
      if (after === undefined) return Either.right(asked)
      return Either.mapBoth(Cursor.toFilter(after, terms), {
        onLeft: (flaw) => refuse(resource, `the cursor is ${flaw}`, "Begin without one, or with that of this query."),
        onRight: (filter) => ({ ...asked, where: [...query.where, filter] })
      })
    },
    // A row that is no object is told by whoever decodes it.
    behind: (row) =>
      Cursor.make(
        terms,
        sources.map(({ name }) => Cursor.scalar((row as { readonly [name: string]: unknown } | null)?.[name] ?? null))
      ),
    visible: (row) =>
      hidden.length === 0 || typeof row !== "object" || row === null
        ? row
        : Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith(prefix)))
  })
}
