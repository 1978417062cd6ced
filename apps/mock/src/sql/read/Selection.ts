/**
 * The selection of a row's fields and embeds, and its SQL, which prints JSON text. Embeds are computed once for all rows
 * of a level, as common table expressions that the rows are joined with, so that deep embeds do not nest the statement.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Arr from "effect/Array"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Aggregate } from "./Aggregation.ts"
import type { Related } from "./Condition.ts"
import { type Cast, type Field, type Kind, kindOf, type Target } from "./Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as Filter from "./Filter.ts"
import * as ObjectText from "./ObjectText.ts"
import * as Order from "./Order.ts"
import { chain, empty, type Fragment, commonTable, identifier, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The stored document as it is, or an object of some fields and embeds. */
export type Selection =
  | { readonly _tag: "Document" }
  | {
      readonly _tag: "Fields"
      readonly fields: ReadonlyArray<Field>
      readonly embeds: ReadonlyArray<Embed>
      /** When present, rows with equal fields are grouped. */
      readonly aggregates?: ReadonlyArray<Aggregate>
    }

/** Related rows as a value: an object or null for a parent, an array for children. */
export interface Embed {
  /** The key in the response; `undefined` spreads the values among those of the row itself. */
  readonly name: string | undefined
  /** The name of the embed in parameters. */
  readonly address: string
  readonly related: Related
  /** Leaves out rows that have no related row. */
  readonly isRequired: boolean
  /** The values of each row; or, with aggregates, the number of rows. */
  readonly selection: Selection
  readonly order: ReadonlyArray<Order.OrderTerm>
}

/** The casts of PostgreSQL, except from text to a timestamp, which would have to be parsed in SQL. */
const casts: { readonly [K in Kind]: ReadonlyArray<Cast> } = {
  text: ["text", "number", "integer", "boolean", "date", "json"],
  number: ["text", "number", "integer"],
  boolean: ["text", "integer", "boolean"],
  date: ["text", "date", "timestamp"],
  timestamp: ["text", "date", "timestamp"],
  object: ["text", "json"],
  array: ["text"],
  json: ["text", "number", "integer", "boolean", "json"]
}

/** Reports whether a target can be cast to a type; single values may still fail. */
export const isCastable = (target: Target, cast: Cast): boolean => casts[kindOf(target)].includes(cast)

/** Lists the fields with a cast at every level of embeds. */
export const castFields = (selection: Selection): ReadonlyArray<Field & { readonly cast: Cast }> =>
  selection._tag === "Document"
    ? []
    : [
        ...selection.fields.flatMap((field) => (field.cast === undefined ? [] : [{ ...field, cast: field.cast }])),
        ...selection.embeds.flatMap((embed) => castFields(embed.selection))
      ]

/** Reports whether a key of the response contains an array column. */
export const isList = (selection: Selection, resource: Resource.Any, name: string): boolean =>
  selection._tag === "Document"
    ? Column.byName(resource).get(name)?.type === "array"
    : selection.fields.some(
        (field) => field.name === name && field.cast === undefined && kindOf(field.target) === "array"
      )

/** The value of a field, without its name. */
const keyOf = ({ cast, target: { column, json } }: Field): string => JSON.stringify([column.name, cast ?? null, json])

/** Reports whether the values of a row may take more bytes than its document: a column several times, or a cast. */
export const isRepeating = (selection: Selection): boolean =>
  selection._tag === "Fields" &&
  (selection.fields.some(({ cast }) => cast !== undefined) ||
    new Set(selection.fields.map(({ target }) => target.column)).size < selection.fields.length)

/** Reports whether a selection has embeds. */
export const isEmbedding = (selection: Selection): boolean => selection._tag === "Fields" && selection.embeds.length > 0

/** Reports whether a selection of an embed is the number of its rows. */
export const isCounted = (selection: Selection): selection is Counts =>
  selection._tag === "Fields" && selection.aggregates !== undefined

type Counts = Extract<Selection, { readonly _tag: "Fields" }> & { readonly aggregates: ReadonlyArray<Aggregate> }

