/**
 * Casts of selected values on PostgreSQL, which would end the statement at a value that it cannot cast. It is asked
 * first, and what it would refuse becomes null, as on the embedded store.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import { type Kind, kindOf, type Target } from "./Condition.ts"
import * as PostgresJson from "./PostgresJson.ts"
import type { Cast } from "./Selection.ts"
import { type Fragment, sql, text } from "./Statement.ts"
import * as Truth from "./Truth.ts"

const v = text(`v."value"`)

const trimmed = text(`btrim(v."value", E' \\t\\n\\r\\v\\f')`)

/** More than three digits of an exponent lead beyond a double. */
const decimal = text(`'^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?0*[0-9]{1,3})?$'`)
const whole = text(`'^[+-]?[0-9]{1,18}$'`)
const day = text(`'^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'`)

const numeric = sql`${trimmed}::numeric`
const largest = text("1.7976931348623157e308")
const isFinite = sql`CASE WHEN ${trimmed} ~ ${decimal} THEN abs(${numeric}) <= ${largest} ELSE false END`
const decimalToJson = sql`CASE WHEN ${isFinite} THEN (${numeric})::text END`

/** Halves are rounded away from zero. */
const rounded = sql`CASE WHEN abs(${v}::numeric) < 9.2e18 THEN round(${v}::numeric)::bigint::text END`

/** The last day of the month that a text names. */
const monthEnd = sql`extract(day FROM (left(${trimmed}, 7) || '-01')::date + interval '1 month' - interval '1 day')`
const isDay = sql`CASE WHEN ${trimmed} ~ ${day} THEN right(${trimmed}, 2)::integer <= ${monthEnd} ELSE false END`

const means = (truth: boolean): Fragment =>
  sql`lower(${trimmed} COLLATE "C") = ANY (${ArrayLiteral.print(Truth.words(truth))}::text::text[])`
const wordToJson = sql`CASE WHEN ${means(true)} THEN 'true' WHEN ${means(false)} THEN 'false' END`

/** A number among JSON; a null there is null. */
const ifNumber = (then: Fragment): Fragment =>
  sql`CASE json_typeof(${v}::json) WHEN 'number' THEN ${then} WHEN 'null' THEN 'null' END`

const listToText = sql`ARRAY(SELECT json_array_elements_text(${v}::json))::text`

const quoted = (value: Fragment): Fragment => sql`to_json(${value})::text`

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
      return kind === "number" ? rounded : sql`CASE WHEN ${trimmed} ~ ${whole} THEN (${trimmed})::bigint::text END`
    case "boolean":
      if (kind === "text") return wordToJson
      return kind === "json" ? sql`CASE WHEN ${v} IN ('true', 'false', 'null') THEN ${v} END` : v
    case "date":
      if (kind === "timestamp") return quoted(sql`left(${v}, 10)`)
      return kind === "text" ? sql`CASE WHEN ${isDay} THEN ${quoted(trimmed)} END` : quoted(v)
    case "timestamp":
      return quoted(kind === "date" ? sql`${v} || 'T00:00:00Z'` : v)
    case "json":
      return kind === "text" ? sql`"_json"(${v})::text` : v
  }
}

/** A value as the text that a cast begins with: the wire's, without quotes. */
const source = (row: Fragment, target: Target): Fragment => {
  switch (kindOf(target)) {
    case "text":
    case "date":
    case "timestamp":
      return PostgresJson.textAt(row, target)
    default:
      return target.json.length === 0
        ? sql`nullif((${PostgresJson.json(row, target)})::text, 'null')`
        : sql`(${PostgresJson.json(row, target)})::text`
  }
}

/** The JSON of what stands at a target after a cast; null when it cannot be cast. */
export const cast = (row: Fragment, target: Target, cast: Cast): Fragment => {
  const json = sql`CASE WHEN ${v} IS NULL THEN 'null' ELSE ${convert(kindOf(target), cast)} END`
  return sql`SELECT ${json} FROM (SELECT ${source(row, target)} AS "value") AS v`
}
