/**
 * Computes the size of an answer with embeds before any of its text is built: how often each embedded row appears, from
 * the outermost level to the innermost, and the bytes of all. A row that appears many times is read once.
 */
import type { Dialect } from "../Dialect.ts"
import * as Filter from "./Filter.ts"
import * as Order from "./Order.ts"
import type { OwnedTable } from "../Owner.ts"
import * as Selection from "./Selection.ts"
import { empty, type Fragment, commonTable, identifier, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The limits of an answer. */
export interface Bound {
  readonly bytes: number
  /** The number of embedded rows of all levels, each counted as often as it appears. */
  readonly embedded: number
}

/** A level of an answer: its path in parameters, empty for the outermost, and its size. */
export interface Level {
  readonly path: string
  readonly rows: number
  readonly bytes: number
}

type Fields = Extract<Selection.Selection, { readonly _tag: "Fields" }>

const occurrences = identifier("_times")
const octets = identifier("_octets")
const key = identifier("_key")
const number = identifier("_number")
const parents = identifier("_parents")

/** The embeds of rows. The size of a count is part of the row that it is embedded in. */
const embedsOf = (selection: Selection.Selection): Fields["embeds"] =>
  selection._tag === "Document" ? [] : selection.embeds.filter((embed) => !Selection.isCounted(embed.selection))

const reference = (index: number): Fragment => identifier(`_column${index}`)

/** The columns of a level: those that its embeds refer to, the occurrences of a row, and its bytes. */
const columns = (dialect: Dialect, row: Fragment, selection: Selection.Selection, count: Fragment): Fragment =>
  join(
    [
      ...embedsOf(selection).map(
        ({ related }, index) => sql`${Table.column(row, related.column)} AS ${reference(index)}`
      ),
      sql`${count} AS ${occurrences}`,
      sql`${Selection.octets(dialect, row, selection)} AS ${octets}`
    ],
    ", "
  )

interface SizedLevel {
  readonly path: string
  readonly table: Fragment
}

const below = (
  dialect: Dialect,
  { address, order, related, selection }: Selection.Embed,
  index: number,
  { path, table }: SizedLevel
): ReadonlyArray<SizedLevel> => {
  const { cardinality, field, id, limit, offset, owned } = related
  const row = Table.name(owned.resource)
  const column = reference(index)
  const groups = sql`(SELECT ${column} AS ${key}, sum(${occurrences}) AS ${occurrences} FROM ${table} GROUP BY ${column}) AS ${parents}`
  const found = sql`FROM ${groups} JOIN ${Filter.related(dialect, related)} AS ${row} ON ${Table.column(row, field)} = ${parents}.${key}`
  const selected = columns(dialect, row, selection, sql`${parents}.${occurrences}`)
  const place = sql`row_number() OVER (PARTITION BY ${Table.column(row, field)} ${Order.toSql(dialect, owned.resource, order)})`
  const rows =
    cardinality === "one"
      ? sql`SELECT ${selected} ${found}`
      : sql`SELECT * FROM (SELECT ${selected}, ${place} AS ${number} ${found}) AS "each" WHERE ${number} > ${offset} AND ${number} <= ${offset + limit}`
  const level = { path: path === "" ? address : `${path}.${address}`, table: commonTable(`_${id}_size`, rows) }
  return [level, ...embedsOf(selection).flatMap((embed, index) => below(dialect, embed, index, level))]
}

/** The paths of the levels of a selection, each level before those inside it. */
const paths = (selection: Selection.Selection, path = ""): ReadonlyArray<string> => [
  path,
  ...embedsOf(selection).flatMap((embed) =>
    paths(embed.selection, path === "" ? embed.address : `${path}.${embed.address}`)
  )
]

/**
 * A `FROM` item `"answer"` of one row for the answer that shows the rows of a common table expression: `"rows"`, the
 * number of these rows, and `"excess"`, which is null unless the answer exceeds the bound.
 */
export const toSql = (
  dialect: Dialect,
  { owned, selection }: { readonly owned: OwnedTable; readonly selection: Selection.Selection },
  rows: Fragment,
  bound: Bound
): Fragment => {
  const row = Table.name(owned.resource)
  // The occurrences multiply, and are not whole numbers because these are limited.
  const top = commonTable("_size", sql`SELECT ${columns(dialect, row, selection, text("1.0"))} FROM ${rows} AS ${row}`)
  const root: SizedLevel = { path: "", table: top }
  const levels = [root, ...embedsOf(selection).flatMap((embed, index) => below(dialect, embed, index, root))]
  const sizes = levels.map(
    ({ table }, place) =>
      sql`SELECT ${text(String(place))} AS "place", coalesce(sum(${occurrences}), 0) AS "count", coalesce(sum(${occurrences} * (${octets} + 1)), 0) AS "bytes" FROM ${table}`
  )
  const embedded = sql`sum(CASE WHEN "place" > 0 THEN "count" ELSE 0 END)`
  const isWithin = sql`${embedded} <= ${text(String(bound.embedded))} AND sum("bytes") <= ${text(String(bound.bytes))}`
  const level = sql`"place" || ':' || CAST("count" AS TEXT) || ':' || CAST("bytes" AS TEXT)`
  const excess = sql`CASE WHEN ${isWithin} THEN NULL ELSE ${dialect.concatenate(level, text("','"), empty)} END`
  const count = sql`CAST(sum(CASE WHEN "place" = 0 THEN "count" ELSE 0 END) AS BIGINT)`
  return sql`(SELECT ${count} AS "rows", ${excess} AS "excess" FROM (${join(sizes, " UNION ALL ")}) AS "levels") AS "answer"`
}

/** Reads the levels of an answer from its `"excess"`. */
export const levels = (selection: Selection.Selection, excess: string): ReadonlyArray<Level> => {
  const sizes = excess.split(",").map((size) => size.split(":").map(Number))
  return paths(selection).map((path, place) => {
    const [, rows = 0, bytes = 0] = sizes.find(([at]) => at === place) ?? []
    return { path, rows, bytes }
  })
}
