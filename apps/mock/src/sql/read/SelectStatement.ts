/**
 * Builds the statements that read rows: a page, one row, or all that match. The database itself prints the JSON.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Aggregation from "./Aggregation.ts"
import type { Condition } from "./Condition.ts"
import type { Dialect } from "../Dialect.ts"
import * as Filter from "./Filter.ts"
import * as Order from "./Order.ts"
import type { OwnedTable } from "../Owner.ts"
import * as Selection from "./Selection.ts"
import { empty, type Fragment, commonTable, render, renderSingle, sql, type Statement, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The `FROM` and `WHERE` clauses of the owner's rows that match the conditions. */
const matching = (dialect: Dialect, owned: OwnedTable, where: ReadonlyArray<Condition>): Fragment => {
  const from = Table.from(owned)
  return where.length === 0
    ? sql`FROM ${from}`
    : sql`FROM ${from} WHERE ${Filter.toSql(dialect, Table.name(owned.resource), where)}`
}

export interface Rows {
  readonly owned: OwnedTable
  readonly selection: Selection.Selection
  readonly where: ReadonlyArray<Condition>
}

export interface Page extends Rows {
  readonly order: ReadonlyArray<Order.OrderTerm>
  readonly limit: number | undefined
  readonly offset: number
  /** Requests the total: the number of rows on all pages. */
  readonly counted: boolean
}

/** The JSON of rows, and the `FROM` clause that they are read from. */
interface RowSource {
  readonly json: Fragment
  readonly from: Fragment
}

/** Selects the rows of `source`. With embeds, `source` becomes a common table expression that the embeds read. */
const select = (
  dialect: Dialect,
  { owned, selection }: Omit<Rows, "where">,
  source: Fragment,
  last: Fragment
): RowSource => {
  const row = Table.name(owned.resource)
  if (!Selection.isEmbedding(selection)) {
    return { json: Selection.toSql(dialect, row, selection), from: sql`${source} ${last}` }
  }
  const rows = commonTable("_rows", sql`SELECT * ${source} ${last}`)
  const { joins, json } = Selection.ofRows(dialect, row, selection, rows)
  return { json, from: sql`FROM ${rows} AS ${row} ${joins}` }
}

const bound = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

/** Counts the rows that match: one row `[count]`. */
export const count = (dialect: Dialect, { owned, where }: Omit<Rows, "selection">): Statement =>
  renderSingle(sql`SELECT count(*) ${matching(dialect, owned, where)}`, dialect)

/** Combines rows with a column `json` into one row `[body, returned, total]`. */
const listed = (dialect: Dialect, rows: Fragment, total: Fragment): Statement => {
  const list = sql`'[' || coalesce(${dialect.concatenate(text(`"json"`), text("','"))}, '') || ']'`
  return renderSingle(
    sql`SELECT CASE WHEN count("json") = count(*) THEN ${list} END, count(*), ${total} FROM (${rows}) AS "page"`,
    dialect
  )
}

/**
 * Reads a page as one row `[body, returned, total]`. The body is a JSON array, or null when a selected value cannot be
 * cast; the total is null unless it was requested.
 */
export const page = (dialect: Dialect, options: Page): Statement => {
  const { counted, limit = Infinity, offset, order, owned, selection, where } = options
  const source = matching(dialect, owned, where)
  if (selection._tag === "Fields" && selection.aggregates !== undefined) {
    const { fields, aggregates } = selection
    const groups = Aggregation.toSql(dialect, { owned, fields, aggregates, order, source })
    const rows = sql`${groups.rows} LIMIT ${bound(limit)} OFFSET ${bound(offset)}`
    return listed(dialect, rows, counted ? sql`(${groups.total})` : text("NULL"))
  }
  const total = counted ? sql`(SELECT count(*) ${source})` : text("NULL")
  const ordered = Order.toSql(dialect, owned.resource, order)
  const window = sql`${ordered} LIMIT ${bound(limit)} OFFSET ${bound(offset)}`
  const { from, json } = select(dialect, { owned, selection }, source, window)
  const rows = sql`SELECT ${json} AS "json" ${from} ${Selection.isEmbedding(selection) ? ordered : empty}`
  return listed(dialect, rows, total)
}

/** Reads the row of a key or of another unique condition: rows `[json, revision]`; see `page` for null. */
export const one = (dialect: Dialect, { owned, selection, where }: Rows): Statement => {
  const revision = Table.column(Table.name(owned.resource), Table.revision)
  const { from, json } = select(dialect, { owned, selection }, matching(dialect, owned, where), text("LIMIT 1"))
  return renderSingle(sql`SELECT ${json}, ${revision} ${from}`, dialect)
}

/** Reads all rows that match, in order: rows `[json, key, revision]`; see `page` for null. */
export const all = (dialect: Dialect, { order, owned, selection, where }: Rows & Pick<Page, "order">): Statement => {
  const { resource } = owned
  const row = Table.name(resource)
  const { from, json } = select(dialect, { owned, selection }, matching(dialect, owned, where), empty)
  const columns = sql`${json}, ${Table.column(row, resource.key)}, ${Table.column(row, Table.revision)}`
  return render(sql`SELECT ${columns} ${from} ${Order.toSql(dialect, resource, order)}`, dialect)
}

/** Reads the rows of some keys, sorted by key: rows `[json, key, revision]`. */
export const byKeys = (
  dialect: Dialect,
  { owned, selection }: Omit<Rows, "where">,
  keys: ReadonlyArray<string>
): Statement => {
  const column = Column.byName(owned.resource).get(owned.resource.key)
  if (column === undefined) throw new RangeError(`${owned.resource.resource} has no key`)
  const where = [{ _tag: "OneOf", target: { column, json: [] }, values: keys }] as const
  return all(dialect, { owned, selection, where, order: [] })
}

/** Reads the keys of the rows that match, in order: rows `[key]`. */
export const keys = (dialect: Dialect, { order, owned, where }: Pick<Page, "order" | "owned" | "where">): Statement => {
  const { resource } = owned
  const key = Table.column(Table.name(resource), resource.key)
  return render(sql`SELECT ${key} ${matching(dialect, owned, where)} ${Order.toSql(dialect, resource, order)}`, dialect)
}