const toMember = (dialect: Dialect, row: Fragment, { cast, name, target }: Field): ObjectText.Member => ({
  name,
  json: cast === undefined ? dialect.json(row, target) : dialect.cast(row, target, cast)
})

/** The members of the objects of a level, and the joins that they need. */
interface Level {
  readonly members: ReadonlyArray<ObjectText.Member>
  readonly joins: ReadonlyArray<Fragment>
}

const number = identifier("_number")
const key = identifier("_key")

/** The rows that are related to the rows of a level; children are numbered in order and limited to their page. */
const rowsOf = (dialect: Dialect, { order, related }: Embed, level: Fragment): Fragment => {
  const { cardinality, column, field, id, limit, offset, owned } = related
  const row = Table.name(owned.resource)
  const place = Table.column(row, field)
  const found = sql`FROM ${Filter.related(dialect, related)} AS ${row}`
  const wanted = sql`WHERE ${place} IN (SELECT ${identifier(column)} FROM ${level})`
  if (cardinality === "one") return commonTable(`_${id}_rows`, sql`SELECT ${row}.* ${found} ${wanted}`)
  const ordered = Order.toSql(dialect, owned.resource, order)
  const counted = sql`row_number() OVER (PARTITION BY ${place} ${ordered}) AS ${number}`
  return commonTable(
    `_${id}_rows`,
    sql`SELECT * FROM (SELECT ${row}.*, ${counted} ${found} ${wanted}) AS ${row} WHERE ${number} > ${offset} AND ${number} <= ${offset + limit}`
  )
}

/** The object of the names of a count. */
const countsOf = ({ aggregates }: Counts, count: Fragment): Fragment =>
  ObjectText.print(aggregates.map(({ name }) => ({ name, json: count })))

/** Embeds the number of related rows as the one row of an array, or as an object for a parent. */
const toCount = (
  dialect: Dialect,
  row: Fragment,
  { isRequired, name = "", related }: Embed,
  counts: Counts,
  level: Fragment
): Level => {
  const { cardinality, column, field, id, owned } = related
  const inner = Table.name(owned.resource)
  const place = Table.column(inner, field)
  const rows = sql`FROM ${Filter.related(dialect, related)} AS ${inner} WHERE ${place} IN (SELECT ${identifier(column)} FROM ${level})`
  const table = commonTable(
    `_${id}_json`,
    sql`SELECT ${place} AS ${key}, count(*) AS ${number} ${rows} GROUP BY ${place}`
  )
  const found = identifier(`_${id}_json`)
  const count = sql`CAST(coalesce(${found}.${number}, 0) AS TEXT)`
  const json = countsOf(counts, count)
  return {
    joins: [sql`${text(isRequired ? "JOIN" : "LEFT JOIN")} ${table} ON ${found}.${key} = ${Table.column(row, column)}`],
    members: [{ name, json: cardinality === "many" ? sql`'[' || ${json} || ']'` : json }]
  }
}

/** An array of the values of each key; null when one of them is null, because it could not be cast. */
const toList = (dialect: Dialect, value: Fragment): Fragment => {
  const list = dialect.concatenate(value, text("','"), sql`ORDER BY ${number}`)
  return sql`CASE WHEN count(${value}) = count(*) THEN '[' || ${list} || ']' END`
}

/** The values of an embedded row: one under the name of the embed, or several to spread. */
const toValues = (dialect: Dialect, row: Fragment, { name, selection }: Embed, rows: Fragment) => {
  if (selection._tag === "Document") return { joins: [], values: [{ name: name ?? "", json: dialect.document(row) }] }
  const { joins, members } = toLevel(dialect, row, selection, rows)
  return { joins, values: name === undefined ? members : [{ name, json: ObjectText.print(members) }] }
}

