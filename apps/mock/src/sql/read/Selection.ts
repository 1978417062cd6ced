/**
 * What of a row is written into the answer, and the SQL that writes it as JSON text. What is embedded is computed once
 * for all rows of a level, as tables of the statement's own that the rows are joined with: however deep embeds stand,
 * the statement is flat.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Aggregate } from "./Aggregation.ts"
import type { Related } from "./Condition.ts"
import { type Cast, type Field, type Kind, kindOf, type Target } from "./Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as Filter from "./Filter.ts"
import * as Order from "./Order.ts"
import { chain, empty, type Fragment, commonTable, identifier, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The stored document as it is, or an object made of some of its fields and of what is embedded. */
export type Selection =
  | { readonly _tag: "Document" }
  | {
      readonly _tag: "Fields"
      readonly fields: ReadonlyArray<Field>
      readonly embeds: ReadonlyArray<Embed>
      /** With any, rows that agree in the fields are one. */
      readonly aggregates?: ReadonlyArray<Aggregate>
    }

/** Related rows as a value: an object or null, or an array where there can be many. */
export interface Embed {
  /** The key in the answer; without one the values are spread among the row's own. */
  readonly name: string | undefined
  readonly related: Related
  /** Whether a row that is related to none is left out. */
  readonly isRequired: boolean
  readonly selection: Selection
  readonly order: ReadonlyArray<Order.OrderTerm>
}

/** What PostgreSQL casts to what; a text that is to be a moment is left out, for it would have to be read in SQL. */
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

/** Whether values of a target can be cast to a type; some single value may still not be castable. */
export const isCastable = (target: Target, cast: Cast): boolean => casts[kindOf(target)].includes(cast)

/** Every field that is cast, at whatever depth. */
export const castFields = (selection: Selection): ReadonlyArray<Field & { readonly cast: Cast }> =>
  selection._tag === "Document"
    ? []
    : [
        ...selection.fields.flatMap((field) => (field.cast === undefined ? [] : [{ ...field, cast: field.cast }])),
        ...selection.embeds.flatMap((embed) => castFields(embed.selection))
      ]

/** Whether a key of the answer holds a list of texts as a column of a resource holds it. */
export const isList = (selection: Selection, resource: Resource.Any, name: string): boolean =>
  selection._tag === "Document"
    ? Column.byName(resource).get(name)?.type === "array"
    : selection.fields.some(
        (field) => field.name === name && field.cast === undefined && kindOf(field.target) === "array"
      )

/** Whether anything beside the rows themselves is read. */
export const isEmbedding = (selection: Selection): boolean => selection._tag === "Fields" && selection.embeds.length > 0

/** A key of the answer and its value as JSON text. */
interface Member {
  readonly name: string
  readonly json: Fragment
}

const toMember = (dialect: Dialect, row: Fragment, { cast, name, target }: Field): Member => ({
  name,
  json: cast === undefined ? dialect.json(row, target) : dialect.cast(row, target, cast)
})

/** Of two members of one name the later is answered. */
const toObject = (members: ReadonlyArray<Member>): Fragment => {
  const named = [...new Map(members.map((member) => [member.name, member])).values()]
  if (named.length === 0) return text("'{}'")
  const parts = named.map(
    ({ json, name }, index) => sql`${`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`} || (${json})`
  )
  return chain([...parts, text("'}'")], " || ")
}

/** What a level of rows answers, and what its rows must be joined with. */
interface Level {
  readonly members: ReadonlyArray<Member>
  readonly joins: ReadonlyArray<Fragment>
}

const number = identifier("_number")
const key = identifier("_key")

/** The related rows of a level's rows; of many those that the page holds, numbered in order. */
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

/** A list of what the rows of each key hold; null when one of them is, from a value that could not be cast. */
const toList = (dialect: Dialect, value: Fragment): Fragment => {
  const list = dialect.concatenate(value, text("','"), sql`ORDER BY ${number}`)
  return sql`CASE WHEN count(${value}) = count(*) THEN '[' || ${list} || ']' END`
}

/** What a row of an embed answers: one value under the embed's name, or those that are spread. */
const toValues = (dialect: Dialect, row: Fragment, { name, selection }: Embed, rows: Fragment) => {
  if (selection._tag === "Document") return { joins: [], values: [{ name: name ?? "", json: dialect.document(row) }] }
  const { joins, members } = toLevel(dialect, row, selection, rows)
  return { joins, values: name === undefined ? members : [{ name, json: toObject(members) }] }
}

const toEmbed = (dialect: Dialect, row: Fragment, embed: Embed, level: Fragment): Level => {
  const { isRequired, related } = embed
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

/** A row as JSON text, and what the row must be joined with to have it. */
export interface SelectedRow {
  readonly json: Fragment
  readonly joins: Fragment
}

/**
 * Rows as JSON text: `level` is a table of the statement's own that holds all of them, and `row` what one is called.
 * The text is SQL's null when one of its values cannot be cast, which a query cannot refuse by itself.
 */
export const ofRows = (dialect: Dialect, row: Fragment, selection: Selection, level: Fragment): SelectedRow => {
  if (selection._tag === "Document") return { json: dialect.document(row), joins: empty }
  const { joins, members } = toLevel(dialect, row, selection, level)
  return { json: toObject(members), joins: join(joins, " ") }
}

/** Likewise a row that is joined with nothing: what it would embed is left out. */
export const toSql = (dialect: Dialect, row: Fragment, selection: Selection): Fragment =>
  selection._tag === "Document"
    ? dialect.document(row)
    : toObject(selection.fields.map((field) => toMember(dialect, row, field)))
