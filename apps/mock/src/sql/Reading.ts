/**
 * Rows out of a store: a page of them or one, as JSON text made by the store itself.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import type { Condition, Target } from "./Condition.ts"
import type { Dialect } from "./Dialect.ts"
import * as Filter from "./Filter.ts"
import type { Owned } from "./Owned.ts"
import * as Selection from "./Selection.ts"
import { type Fragment, join, render, sql, type Statement, text } from "./Statement.ts"
import * as Table from "./Table.ts"

/** One term of an order. */
export interface OrderTerm {
  readonly target: Target
  readonly direction: "asc" | "desc"
  readonly nulls: "first" | "last"
}

const isNullable = ({ column, json }: Target): boolean => column.nullable || json.length > 0

const term = (dialect: Dialect, row: Fragment, { direction, nulls, target }: OrderTerm): ReadonlyArray<Fragment> =>
  dialect.sortKeys(row, target).map((key, index) => {
    // Where there is no null its place need not be told, and an index can give the order.
    const place = index === 0 && isNullable(target) ? ` NULLS ${nulls.toUpperCase()}` : ""
    return sql`${key} ${text(`${direction.toUpperCase()}${place}`)}`
  })

/** The rows' order; their key is always its last word. */
const orderBy = (dialect: Dialect, resource: Resource.Any, order: ReadonlyArray<OrderTerm>): Fragment => {
  const row = Table.name(resource)
  const terms = order.flatMap((one) => term(dialect, row, one))
  return sql`ORDER BY ${join([...terms, sql`${Table.column(row, resource.key)} ASC`], ", ")}`
}

/** The owner's rows that pass the conditions. */
const matching = (dialect: Dialect, owned: Owned, where: ReadonlyArray<Condition>): Fragment => {
  const from = Table.from(owned)
  return where.length === 0
    ? sql`FROM ${from}`
    : sql`FROM ${from} WHERE ${Filter.toSql(dialect, Table.name(owned.resource), where)}`
}

export interface Rows {
  readonly owned: Owned
  readonly selection: Selection.Selection
  readonly where: ReadonlyArray<Condition>
}

export interface Page extends Rows {
  readonly order: ReadonlyArray<OrderTerm>
  readonly limit: number | undefined
  readonly offset: number
  /** Whether the total is asked for: how many rows there are on all pages. */
  readonly counted: boolean
}

const bound = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

/** How many rows pass: one row `[count]`. */
export const count = (dialect: Dialect, { owned, where }: Omit<Rows, "selection">): Statement =>
  render(sql`SELECT count(*) ${matching(dialect, owned, where)}`, dialect)

/**
 * One page: one row `[body, returned, total]`. The body is a JSON array, or null when a value that was selected with
 * a cast cannot be cast; the total is null when it was not asked for.
 */
export const page = (dialect: Dialect, options: Page): Statement => {
  const { counted, limit = Infinity, offset, order, owned, selection, where } = options
  const source = matching(dialect, owned, where)
  const total = counted ? sql`(SELECT count(*) ${source})` : text("NULL")
  const json = Selection.toSql(dialect, Table.name(owned.resource), selection)
  const ordered = sql`SELECT ${json} AS "json" ${source} ${orderBy(dialect, owned.resource, order)}`
  const rows = sql`${ordered} LIMIT ${bound(limit)} OFFSET ${bound(offset)}`
  const list = sql`'[' || coalesce(${dialect.concatenate(text(`"json"`), text("','"))}, '') || ']'`
  return render(
    sql`SELECT CASE WHEN count("json") = count(*) THEN ${list} END, count(*), ${total} FROM (${rows}) AS "page"`,
    dialect
  )
}

/** The rows that a key or another unique condition finds, two at most: rows `[json, revision]`; see `page` for null. */
export const one = (dialect: Dialect, { owned, selection, where }: Rows): Statement => {
  const row = Table.name(owned.resource)
  const json = Selection.toSql(dialect, row, selection)
  return render(
    sql`SELECT ${json}, ${Table.column(row, Table.revision)} ${matching(dialect, owned, where)} LIMIT 2`,
    dialect
  )
}

/** The keys of the rows that pass, in order: rows `[key]`. */
export const keys = (dialect: Dialect, { order, owned, where }: Pick<Page, "order" | "owned" | "where">): Statement => {
  const { resource } = owned
  const key = Table.column(Table.name(resource), resource.key)
  return render(sql`SELECT ${key} ${matching(dialect, owned, where)} ${orderBy(dialect, resource, order)}`, dialect)
}
