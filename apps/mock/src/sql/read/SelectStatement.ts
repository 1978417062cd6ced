/**
 * Builds the statements that read rows: a page, one row, or all that match. The database itself prints the JSON. One
 * file, because the statements share their clauses.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Memo from "@mfgdata/domain/Memo"
import * as Aggregation from "./Aggregation.ts"
import * as AnswerSize from "./AnswerSize.ts"
import type { Condition } from "./Condition.ts"
import type { Dialect } from "../Dialect.ts"
import * as Filter from "./Filter.ts"
import * as Order from "./Order.ts"
import type { OwnedTable } from "../Owner.ts"
import * as PlainStatement from "./PlainStatement.ts"
import type { Target } from "./Target.ts"
import * as Selection from "./Selection.ts"
import {
  empty,
  type Fragment,
  commonTable,
  join,
  render,
  renderSingle,
  sql,
  type Statement,
  text
} from "../Statement.ts"
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
  /** The limits of the answer; undefined for one that is certainly within them. */
  readonly bound?: AnswerSize.Bound | undefined
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
  const rows = whole(source, last)
  const { joins, json } = Selection.ofRows(dialect, row, selection, rows)
  return { json, from: sql`FROM ${rows} AS ${row} ${joins}` }
}

/** The rows of the outermost level, as a common table expression. */
const whole = (source: Fragment, last: Fragment): Fragment => commonTable("_rows", sql`SELECT * ${source} ${last}`)

const window = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

/**
 * The `FROM` clause of the rows of a page, which `source` is if they are those of now. Of rows as of a time, each part is
 * filtered, sorted and limited by itself, so that the first rows of a long table are read without the others.
 */
const paged = (
  dialect: Dialect,
  { limit = Infinity, offset, owned, where }: Page,
  source: Fragment,
  ordered: Fragment
): Fragment => {
  if (owned.owner.asOf === undefined) return source
  const row = Table.name(owned.resource)
  const filter = where.length === 0 ? empty : sql`WHERE ${Filter.toSql(dialect, row, where)}`
  const first = sql`${ordered} LIMIT ${window(offset + limit)}`
  const parts = Table.parts(owned).map(
    (part) => sql`SELECT * FROM (SELECT * FROM (${part}) AS ${row} ${filter} ${first}) AS "part"`
  )
  return sql`FROM (${join(parts, " UNION ALL ")}) AS ${row}`
}

/** Counts the rows that match: one row `[count]`. */
export const count = (dialect: Dialect, { owned, where }: Omit<Rows, "selection">): Statement =>
  renderSingle(sql`SELECT count(*) ${matching(dialect, owned, where)}`, dialect)

/** The JSON array of rows with a column `json`; null when one of them is null. */
const listOf = (dialect: Dialect, json: Fragment): Fragment =>
  sql`CASE WHEN count("json") = count(*) THEN '[' || coalesce(${dialect.concatenate(json, text("','"))}, '') || ']' END`

const columnList = Memo.make((dialect: Dialect): Fragment => listOf(dialect, text(`"json"`)))

/** Combines rows with a column `json` into one row `[body, returned, total]`. */
const listed = (dialect: Dialect, rows: Fragment, total: Fragment): Statement =>
  renderSingle(sql`SELECT ${columnList(dialect)}, count(*), ${total} FROM (${rows}) AS "page"`, dialect)

/** The fourth value of a page whose groups are larger than the bound. */
export const excessiveGroups = "groups"

/**
 * Combines rows like `listed`, with a fourth value. The columns `size` of the rows, a comma after each and
 * a bracket are added up row by row, and no text is added after the sum has passed the limit.
 */
const boundedList = (
  dialect: Dialect,
  rows: Fragment,
  total: Fragment,
  { bytes }: AnswerSize.Bound,
  areGroupsLarger?: Fragment
): Statement => {
  const most = text(String(bytes))
  const summed = sql`SELECT "json", sum("size" + 1) OVER (ROWS UNBOUNDED PRECEDING) + 1 AS "sum" FROM (${rows}) AS "each"`
  const list = listOf(dialect, sql`CASE WHEN "sum" <= ${most} THEN "json" END`)
  const groups = areGroupsLarger === undefined ? empty : sql`WHEN ${areGroupsLarger} THEN '${text(excessiveGroups)}'`
  const excess = sql`CASE ${groups} WHEN max("sum") > ${most} THEN '0:' || count(*) || ':' || max("sum") END`
  return renderSingle(sql`SELECT ${list}, count(*), ${total}, ${excess} FROM (${summed}) AS "page"`, dialect)
}

/** The JSON of a row that has at most a number of bytes, and its size. */
const boundedRow = (dialect: Dialect, { owned, selection }: Omit<Rows, "where">, { bytes }: AnswerSize.Bound) => {
  const row = Table.name(owned.resource)
  const size = Selection.octets(dialect, row, selection)
  const json = Selection.toSql(dialect, row, selection)
  // The text of a row that is too large is never built, and is not null either.
  return { size, json: sql`CASE WHEN ${size} > ${text(String(bytes))} THEN '' ELSE ${json} END` }
}

