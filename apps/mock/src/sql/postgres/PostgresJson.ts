/**
 * PostgreSQL's way into JSON. A row's document is of the type that keeps its text, so that what is selected comes out
 * as it went in; what is compared is brought to the type that knows equality.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import type { Json } from "@mfgdata/domain/Json"
import { kindOf, type Target } from "../read/Target.ts"
import { type Fragment, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** What an index is to PostgreSQL, which counts in 32 bits. */
const maximumIndex = 2 ** 31 - 1

const step = (key: string | number): Fragment =>
  typeof key === "number"
    ? sql`${String(Math.max(-maximumIndex, Math.min(key, maximumIndex)))}::text::integer`
    : sql`${key}::text`

/** A name of the catalogue as text. */
const literal = (name: string): Fragment => text(`'${name.replaceAll("'", "''")}'`)

/** The steps from a row's document to a target. */
const steps = ({ column, json }: Target): ReadonlyArray<Fragment> => [
  literal(column.name),
  ...json.map(({ key }) => step(key))
]

const document = (row: Fragment): Fragment => Table.column(row, Table.document)

/** The JSON at a target, its text kept: null where nothing stands there, JSON's null where that stands. */
export const json = (row: Fragment, target: Target): Fragment => join([document(row), ...steps(target)], " -> ")

/** What `->>` leads to. */
export const textAt = (row: Fragment, target: Target): Fragment => {
  const way = [document(row), ...steps(target)]
  return sql`(${join(way.slice(0, -1), " -> ")} ->> ${way.at(-1) ?? text("''")}) COLLATE "C"`
}

/** The JSON at a target as it can be compared: null also where a column is. */
export const at = (row: Fragment, target: Target): Fragment =>
  target.json.length === 0
    ? sql`nullif((${json(row, target)})::jsonb, 'null'::jsonb)`
    : sql`(${json(row, target)})::jsonb`

const ranks = { null: 0, string: 1, number: 2, array: 5, object: 6 } as const

/**
 * JSON's order by type; text and numbers follow in it with their own, in keys of their own, and arrays and objects with
 * their JSON text as it is stored.
 */
const keysOf = (value: Fragment, asText: Fragment): ReadonlyArray<Fragment> => {
  const type = sql`jsonb_typeof(${value})`
  const ranked = Object.entries(ranks).map(([type, rank]) => `WHEN '${type}' THEN ${rank}`)
  return [
    sql`CASE ${type} ${text(ranked.join(" "))} WHEN 'boolean' THEN CASE ${value} WHEN 'true'::jsonb THEN 4 ELSE 3 END END`,
    sql`(CASE WHEN ${type} IN ('string', 'array', 'object') THEN ${asText} ELSE '' END) COLLATE "C"`,
    sql`CASE ${type} WHEN 'number' THEN (${asText})::numeric ELSE 0 END`
  ]
}

/** The order of JSON at a target: a whole column's is that of its text, for its values are of one type. */
export const sortKeys = (row: Fragment, target: Target): ReadonlyArray<Fragment> =>
  target.json.length === 0 ? [textAt(row, target)] : keysOf(at(row, target), textAt(row, target))

/** A value as JSON that can be compared. */
export const constant = (value: Json): Fragment => sql`${JSON.stringify(value)}::text::jsonb`

/** What {@link sortKeys} can be smaller than. */
export const sortConstants = (value: Json): ReadonlyArray<Fragment> =>
  keysOf(constant(value), sql`(${constant(value)}) #>> '{}'`)

/** Looks for an element that a list at a target shares with some values; null where it is null. */
export const overlaps = (row: Fragment, target: Target, values: ReadonlyArray<Json>): Fragment => {
  const elements = sql`jsonb_array_elements(${at(row, target)}) AS e("value")`
  const list = ArrayLiteral.print(values.map((value) => JSON.stringify(value)))
  const isShared = sql`EXISTS (SELECT 1 FROM ${elements} WHERE e."value" = ANY (${list}::text::jsonb[]))`
  return sql`CASE WHEN ${at(row, target)} IS NOT NULL THEN ${isShared} END`
}

/** The wire JSON at a target, as text. A column that prints exactly spares reading the document. */
export const print = (row: Fragment, target: Target): Fragment => {
  if (target.json.length > 0) {
    const value = kindOf(target) === "text" ? sql`to_json(${textAt(row, target)})` : json(row, target)
    return sql`coalesce((${value})::text, 'null')`
  }
  const { name, type } = target.column
  switch (type) {
    case "text":
    case "date":
    case "boolean":
      return sql`coalesce(to_json(${Table.column(row, name)})::text, 'null')`
    // PostgreSQL writes 100000000000000000000 as 1e+20.
    case "number":
    case "timestamp":
    case "object":
    case "array":
      return sql`coalesce((${json(row, target)})::text, 'null')`
  }
}
