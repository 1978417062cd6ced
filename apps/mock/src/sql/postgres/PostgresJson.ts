/**
 * Reads JSON in PostgreSQL. A document has the type `json`, which keeps its text, so that selected values are returned
 * as they were sent. Compared values are cast to `jsonb`, which has equality.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import type { Json } from "@mfgdata/domain/Json"
import { isInDocument, kindOf, type Target } from "../read/Target.ts"
import { type Fragment, join, literal, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The largest array index: PostgreSQL uses 32 bits. */
const maximumIndex = 2 ** 31 - 1

const step = (key: string | number): Fragment =>
  typeof key === "number"
    ? sql`${String(Math.max(-maximumIndex, Math.min(key, maximumIndex)))}::text::integer`
    : sql`${key}::text`

/** The steps from a row's document to a target. */
const steps = ({ column, json }: Target): ReadonlyArray<Fragment> => [
  literal(column.name),
  ...json.map(({ key }) => step(key))
]

const document = (row: Fragment): Fragment => Table.column(row, Table.document)

/** The JSON at a target with its text: SQL's null when the target does not exist, otherwise its JSON, null included. */
export const json = (row: Fragment, target: Target): Fragment => join([document(row), ...steps(target)], " -> ")

/** The text at a target. */
export const textAt = (row: Fragment, target: Target): Fragment => {
  const way = [document(row), ...steps(target)]
  return sql`(${join(way.slice(0, -1), " -> ")} ->> ${way.at(-1) ?? text("''")}) COLLATE "C"`
}

/** The comparable JSON at a target; SQL's null for a column that is null. */
export const at = (row: Fragment, target: Target): Fragment =>
  target.json.length === 0
    ? sql`nullif((${json(row, target)})::jsonb, 'null'::jsonb)`
    : sql`(${json(row, target)})::jsonb`

const ranks = { null: 0, string: 1, number: 2, array: 5, object: 6 } as const

/**
 * The sort keys of JSON: its type, then its text, or the stored JSON text of an array or object, and then its number.
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

/** The sort keys of JSON at a target. A column of the contract is sorted by its text: its values have one type. */
export const sortKeys = (row: Fragment, target: Target): ReadonlyArray<Fragment> =>
  !isInDocument(target) ? [textAt(row, target)] : keysOf(at(row, target), textAt(row, target))

/** A constant as comparable JSON. */
export const constant = (value: Json): Fragment => sql`${JSON.stringify(value)}::text::jsonb`

/** The sort keys of a constant, to compare with {@link sortKeys}. */
export const sortConstants = (value: Json): ReadonlyArray<Fragment> =>
  keysOf(constant(value), sql`(${constant(value)}) #>> '{}'`)

/** Tests whether a list at a target has one of some values; null when the list is null. */
export const overlaps = (row: Fragment, target: Target, values: ReadonlyArray<Json>): Fragment => {
  const elements = sql`jsonb_array_elements(${at(row, target)}) AS e("value")`
  const list = ArrayLiteral.print(values.map((value) => JSON.stringify(value)))
  const isShared = sql`EXISTS (SELECT 1 FROM ${elements} WHERE e."value" = ANY (${list}::text::jsonb[]))`
  return sql`CASE WHEN ${at(row, target)} IS NOT NULL THEN ${isShared} END`
}

/** The wire JSON at a target, as text: printed from the column where that is exact, otherwise read from the document. */
export const print = (row: Fragment, target: Target): Fragment => {
  if (isInDocument(target)) {
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