/**
 * Reads a page as one row `[body, returned, total]`. The body is a JSON array, or null when a selected value cannot be
 * cast; the total is null unless it was requested. With a bound the fourth value is null, or when the answer exceeds the
 * bound `excessiveGroups` or text for `AnswerSize.levels`.
 */
export const page = (dialect: Dialect, options: Page): Statement => {
  const { bound, counted, limit = Infinity, offset, selection } = options
  if (selection._tag !== "Document" || bound !== undefined || counted) return compilePage(dialect, options)
  const last = [window(limit), window(offset)]
  return PlainStatement.make(dialect, { ...options, name: "page", last }, () => compilePage(dialect, options))
}

const compilePage = (dialect: Dialect, options: Page): Statement => {
  const { bound, counted, limit = Infinity, offset, order, owned, selection, where } = options
  const source = matching(dialect, owned, where)
  if (selection._tag === "Fields" && selection.aggregates !== undefined) {
    const { fields, aggregates } = selection
    const groups = Aggregation.toSql(dialect, { owned, fields, aggregates, order, source, bytes: bound?.bytes })
    const rows = sql`${groups.rows} LIMIT ${window(limit)} OFFSET ${window(offset)}`
    const total = counted ? sql`(${groups.total})` : text("NULL")
    if (bound === undefined) return listed(dialect, rows, total)
    const sized = sql`SELECT "json", coalesce(octet_length("json"), 0) AS "size" FROM (${rows}) AS "groups"`
    return boundedList(dialect, sized, total, bound, groups.isLarger)
  }
  const total = counted ? sql`(SELECT count(*) ${source})` : text("NULL")
  const ordered = Order.toSql(dialect, owned.resource, order)
  const last = sql`${ordered} LIMIT ${window(limit)} OFFSET ${window(offset)}`
  const page = paged(dialect, options, source, ordered)
  if (bound !== undefined && !Selection.isEmbedding(selection)) {
    const { json, size } = boundedRow(dialect, options, bound)
    return boundedList(dialect, sql`SELECT ${json} AS "json", ${size} AS "size" ${page} ${last}`, total, bound)
  }
  const { from, json } = select(dialect, { owned, selection }, page, last)
  const rows = sql`SELECT ${json} AS "json" ${from} ${Selection.isEmbedding(selection) ? ordered : empty}`
  if (bound === undefined) return listed(dialect, rows, total)
  // A subquery of CASE is evaluated only where CASE reaches it.
  const body = sql`(SELECT ${columnList(dialect)} FROM (${rows}) AS "page")`
  const answer = AnswerSize.toSql(dialect, options, whole(page, last), bound)
  return renderSingle(
    sql`SELECT CASE WHEN "excess" IS NULL THEN ${body} END, "rows", ${total}, "excess" FROM ${answer}`,
    dialect
  )
}

/**
 * Reads the row of a key or of another unique condition: rows `[json, revision]`; see `page` for null. With a bound the
 * third value is null, or text when the row exceeds the bound.
 */
export const one = (dialect: Dialect, options: Rows): Statement => {
  const { bound, owned, selection, where } = options
  const revision = Table.column(Table.name(owned.resource), Table.revision)
  const source = matching(dialect, owned, where)
  if (bound !== undefined && !Selection.isEmbedding(selection)) {
    const { json, size } = boundedRow(dialect, options, bound)
    const excess = sql`CASE WHEN ${size} > ${text(String(bound.bytes))} THEN '0:1:' || ${size} END`
    return renderSingle(sql`SELECT ${json}, ${revision}, ${excess} ${source} LIMIT 1`, dialect)
  }
  const { from, json } = select(dialect, { owned, selection }, source, text("LIMIT 1"))
  if (bound === undefined) return renderSingle(sql`SELECT ${json}, ${revision} ${from}`, dialect)
  const answer = AnswerSize.toSql(dialect, options, whole(source, text("LIMIT 1")), bound)
  const body = sql`CASE WHEN "excess" IS NULL THEN (SELECT ${json} ${from}) END`
  return renderSingle(sql`SELECT ${body}, 0, "excess" FROM ${answer} WHERE "rows" > 0`, dialect)
}

/** Reads all rows that match, in order: rows `[json, key, revision]`; see `page` for null. */
export const all = (dialect: Dialect, { order, owned, selection, where }: Rows & Pick<Page, "order">): Statement => {
  const { resource } = owned
  const row = Table.name(resource)
  const { from, json } = select(dialect, { owned, selection }, matching(dialect, owned, where), empty)
  const columns = sql`${json}, ${Table.column(row, resource.key)}, ${Table.column(row, Table.revision)}`
  return render(sql`SELECT ${columns} ${from} ${Order.toSql(dialect, resource, order)}`, dialect)
}

