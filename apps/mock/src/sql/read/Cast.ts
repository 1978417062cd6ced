/**
 * Casts of selected values, for every store: which form a value of a kind takes as another. A store says how it writes
 * the forms; a value that cannot take one becomes null, from which the whole row's null follows, and whoever reads it
 * refuses.
 */
import { type Cast, kindOf, type Target } from "./Target.ts"
import { type Fragment, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The value that is cast, as text. */
export const value = text(`v."value"`)

/** How a store writes the JSON of {@link value}, which is not null, in each form. */
export interface Forms {
  /** A value as the text that a cast begins with: the wire's, without quotes. */
  readonly source: (row: Fragment, target: Target) => Fragment
  /** A text as JSON. */
  readonly quoted: (text: Fragment) => Fragment
  /** The value without the blanks around it. */
  readonly trimmed: Fragment
  /** A list as PostgreSQL prints it. */
  readonly list: Fragment
  /** A text that is a decimal, or a whole number. */
  readonly decimal: Fragment
  readonly whole: Fragment
  /** A number without its fraction; halves are rounded away from zero. */
  readonly rounded: Fragment
  /** Whether the trimmed text means a truth. */
  readonly means: (truth: boolean) => Fragment
  /** Something of a number among JSON; a null there is null. */
  readonly ifNumber: (then: Fragment) => Fragment
  /** Whether the trimmed text is a day. */
  readonly isDay: Fragment
  /** The day of a timestamp in UTC; null outside the years 1 to 9999. */
  readonly dayOf: (instant: Fragment) => Fragment
  /** A text that is JSON. */
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

/** The JSON of what stands at a target after a cast; null when it cannot be cast. */
export const make =
  (forms: Forms) =>
  (row: Fragment, target: Target, cast: Cast): Fragment => {
    const json = sql`CASE WHEN ${value} IS NULL THEN 'null' ELSE ${convert(forms, row, target, cast)} END`
    return sql`SELECT ${json} FROM (SELECT ${forms.source(row, target)} AS "value") AS v`
  }
