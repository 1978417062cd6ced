/**
 * Casts selected values. The rules are the same for both dialects, which supply the SQL of each form. A value that
 * cannot be cast becomes null, which makes the JSON of its row null, and the reader of the row refuses the request.
 */
import { type Cast, kindOf, type Target } from "./Target.ts"
import { type Fragment, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The text of the value that is cast. */
export const value = text(`v."value"`)

/** The SQL of a dialect for each form of {@link value}, which is not null. */
export interface Forms {
  /** The wire text of a target, without quotes. */
  readonly source: (row: Fragment, target: Target) => Fragment
  /** A text as JSON. */
  readonly quoted: (text: Fragment) => Fragment
  /** The value without surrounding blanks. */
  readonly trimmed: Fragment
  /** A list in PostgreSQL's notation of arrays. */
  readonly list: Fragment
  /** A text that is a decimal number, and one that is a whole number; null for any other text. */
  readonly decimal: Fragment
  readonly whole: Fragment
  /** A number without its fraction; halves are rounded away from zero. */
  readonly rounded: Fragment
  /** Tests whether the trimmed text means true, or false. */
  readonly means: (meaning: boolean) => Fragment
  /** A result for JSON numbers; JSON's null stays null. */
  readonly ifNumber: (then: Fragment) => Fragment
  /** Tests whether the trimmed text is a calendar day. */
  readonly isDay: Fragment
  /** The day of a timestamp in UTC; null outside the years 1 to 9999. */
  readonly dayOf: (instant: Fragment) => Fragment
  /** The JSON that a text contains; null when it is not JSON. */
  readonly parsed: Fragment
}

const convert = (forms: Forms, row: Fragment, target: Target, cast: Cast): Fragment => {
  const kind = kindOf(target)
  const { ifNumber, means, quoted, trimmed } = forms
  switch (cast) {
    case "text":
      return quoted(kind === "array" ? forms.list : value)
    case "number":
      return kind === "text" ? forms.decimal : kind === "json" ? ifNumber(value) : value
    case "integer":
      if (kind === "boolean") return sql`CASE ${value} WHEN 'true' THEN '1' ELSE '0' END`
      if (kind === "json") return ifNumber(forms.rounded)
      return kind === "number" ? forms.rounded : forms.whole
    case "boolean":
      if (kind === "text") return sql`CASE WHEN ${means(true)} THEN 'true' WHEN ${means(false)} THEN 'false' END`
      return kind === "json" ? sql`CASE WHEN ${value} IN ('true', 'false', 'null') THEN ${value} END` : value
    case "date":
      if (kind === "timestamp") {
        const day = forms.dayOf(Table.column(row, target.column.name))
        return sql`CASE WHEN (${day}) IS NOT NULL THEN ${quoted(day)} END`
      }
      return kind === "text" ? sql`CASE WHEN ${forms.isDay} THEN ${quoted(trimmed)} END` : quoted(value)
    case "timestamp":
      return quoted(kind === "date" ? sql`${value} || 'T00:00:00.000Z'` : value)
    case "json":
      return kind === "text" ? forms.parsed : value
  }
}

/** Builds the JSON of the value at a target after a cast; null when it cannot be cast. */
export const make =
  (forms: Forms) =>
  (row: Fragment, target: Target, cast: Cast): Fragment => {
    const json = sql`CASE WHEN ${value} IS NULL THEN 'null' ELSE ${convert(forms, row, target, cast)} END`
    return sql`SELECT ${json} FROM (SELECT ${forms.source(row, target)} AS "value") AS v`
  }
