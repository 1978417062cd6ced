/**
 * The dialect of PostgreSQL. Parameters are sent as text and cast in the statement, because the types that the server
 * infers would change some values. Text is sorted by its bytes, as SQLite sorts it.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import type * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { type Kind, kindOf, type Target } from "../read/Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as PostgresAggregate from "./PostgresAggregate.ts"
import * as PostgresCast from "./PostgresCast.ts"
import * as PostgresJson from "./PostgresJson.ts"
import * as PostgresTimestamp from "./PostgresTimestamp.ts"
import { empty, type Fragment, identifier, join, literal, type Parameter, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The SQL types of columns. Only the document contains JSON columns. */
const types: { readonly [T in Column.Type]: string } = {
  text: "text",
  number: "double precision",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamp with time zone",
  object: "json",
  array: "json"
}

const columnType = (type: Column.Type): string | undefined =>
  type === "object" || type === "array" ? undefined : type === "text" ? `text COLLATE "C"` : types[type]

const parameter = (type: Column.Type, value: Json): Parameter => {
  if (value === null) return null
  if (type === "timestamp") return PostgresTimestamp.toNotation(String(value))
  return type === "object" || type === "array" ? JSON.stringify(value) : String(value)
}

const typed = (type: Column.Type, value: Fragment): Fragment => {
  const asText = sql`${value}::text`
  return type === "text" ? asText : sql`${asText}::${text(types[type])}`
}

const isJson = (kind: Kind): kind is "json" | "object" | "array" =>
  kind === "json" || kind === "object" || kind === "array"

const operand = (row: Fragment, target: Target): Fragment => {
  if (isJson(kindOf(target))) return PostgresJson.at(row, target)
  return target.json.length > 0 ? PostgresJson.textAt(row, target) : Table.column(row, target.column.name)
}

const constant = (kind: Kind, value: Json): Fragment =>
  isJson(kind) ? PostgresJson.constant(value) : typed(kind, sql`${parameter(kind, value)}`)

/** An array of values of a type, which is sent as one parameter. */
const list = (kind: Kind, values: ReadonlyArray<Json>): Fragment => {
  const type = isJson(kind) ? "jsonb" : types[kind]
  const texts = values.map((value) => (isJson(kind) ? JSON.stringify(value) : String(parameter(kind, value))))
  return sql`${ArrayLiteral.print(texts)}::text::${text(type)}[]`
}

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Folds ASCII letters to lower case: the collation "C" leaves all other letters unchanged. */
const folded = (text: Fragment): Fragment => sql`lower((${text}) COLLATE "C")`

type NamedColumns = ReadonlyArray<Pick<Column.Column, "name" | "type">>

/** Reports whether PostgreSQL parses all timestamps in some documents exactly. */
const arePlain = (columns: NamedColumns, documents: ReadonlyArray<JsonObject>): boolean => {
  const names = columns.filter(({ type }) => type === "timestamp").map(({ name }) => name)
  return documents.every((document) =>
    names.every((name) => {
      const value = document[name]
      return typeof value !== "string" || Timestamp.isPlain(value)
    })
  )
}

/** Rows of a list that is sent as one parameter. */
const elements = (values: ReadonlyArray<Json>): Fragment =>
  sql`json_array_elements(${JSON.stringify(values)}::text::json)`

