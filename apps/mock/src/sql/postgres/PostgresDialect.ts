/**
 * PostgreSQL's SQL. Parameters arrive as text and are cast where they stand, because a type that the server infers
 * would rewrite some values; text is ordered by its bytes, as the embedded store orders it.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import type * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import { type Kind, kindOf, type Target } from "../read/Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as PostgresAggregate from "./PostgresAggregate.ts"
import * as PostgresCast from "./PostgresCast.ts"
import * as PostgresJson from "./PostgresJson.ts"
import { empty, type Fragment, identifier, join, type Parameter, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The types by the names that a cast takes; JSON stands in the document alone. */
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

const parameter = (type: Column.Type, value: Json): Parameter =>
  value === null ? null : type === "object" || type === "array" ? JSON.stringify(value) : String(value)

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

/** Values of a type as one parameter. */
const list = (kind: Kind, values: ReadonlyArray<Json>): Fragment => {
  const type = isJson(kind) ? "jsonb" : types[kind]
  const texts = values.map((value) => (isJson(kind) ? JSON.stringify(value) : String(value)))
  return sql`${ArrayLiteral.print(texts)}::text::${text(type)}[]`
}

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** In the collation of bytes these are the ASCII letters alone. */
const folded = (text: Fragment): Fragment => sql`lower((${text}) COLLATE "C")`

export const dialect: Dialect = {
  name: "postgres",
  placeholder: (position) => `$${position}`,
  // Worked into each other they are joined in any order, and many without statistics in a very bad one.
  inlines: 1,
  columnType,
  documentType: "json",
  revisionType: "bigint",
  tableOptions: "",
  // A snapshot is restored row by row, and a row may come before the one it refers to.
  referenceOptions: " DEFERRABLE",
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
  overlaps: (row, target, value) => {
    const texts: ReadonlyArray<Json> = Array.isArray(value) ? value : [value]
    return sql`${PostgresJson.at(row, target)} ?| ${list("text", texts)}`
  },
  document: (row) => sql`${Table.column(row, Table.document)}::text`,
  json: PostgresJson.print,
  cast: PostgresCast.cast,
  aggregates: PostgresAggregate.aggregates,
  replace: (document, members) => {
    const replaced = members.map(({ json, name }) => sql`${text(`'${name}'`)}, (${json})::text::json`)
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
    const given = sql`json_array_elements(${JSON.stringify(documents)}::text::json)`
    return sql`${given} WITH ORDINALITY AS "given"("document", "place"),
      LATERAL json_to_record("given"."document") AS "row"(${join(declared, ", ")})`
  },
  each: (texts, alias) =>
    sql`json_array_elements_text(${JSON.stringify(texts)}::text::json) AS ${identifier(alias)}("value")`
}
