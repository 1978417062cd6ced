/**
 * Builds the casts of selected values for SQLite.
 */
import { kindOf, type Target } from "../read/Target.ts"
import * as Cast from "../read/Cast.ts"
import * as SqliteJson from "./SqliteJson.ts"
import * as SqliteTimestamp from "./SqliteTimestamp.ts"
import { type Fragment, sql } from "../Statement.ts"
import * as BooleanText from "../text/BooleanText.ts"

const v = Cast.value

const blanks = " \t\n\r\v\f"
const trimmed = sql`trim(${v}, ${blanks})`

const decimal = "^(\\+|-)?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE](\\+|-)?[0-9]+)?$"
const whole = "^(\\+|-)?[0-9]{1,18}$"
const day = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
const isDay = sql`regexp(${day}, ${trimmed}) AND date(${trimmed}) = ${trimmed} AND ${trimmed} >= '0001'`

/** A decimal without its sign and leading zeros, which JSON does not allow. */
const unsigned = sql`ltrim(ltrim(${trimmed}, '+-'), '0')`
const sign = sql`CASE WHEN ${trimmed} LIKE '-%' THEN '-' ELSE '' END`
const zero = sql`CASE WHEN regexp('^[0-9]', ${unsigned}) THEN '' ELSE '0' END`
const isDecimal = sql`regexp(${decimal}, ${trimmed}) AND abs(CAST(${trimmed} AS REAL)) < 9e999`
const decimalToJson = sql`CASE WHEN ${isDecimal} THEN json(${sign} || ${zero} || ${unsigned}) END`

const real = sql`CAST(${v} AS REAL)`
const rounded = sql`CASE WHEN abs(${real}) < 9.2e18 THEN CAST(round(${real}) AS INTEGER) || '' END`

/** The elements of a list as text; numbers and booleans as their JSON, which `value` changes. */
const json = sql`${v} -> ('$[' || e."key" || ']')`
const elements = sql`SELECT e."type", CASE e."type" WHEN 'text' THEN e."value" ELSE ${json} END AS "text" FROM json_each(${v}) AS e`

/** An element of a list needs quotes when it contains one of these characters. */
const special = `*["\\{}, \t\n\r\v\f]*`
const isSpecial = sql`t."text" = '' OR lower(t."text") = 'null' OR t."text" GLOB ${special}`
const escaped = sql`replace(replace(t."text", '\\', '\\\\'), '"', '\\"')`
const element = sql`CASE WHEN t."type" = 'null' THEN 'NULL' WHEN ${isSpecial} THEN '"' || ${escaped} || '"' ELSE t."text" END`
const listToText = sql`'{' || coalesce((SELECT group_concat(${element}, ',') FROM (${elements}) AS t), '') || '}'`

/** The wire text of a target; for other types than text the JSON of the document. */
const source = (row: Fragment, target: Target): Fragment => {
  switch (kindOf(target)) {
    case "text":
    case "date":
    case "timestamp":
      return SqliteJson.textAt(row, target)
    default:
      // The concatenation makes it plain text: `json_quote` leaves JSON unchanged.
      return sql`(${SqliteJson.at(row, target)}) || ''`
  }
}

export const cast = Cast.make({
  source,
  quoted: (value) => sql`json_quote(${value})`,
  trimmed,
  list: listToText,
  decimal: decimalToJson,
  whole: sql`CASE WHEN regexp(${whole}, ${trimmed}) THEN CAST(${trimmed} AS INTEGER) || '' END`,
  rounded,
  means: (meaning) =>
    sql`lower(${trimmed}) IN (SELECT "value" FROM json_each(${JSON.stringify(BooleanText.words(meaning))}))`,
  ifNumber: (then) =>
    sql`CASE json_type(${v}) WHEN 'integer' THEN ${then} WHEN 'real' THEN ${then} WHEN 'null' THEN 'null' END`,
  isDay,
  dayOf: SqliteTimestamp.day,
  parsed: sql`CASE WHEN json_valid(${v}) THEN json(${v}) END`
})