export const dialect: Dialect = {
  name: "postgres",
  placeholder: (position) => `$${position}`,
  // Merged tables are joined in any order. Without statistics, the planner chooses a slow order for many tables.
  inlines: 1,
  columnType,
  documentType: "json",
  revisionType: "bigint",
  tableOptions: "",
  indexed: (text) => sql`"_hash"(${text})`,
  index: (_, column) => sql`USING hash (${column})`,
  parameter,
  typed,
  operand,
  constant,
  equals: (row, target, value) => sql`${PostgresJson.at(row, target)} = ${PostgresJson.constant(value)}`,
  sortKeys: (row, target) => (isJson(kindOf(target)) ? PostgresJson.sortKeys(row, target) : [operand(row, target)]),
  sortConstants: (kind, value) => (isJson(kind) ? PostgresJson.sortConstants(value) : [constant(kind, value)]),
  among: (row, target, values) => sql`${operand(row, target)} = ANY (${list(kindOf(target), values)})`,
  numbered: (number, values) => sql`${number} = ANY (${ArrayLiteral.print(values.map(String))}::text::bigint[])`,
  like: (text, pattern, foldCase) =>
    foldCase ? sql`${folded(text)} LIKE ${lower(pattern)}::text` : sql`${text} LIKE ${pattern}::text`,
  matches: (text, expression, foldCase) => sql`${foldCase ? folded(text) : text} ~ ${expression}::text`,
  contains: (row, target, value) => sql`${PostgresJson.at(row, target)} @> ${PostgresJson.constant(value)}`,
  containedBy: (row, target, value) => sql`${PostgresJson.at(row, target)} <@ ${PostgresJson.constant(value)}`,
  // `?|` takes only texts.
  overlaps: (row, target, values) =>
    values.every((value) => typeof value === "string")
      ? sql`${PostgresJson.at(row, target)} ?| ${list("text", values)}`
      : PostgresJson.overlaps(row, target, values),
  document: (row) => sql`${Table.column(row, Table.document)}::text`,
  json: PostgresJson.print,
  cast: PostgresCast.cast,
  aggregates: PostgresAggregate.aggregates,
  replace: (document, members) => {
    const replaced = members.map(({ json, name }) => sql`${literal(name)}, (${json})::text::json`)
    const member = sql`to_json(d."key")::text || ':' || coalesce(m."value", d."value")::text`
    const whole = sql`json_each(${document}) WITH ORDINALITY AS d("key", "value", "place")`
    const changed = sql`json_each(json_build_object(${join(replaced, ", ")})) AS m("key", "value")`
    return sql`(SELECT '{' || string_agg(${member}, ',' ORDER BY d."place") || '}'
      FROM ${whole} LEFT JOIN ${changed} ON m."key" = d."key")::json`
  },
  literal: (value) => sql`${JSON.stringify(value)}::text::json`,
  computed: (number) => sql`to_json(${number})`,
  concatenate: (text, separator, order) => sql`string_agg(${text}, ${separator} ${order ?? empty})`,
  lock: (row, whenTaken = "wait") => sql` FOR UPDATE OF ${row}${text(whenTaken === "skip" ? " SKIP LOCKED" : "")}`,
  unpack: (columns, documents) => {
    const declared = columns.map(({ name, type }) => sql`${identifier(name)} ${text(types[type])}`)
    const row = (source: string): Fragment =>
      sql`LATERAL json_to_record("given".${identifier(source)}) AS "row"(${join(declared, ", ")})`
    if (arePlain(columns, documents)) {
      return sql`${elements(documents)} WITH ORDINALITY AS "given"("document", "place"), ${row("document")}`
    }
    const values = documents.map((document) =>
      Object.fromEntries(columns.map(({ name, type }) => [name, parameter(type, document[name] ?? null)]))
    )
    return sql`ROWS FROM (${elements(documents)}, ${elements(values)})
      WITH ORDINALITY AS "given"("document", "values", "place"), ${row("values")}`
  },
  records: (columns, rows) => {
    const declared = columns.map(({ name, type }) => sql`${identifier(name)} ${text(types[type])}`)
    const values = rows.map((row) =>
      Object.fromEntries(columns.map(({ name, type }) => [name, parameter(type, row[name] ?? null)]))
    )
    return sql`json_to_recordset(${JSON.stringify(values)}::text::json) AS "row"(${join(declared, ", ")})`
  },
  each: (texts, alias) =>
    sql`json_array_elements_text(${JSON.stringify(texts)}::text::json) AS ${identifier(alias)}("value")`
}
