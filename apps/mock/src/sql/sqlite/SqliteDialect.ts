/**
 * The embedded store's SQL: SQLite as libsql builds it, which brings a regular `regexp` (an automaton, so no
 * expression takes forever) and `lower` for ASCII.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { type Kind, kindOf, type Target } from "../read/Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as SqliteAggregate from "./SqliteAggregate.ts"
import * as SqliteCast from "./SqliteCast.ts"
import * as SqliteJson from "./SqliteJson.ts"
import { empty, type Fragment, identifier, join, type Parameter, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

const columnTypes: { readonly [T in Column.Type]: string | undefined } = {
  text: "TEXT",
  number: "REAL",
  boolean: "INTEGER",
  date: "TEXT",
  timestamp: "INTEGER",
  object: undefined,
  array: undefined
}

const parameter = (type: Column.Type, value: Json): Parameter => {
  if (value === null) return null
  switch (type) {
    case "number":
      return Number(value)
    case "boolean":
      return value === true ? 1 : 0
    case "timestamp":
      // More microseconds than a double can count; as text they reach SQLite whole.
      return String(Timestamp.toMicros(String(value)))
    case "text":
    case "date":
      return String(value)
    case "object":
    case "array":
      return JSON.stringify(value)
  }
}

const typed = (type: Column.Type, value: Fragment): Fragment =>
  type === "timestamp" ? sql`CAST(${value} AS INTEGER)` : value

const operand = (row: Fragment, target: Target): Fragment => {
  switch (kindOf(target)) {
    case "json":
    case "object":
    case "array":
      return SqliteJson.at(row, target)
    default:
      return target.json.length > 0 ? SqliteJson.textAt(row, target) : Table.column(row, target.column.name)
  }
}

const constant = (kind: Kind, value: Json): Fragment =>
  kind === "json" ? sql`${JSON.stringify(value)}` : typed(kind, sql`${parameter(kind, value)}`)

/** A list as one parameter, and as rows. */
const rows = (values: ReadonlyArray<unknown>): Fragment => sql`json_each(${JSON.stringify(values)})`

const among = (row: Fragment, target: Target, values: ReadonlyArray<Json>): Fragment => {
  const kind = kindOf(target)
  switch (kind) {
    // Of a number too the document's text is compared: SQLite would read the last bit of some doubles in a list.
    case "number":
    case "object":
    case "json":
    case "array":
      return SqliteJson.isAmong(SqliteJson.at(row, target), values)
    default: {
      const list = rows(values.map((value) => parameter(kind, value)))
      return sql`${operand(row, target)} IN (SELECT ${typed(kind, identifier("value"))} FROM ${list})`
    }
  }
}

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

export const dialect: Dialect = {
  name: "sqlite",
  placeholder: () => "?",
  columnType: (type) => columnTypes[type],
  documentType: "TEXT",
  revisionType: "INTEGER",
  tableOptions: " STRICT",
  indexed: (text) => text,
  // With the key behind it an index gives the rows in order; without statistics SQLite would rather walk the table.
  index: (owners, column, key) => sql`(${join([...owners, column, key], ", ")})`,
  parameter,
  typed,
  operand,
  constant,
  equals: SqliteJson.equals,
  sortKeys: (row, target) => (kindOf(target) === "json" ? SqliteJson.sortKeys(row, target) : [operand(row, target)]),
  sortConstants: (kind, value) => (kind === "json" ? SqliteJson.sortConstants(value) : [constant(kind, value)]),
  among,
  numbered: (number, values) => sql`${number} IN (SELECT "value" FROM json_each(${JSON.stringify(values)}))`,
  // The connection has `case_sensitive_like` on.
  like: (text, pattern, foldCase) =>
    foldCase ? sql`lower(${text}) LIKE ${lower(pattern)} ESCAPE '\\'` : sql`${text} LIKE ${pattern} ESCAPE '\\'`,
  matches: (text, expression, foldCase) =>
    foldCase ? sql`regexp(${expression}, lower(${text}))` : sql`regexp(${expression}, ${text})`,
  contains: SqliteJson.contains,
  containedBy: SqliteJson.containedBy,
  overlaps: SqliteJson.overlaps,
  document: (row) => Table.column(row, Table.document),
  json: SqliteJson.json,
  cast: SqliteCast.cast,
  aggregates: SqliteAggregate.aggregates,
  replace: (document, members) => {
    const pairs = members.map(({ json, name }) => sql`${SqliteJson.columnPath(name)}, ${json}`)
    return sql`json_set(${join([document, ...pairs], ", ")})`
  },
  literal: (value) => sql`json(${JSON.stringify(value)})`,
  // A whole number is written without a fraction.
  computed: (number) =>
    sql`CASE WHEN ${number} = CAST(${number} AS INTEGER) THEN CAST(${number} AS INTEGER) ELSE ${number} END`,
  concatenate: (text, separator, order) =>
    order === undefined ? sql`group_concat(${text}, ${separator})` : sql`group_concat(${text}, ${separator} ${order})`,
  // Only one change is under way at a time.
  lock: () => empty,
  unpack: undefined,
  records: (columns, given) => {
    const values = given.map((row) => columns.map(({ name, type }) => parameter(type, row[name] ?? null)))
    const read = columns.map(
      ({ name, type }, place) =>
        sql`${typed(type, sql`json_extract("value", ${text(`'$[${place}]'`)})`)} AS ${identifier(name)}`
    )
    return sql`(SELECT ${join(read, ", ")} FROM ${rows(values)}) AS "row"`
  },
  each: (texts, alias) => sql`${rows(texts)} AS ${identifier(alias)}`
}
