/**
 * The dialect of SQLite as libsql builds it, with `regexp` as an automaton, so that every expression takes linear time,
 * and `lower` for ASCII letters.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { type Kind, kindOf, type Target } from "../read/Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as SqliteAggregate from "./SqliteAggregate.ts"
import * as SqliteCast from "./SqliteCast.ts"
import * as SqliteJson from "./SqliteJson.ts"
import * as SqliteStaging from "./SqliteStaging.ts"
import { empty, type Fragment, identifier, join, literal, type Parameter, sql, text } from "../Statement.ts"
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
      // The microseconds do not fit into a double, so they are sent as text.
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

const constant = (kind: Kind, value: Json): Fragment =>
  kind === "json" ? sql`${JSON.stringify(value)}` : typed(kind, sql`${parameter(kind, value)}`)

/** Rows of a list that is sent as one parameter. */
const rows = (values: ReadonlyArray<unknown>): Fragment => sql`json_each(${JSON.stringify(values)})`

const among = (row: Fragment, target: Target, values: ReadonlyArray<Json>): Fragment => {
  const kind = kindOf(target)
  switch (kind) {
    // Numbers too are compared by the document's text: SQLite parses some doubles of a list with an error in the last bit.
    case "number":
    case "object":
    case "json":
    case "array":
      return SqliteJson.isAmong(SqliteJson.at(row, target), values)
    default: {
      const list = rows(values.map((value) => parameter(kind, value)))
      return sql`${SqliteJson.operand(row, target)} IN (SELECT ${typed(kind, identifier("value"))} FROM ${list})`
    }
  }
}

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Compares a text with a pattern. With a constant argument each `LIKE` of a query keeps its text until the query ends, so
 * that 200 of them take 200 times the memory of a long text. Functions that may change are not constant.
 */
const like = (pattern: string): Fragment => {
  const compared = sql`LIKE iif(changes() IS NULL, NULL, ${pattern})`
  return pattern.includes("\\") ? sql`${compared} ESCAPE iif(changes() IS NULL, NULL, '\\')` : compared
}

/** The bytes above which the index of sizes contains a document. */
export const largeBytes = 16_384

export const dialect: Dialect = {
  name: "sqlite",
  placeholder: () => "?",
  columnType: (type) => columnTypes[type],
  documentType: "TEXT",
  revisionType: "INTEGER",
  // The rowid itself. Every index ends in it, so an index on other columns returns its rows in the order of creation.
  sequenceType: "INTEGER PRIMARY KEY",
  keyConstraint: "UNIQUE",
  tableOptions: " STRICT",
  indexed: (text) => text,
  index: (owners, column) => sql`(${join([...owners, column], ", ")})`,
  sizeIndex: (document) => {
    const size = sql`octet_length(${document})`
    return sql`(${size}) WHERE ${size} > ${text(String(largeBytes))}`
  },
  sequenceIndex: (owners) => sql`(${join(owners, ", ")})`,
  parameter,
  typed,
  operand: SqliteJson.operand,
  constant,
  equals: SqliteJson.equals,
  sortKeys: (row, target) =>
    kindOf(target) === "json" ? SqliteJson.sortKeys(row, target) : [SqliteJson.operand(row, target)],
  sortConstants: (kind, value) => (kind === "json" ? SqliteJson.sortConstants(value) : [constant(kind, value)]),
  among,
  numbered: (number, values) => sql`${number} IN (SELECT "value" FROM json_each(${JSON.stringify(values)}))`,
  // The driver sets `case_sensitive_like`.
  like: (text, pattern, foldCase) =>
    foldCase ? sql`lower(${text}) ${like(lower(pattern))}` : sql`${text} ${like(pattern)}`,
  matches: (text, expression, foldCase) =>
    foldCase ? sql`regexp(${expression}, lower(${text}))` : sql`regexp(${expression}, ${text})`,
  contains: SqliteJson.contains,
  containedBy: SqliteJson.containedBy,
  overlaps: SqliteJson.overlaps,
  document: (row) => Table.column(row, Table.document),
  json: SqliteJson.json,
  cast: SqliteCast.cast,
  aggregates: SqliteAggregate.aggregates,
  // The concatenation makes JSON plain text.
  quote: (text) => sql`json_quote((${text}) || '')`,
  replace: (document, members) => {
    const pairs = members.map(({ json, name }) => sql`${literal(SqliteJson.columnPath(name))}, ${json}`)
    return sql`json_set(${join([document, ...pairs], ", ")})`
  },
  literal: (value) => sql`json(${JSON.stringify(value)})`,
  // A whole number is written without a fraction.
  computed: (number) =>
    sql`CASE WHEN ${number} = CAST(${number} AS INTEGER) THEN CAST(${number} AS INTEGER) ELSE ${number} END`,
  concatenate: (text, separator, order) =>
    order === undefined ? sql`group_concat(${text}, ${separator})` : sql`group_concat(${text}, ${separator} ${order})`,
  // Changes run one after the other.
  lock: () => empty,
  retryUnless: undefined,
  unpack: undefined,
  staged: SqliteStaging.rows,
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