const toEmbed = (dialect: Dialect, row: Fragment, embed: Embed, level: Fragment): Level => {
  const { isRequired, related, selection } = embed
  if (isCounted(selection)) return toCount(dialect, row, embed, selection, level)
  const { cardinality, column, field, id, owned } = related
  const inner = Table.name(owned.resource)
  const rows = rowsOf(dialect, embed, level)
  const { joins, values } = toValues(dialect, inner, embed, rows)
  const columns = values.map((_, index) => identifier(`_${index}`))

  const isMany = cardinality === "many"
  const singles = join(
    [
      sql`${Table.column(inner, field)} AS ${key}`,
      ...values.map(({ json }, index) => sql`(${json}) AS ${columns[index] ?? empty}`),
      ...(isMany ? [number] : [])
    ],
    ", "
  )
  const each = sql`SELECT ${singles} FROM ${rows} AS ${inner} ${join(joins, " ")}`
  const lists = columns.map((column) => sql`${toList(dialect, column)} AS ${column}`)
  const body = isMany ? sql`SELECT ${join([key, ...lists], ", ")} FROM (${each}) AS "each" GROUP BY ${key}` : each
  const table = commonTable(`_${id}_json`, body)
  const found = identifier(`_${id}_json`)
  const absent = text(isMany ? "'[]'" : "'null'")
  return {
    joins: [sql`${text(isRequired ? "JOIN" : "LEFT JOIN")} ${table} ON ${found}.${key} = ${Table.column(row, column)}`],
    members: values.map(({ name }, index) => ({
      name,
      json: sql`CASE WHEN ${found}.${key} IS NULL THEN ${absent} ELSE ${found}.${columns[index] ?? empty} END`
    }))
  }
}

const toLevel = (
  dialect: Dialect,
  row: Fragment,
  selection: Exclude<Selection, { readonly _tag: "Document" }>,
  level: Fragment
): Level => {
  const embeds = selection.embeds.map((embed) => toEmbed(dialect, row, embed, level))
  return {
    members: [
      ...selection.fields.map((field) => toMember(dialect, row, field)),
      ...embeds.flatMap(({ members }) => members)
    ],
    joins: embeds.flatMap(({ joins }) => joins)
  }
}

/** The JSON text of a row, and the joins that it needs. */
export interface SelectedRow {
  readonly json: Fragment
  readonly joins: Fragment
}

/**
 * Builds the JSON text of rows: `level` is a common table expression of all of them, and `row` is the name of one.
 * The text is SQL's null when one of its values cannot be cast.
 */
export const ofRows = (dialect: Dialect, row: Fragment, selection: Selection, level: Fragment): SelectedRow => {
  if (selection._tag === "Document") return { json: dialect.document(row), joins: empty }
  const { joins, members } = toLevel(dialect, row, selection, level)
  return { json: ObjectText.print(members), joins: join(joins, " ") }
}

/** The most bytes of the counts of an embed; zero for an embed of rows. */
export const countBytes = (selection: Selection): number =>
  isCounted(selection)
    ? selection.aggregates.reduce((sum, { name }) => sum + Buffer.byteLength(JSON.stringify(name)) + 20, 4)
    : 0

/** The bytes of the JSON text of a row without the values of its embeds, of which only the names are counted. */
export const octets = (dialect: Dialect, row: Fragment, selection: Selection): Fragment => {
  const bytes = (json: Fragment): Fragment => sql`coalesce(octet_length((${json})), 0)`
  if (selection._tag === "Document") return bytes(dialect.document(row))
  // A value that is selected several times is measured once.
  const values = Object.values(Arr.groupBy(selection.fields, keyOf))
  const size = (name: string, more: number): number => Buffer.byteLength(JSON.stringify(name)) + more
  // After a name there are a colon and a comma or bracket; the value of an embed without rows has four bytes at most.
  const around = [
    ...selection.fields.map(({ name }) => size(name, 2)),
    ...selection.embeds.map(({ name = "", selection }) => size(name, 6 + countBytes(selection)))
  ]
  return chain(
    [
      ...values.map((fields) => {
        const value = bytes(toMember(dialect, row, fields[0]).json)
        return fields.length === 1 ? value : sql`${text(String(fields.length))} * ${value}`
      }),
      text(String(around.reduce((sum, bytes) => sum + bytes, 1)))
    ],
    " + "
  )
}

/** Builds the JSON text of a row without its embeds. */
export const toSql = (dialect: Dialect, row: Fragment, selection: Selection): Fragment =>
  selection._tag === "Document"
    ? dialect.document(row)
    : ObjectText.print(selection.fields.map((field) => toMember(dialect, row, field)))
