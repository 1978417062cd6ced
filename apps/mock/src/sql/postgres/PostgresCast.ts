/**
 * Builds the casts of selected values for PostgreSQL, which fails a statement at a value that it cannot cast. Each value
 * is tested first, and becomes null if the cast would fail, as on SQLite.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import { kindOf, type Target } from "../read/Target.ts"
import * as Cast from "../read/Cast.ts"
import * as PostgresJson from "./PostgresJson.ts"
import * as PostgresTimestamp from "./PostgresTimestamp.ts"
import { type Fragment, sql, text } from "../Statement.ts"
import * as BooleanText from "../text/BooleanText.ts"

const v = Cast.value

const trimmed = text(`btrim(v."value", E' \\t\\n\\r\\v\\f')`)

/** A decimal number. An exponent of more than three digits is out of the range of a double. */
const decimal = text(`'^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?0*[0-9]{1,3})?$'`)
const whole = text(`'^[+-]?[0-9]{1,18}$'`)
const day = text(`'^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'`)

const numeric = sql`${trimmed}::numeric`
const largest = text("1.7976931348623157e308")
const isFinite = sql`CASE WHEN ${trimmed} ~ ${decimal} THEN abs(${numeric}) <= ${largest} ELSE false END`
const decimalToJson = sql`CASE WHEN ${isFinite} THEN (${numeric})::text END`

const rounded = sql`CASE WHEN abs(${v}::numeric) < 9.2e18 THEN round(${v}::numeric)::bigint::text END`

/** The last day of the month of a text. */
const monthEnd = sql`extract(day FROM (left(${trimmed}, 7) || '-01')::date + interval '1 month' - interval '1 day')`
const isDay = sql`CASE WHEN ${trimmed} ~ ${day} THEN right(${trimmed}, 2)::integer <= ${monthEnd} ELSE false END`

/** The wire text of a target; for other types than text the JSON of the document. */
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

const make = Cast.make({
  source,
  quoted: (value) => sql`to_json(${value})::text`,
  trimmed,
  list: sql`ARRAY(SELECT json_array_elements_text(${v}::json))::text`,
  decimal: decimalToJson,
  whole: sql`CASE WHEN ${trimmed} ~ ${whole} THEN (${trimmed})::bigint::text END`,
  rounded,
  means: (meaning) =>
    sql`lower(${trimmed} COLLATE "C") = ANY (${ArrayLiteral.print(BooleanText.words(meaning))}::text::text[])`,
  ifNumber: (then) => sql`CASE json_typeof(${v}::json) WHEN 'number' THEN ${then} WHEN 'null' THEN 'null' END`,
  isDay,
  dayOf: PostgresTimestamp.day,
  parsed: sql`"_json"(${v})::text`
})

/** Builds a cast with the collation "C", by which groups of cast values are sorted. */
export const cast: typeof make = (row, target, type) => sql`(${make(row, target, type)}) COLLATE "C"`