/**
 * Reads the rows of some keys as one row `[list, count, null, excess]`: a JSON array of `[json, key, revision]` with the
 * JSON as text, or null when a selected value cannot be cast.
 */
export const listByKeys = (
  dialect: Dialect,
  { owned, selection }: Omit<Rows, "where">,
  keys: ReadonlyArray<string>,
  bound: AnswerSize.Bound
): Statement => {
  const where = [{ _tag: "OneOf", target: keyOf(owned), values: keys }] as const
  return listRows(dialect, { owned, selection, where, order: [] }, bound)
}

/** Reads all rows that match like `listByKeys`, in order. */
export const listRows = (
  dialect: Dialect,
  { order, owned, selection, where }: Rows & Pick<Page, "order">,
  bound: AnswerSize.Bound
): Statement => {
  const row = Table.name(owned.resource)
  const source = matching(dialect, owned, where)
  const ordered = Order.toSql(dialect, owned.resource, order)
  const { from, json } = select(dialect, { owned, selection }, source, empty)
  const key = dialect.json(row, keyOf(owned))
  const revision = sql`CAST(${Table.column(row, Table.revision)} AS TEXT)`
  const entry = sql`'[' || coalesce(${dialect.quote(json)}, 'null') || ',' || ${key} || ',' || ${revision} || ']'`
  const rows = sql`SELECT ${entry} AS "json" ${from} ${ordered}`
  const body = sql`(SELECT ${columnList(dialect)} FROM (${rows}) AS "page")`
  const answer = AnswerSize.toSql(dialect, { owned, selection }, whole(source, empty), bound)
  return renderSingle(
    sql`SELECT CASE WHEN "excess" IS NULL THEN ${body} END, "rows", NULL, "excess" FROM ${answer}`,
    dialect
  )
}

/** The key of a resource as a target. */
export const keyOf = ({ resource }: OwnedTable): Target => {
  const column = Column.byName(resource).get(resource.key)
  if (column === undefined) throw new RangeError(`${resource.resource} has no key`)
  return { column, json: [] }
}

/**
 * Finds the rows to write in order, as one row `[list, count, bytes]`: a JSON array of `[key, revision]`, and the bytes of their
 * documents and of the JSON that the write returns.
 */
export const found = (
  dialect: Dialect,
  { limit, order, owned, selection, where }: Rows & Pick<Page, "order"> & { readonly limit: number }
): Statement => {
  const row = Table.name(owned.resource)
  const revision = sql`CAST(${Table.column(row, Table.revision)} AS TEXT)`
  const json = sql`'[' || ${dialect.json(row, keyOf(owned))} || ',' || ${revision} || ']'`
  const document = sql`octet_length(${dialect.document(row)})`
  const size =
    selection._tag === "Document" ? document : sql`${document} + ${Selection.octets(dialect, row, selection)}`
  const ordered = Order.toSql(dialect, owned.resource, order)
  const rows = sql`SELECT ${json} AS "json", ${size} AS "size" ${matching(dialect, owned, where)} ${ordered} LIMIT ${limit}`
  return renderSingle(
    sql`SELECT ${columnList(dialect)}, count(*), coalesce(sum("size"), 0) FROM (${rows}) AS "page"`,
    dialect
  )
}

/** Counts the rows that match, up to a limit: one row `[count]`. */
export const countUpTo = (dialect: Dialect, { owned, where }: Omit<Rows, "selection">, limit: number): Statement =>
  PlainStatement.make(dialect, { name: "count", owned, where, order: [], last: [limit] }, () =>
    renderSingle(
      sql`SELECT count(*) FROM (SELECT 1 ${matching(dialect, owned, where)} LIMIT ${limit}) AS "found"`,
      dialect
    )
  )

/** Reads the keys of an owner's rows as one row `[list]`, a JSON array. */
export const keyList = (dialect: Dialect, owned: OwnedTable, limit: number): Statement => {
  const key = dialect.json(Table.name(owned.resource), keyOf(owned))
  const rows = sql`SELECT ${key} AS "json" ${matching(dialect, owned, [])} LIMIT ${limit}`
  return renderSingle(sql`SELECT ${columnList(dialect)} FROM (${rows}) AS "page"`, dialect)
}

/** Reads the rows of some keys, sorted by key: rows `[json, key, revision]`. */
export const byKeys = (
  dialect: Dialect,
  { owned, selection }: Omit<Rows, "where">,
  keys: ReadonlyArray<string>
): Statement => {
  const where = [{ _tag: "OneOf", target: keyOf(owned), values: keys }] as const
  return all(dialect, { owned, selection, where, order: [] })
}

/** Reads the keys of the rows that match, in order: rows `[key]`. */
export const keys = (dialect: Dialect, { order, owned, where }: Pick<Page, "order" | "owned" | "where">): Statement => {
  const { resource } = owned
  const key = Table.column(Table.name(resource), resource.key)
  return render(sql`SELECT ${key} ${matching(dialect, owned, where)} ${Order.toSql(dialect, resource, order)}`, dialect)
}
