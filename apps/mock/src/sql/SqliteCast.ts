/**
 * Casts of selected values on SQLite. PostgreSQL refuses a value it cannot cast; here it becomes null, from which the
 * whole row's null follows, and whoever reads it refuses.
 */
import { type Kind, kindOf, type Target } from "./Condition.ts"
import type { Cast } from "./Selection.ts"
import * as SqliteJson from "./SqliteJson.ts"
import { type Fragment, sql, text } from "./Statement.ts"
import * as Truth from "./Truth.ts"

const v = text(`v."value"`)

const blanks = " \t\n\r\v\f"
const trimmed = sql`trim(${v}, ${blanks})`

const decimal = "^(\\+|-)?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE](\\+|-)?[0-9]+)?$"
const whole = "^(\\+|-)?[0-9]{1,18}$"
const day = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
const isDay = sql`regexp(${day}, ${trimmed}) AND date(${trimmed}) = ${trimmed} AND ${trimmed} >= '0001'`

/** JSON begins numbers with a digit that is no needless zero and ends them with a digit. */
const unsigned = sql`ltrim(ltrim(${trimmed}, '+-'), '0')`
const sign = sql`CASE WHEN ${trimmed} LIKE '-%' THEN '-' ELSE '' END`
const zero = sql`CASE WHEN regexp('^[0-9]', ${unsigned}) THEN '' ELSE '0' END`
const isDecimal = sql`regexp(${decimal}, ${trimmed}) AND abs(CAST(${trimmed} AS REAL)) < 9e999`
const decimalToJson = sql`CASE WHEN ${isDecimal} THEN json(${sign} || ${zero} || ${unsigned}) END`

/** Halves are rounded away from zero, as with PostgreSQL's numeric. */
const real = sql`CAST(${v} AS REAL)`
const rounded = sql`CASE WHEN abs(${real}) < 9.2e18 THEN CAST(round(${real}) AS INTEGER) || '' END`

const means = (truth: boolean): Fragment =>
  sql`lower(${trimmed}) IN (SELECT "value" FROM json_each(${JSON.stringify(Truth.words(truth))}))`
const wordToJson = sql`CASE WHEN ${means(true)} THEN 'true' WHEN ${means(false)} THEN 'false' END`

/** A number among JSON; a null there is null. */
const ifNumber = (then: Fragment): Fragment =>
  sql`CASE json_type(${v}) WHEN 'integer' THEN ${then} WHEN 'real' THEN ${then} WHEN 'null' THEN 'null' END`

/** An element of a list needs quotes when it holds one of these. */
const special = `*["\\{}, \t\n\r\v\f]*`
const isSpecial = sql`e."value" = '' OR lower(e."value") = 'null' OR e."value" GLOB ${special}`
const escaped = sql`replace(replace(e."value", '\\', '\\\\'), '"', '\\"')`
const element = sql`CASE WHEN ${isSpecial} THEN '"' || ${escaped} || '"' ELSE e."value" END`
const listToText = sql`'{' || coalesce((SELECT group_concat(${element}, ',') FROM json_each(${v}) AS e), '') || '}'`

const quoted = (value: Fragment): Fragment => sql`json_quote(${value})`

/** The JSON of `v`, which is not null, after a cast. */
const convert = (kind: Kind, cast: Cast): Fragment => {
  switch (cast) {
    case "text":
      return quoted(kind === "array" ? listToText : v)
    case "number":
      return kind === "text" ? decimalToJson : kind === "json" ? ifNumber(v) : v
    case "integer":
      if (kind === "boolean") return sql`CASE ${v} WHEN 'true' THEN '1' ELSE '0' END`
      if (kind === "json") return ifNumber(rounded)
      return kind === "number"
        ? rounded
        : sql`CASE WHEN regexp(${whole}, ${trimmed}) THEN CAST(${trimmed} AS INTEGER) || '' END`
    case "boolean":
      if (kind === "text") return wordToJson
      return kind === "json" ? sql`CASE WHEN ${v} IN ('true', 'false', 'null') THEN ${v} END` : v
    case "date":
      if (kind === "timestamp") return quoted(sql`substr(${v}, 1, 10)`)
      return kind === "text" ? sql`CASE WHEN ${isDay} THEN ${quoted(trimmed)} END` : quoted(v)
    case "timestamp":
      return quoted(kind === "date" ? sql`${v} || 'T00:00:00Z'` : v)
    case "json":
      return kind === "text" ? sql`CASE WHEN json_valid(${v}) THEN json(${v}) END` : v
  }
}

/** A value as the text that a cast begins with: the wire's, without quotes. */
const source = (row: Fragment, target: Target): Fragment => {
  switch (kindOf(target)) {
    case "text":
    case "date":
    case "timestamp":
      return SqliteJson.textAt(row, target)
    default:
      // Without the concatenation it would still count as JSON, which quoting leaves alone.
      return sql`(${SqliteJson.at(row, target)}) || ''`
  }
}

/** The JSON of what stands at a target after a cast; null when it cannot be cast. */
export const cast = (row: Fragment, target: Target, cast: Cast): Fragment => {
  const json = sql`CASE WHEN ${v} IS NULL THEN 'null' ELSE ${convert(kindOf(target), cast)} END`
  return sql`SELECT ${json} FROM (SELECT ${source(row, target)} AS "value") AS v`
}
