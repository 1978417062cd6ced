/**
 * Parses texts as values of columns, as PostgreSQL does: for query parameters, CSV, forms and PostgREST's shape.
 */
import * as ApiKey from "@mfgdata/domain/ApiKey"
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import type * as Column from "@mfgdata/domain/Column"
import type { Json, JsonArray } from "@mfgdata/domain/Json"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Either from "effect/Either"
import * as BooleanText from "../../sql/text/BooleanText.ts"
import type { RowError } from "../RowError.ts"

/** PostgreSQL's names of the types. */
export const typeNames = {
  text: "text",
  number: "numeric",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamp with time zone",
  object: "jsonb",
  array: "text[]"
} as const satisfies { readonly [T in Column.Type]: string }

const shownCharacters = 60

/** A text as an error shows it: shortened, and not at all if it is sensitive. */
export const show = (column: Column.Column, text: string): string => {
  if (column.sensitive || text.includes(ApiKey.prefix)) return "a text that is not shown"
  return JSON.stringify(text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text)
}

type Problem = "syntax" | "range"

const numeric = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

const toNumber = (text: string): number | Problem => {
  if (!numeric.test(text)) return "syntax"
  const number = Number(text)
  return Number.isFinite(number) ? number : "range"
}

const day = /^(\d{4})-(\d{2})-(\d{2})$/

/** The problem of a text that is not a date or a timestamp: its form, or the range of its numbers. */
export const problemOf = (text: string): Problem => (day.test(text) || Timestamp.isFormed(text) ? "range" : "syntax")

const isDay = (text: string): boolean => {
  const [, year, month, date] = day.exec(text) ?? []
  return year !== undefined && CalendarDate.exists(Number(year), Number(month), Number(date))
}

/** The date at the start of a text, whatever the offset of its time. */
const toDate = (text: string): string | undefined => {
  if (isDay(text)) return text
  return Timestamp.is(text)
    ? Timestamp.fromMicros(Timestamp.toMicros(text.replace(/[Tt ].*/, "T00Z"))).slice(0, 10)
    : undefined
}

/** A timestamp as it was sent; a date means its first moment in UTC. */
const toTimestamp = (text: string): string | undefined =>
  Timestamp.is(text) ? text : isDay(text) ? `${text}T00:00:00.000Z` : undefined

const toJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a text as JSON. */
export const json = (column: Column.Column, text: string): Either.Either<Json, RowError> => {
  const value = toJson(text)
  return value === undefined ? malformed(column, text, "json", "syntax") : Either.right(value)
}

const malformed = (
  column: Column.Column,
  text: string,
  type: Extract<RowError, { readonly _tag: "TextMalformed" }>["type"],
  problem: Problem
): Either.Either<never, RowError> =>
  Either.left({ _tag: "TextMalformed", problem, type, column: column.name, shown: show(column, text) })

/** A value of a scalar column. */
export type Scalar = string | number | boolean

/** Parses a text as a value of a type other than object and array. */
export const scalar = (
  column: Column.Column,
  type: Exclude<Column.Type, "object" | "array">,
  text: string
): Either.Either<Scalar, RowError> => {
  switch (type) {
    case "text":
      return Either.right(text)
    case "number": {
      const number = toNumber(text)
      return typeof number === "number" ? Either.right(number) : malformed(column, text, "numeric", number)
    }
    case "boolean": {
      const truth = BooleanText.fromText(text)
      return truth === undefined ? malformed(column, text, "boolean", "syntax") : Either.right(truth)
    }
    case "date": {
      const date = toDate(text.trim())
      return date === undefined ? malformed(column, text, "date", problemOf(text)) : Either.right(date)
    }
    case "timestamp": {
      const timestamp = toTimestamp(text.trim())
      return timestamp === undefined
        ? malformed(column, text, "timestamp with time zone", problemOf(text))
        : Either.right(timestamp)
    }
  }
}

/** Parses a text as an array: an array literal in braces or, under the contract rules, a JSON array. */
export const array = (column: Column.Column, text: string, rules: RuleSet): Either.Either<JsonArray, RowError> => {
  const value = rules === "contract" && text.trimStart().startsWith("[") ? toJson(text) : undefined
  if (Array.isArray(value)) return Either.right(value)
  return Either.orElse(ArrayLiteral.parse(text), () => malformed(column, text, "text[]", "syntax"))
}

/** Parses a text as a value of a column. */
const fromText = (column: Column.Column, text: string, rules: RuleSet): Either.Either<Json, RowError> => {
  switch (column.type) {
    case "object":
      return json(column, text)
    case "array":
      return array(column, text, rules)
    default:
      return scalar(column, column.type, text)
  }
}

/**
 * Converts a JSON value to the type of a column as PostgreSQL does: through its text, unless the type accepts the value.
 * Under the public rules the elements of an array are texts, so numbers and booleans are converted.
 */
export const fromJson = (column: Column.Column, value: Json, rules: RuleSet): Either.Either<Json, RowError> => {
  if (value === null || (column.type === "object" && typeof value !== "string")) return Either.right(value)
  if (column.type === "array" && Array.isArray(value)) {
    if (rules === "contract") return Either.right(value)
    return Either.right(
      value.map((item) => (typeof item === "number" || typeof item === "boolean" ? String(item) : item))
    )
  }
  return fromText(column, typeof value === "string" ? value : JSON.stringify(value), rules)
}
