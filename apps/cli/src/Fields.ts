/**
 * Maps the columns of a resource to flags in kebab case, and texts to their values.
 */
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Either from "effect/Either"
import { UsageError } from "./CliError.ts"

/** The flag of a column without its dashes. Names are re-cased here only. */
export const flag = (column: string): string =>
  column.replaceAll(/[A-Z]+(?![a-z])|[A-Z]/g, (capitals) => `-${capitals.toLowerCase()}`)

/** The writable columns, required ones first. */
export const writable = (resource: Resource.Any): ReadonlyArray<Column.Column> => {
  const columns = Column.fromResource(resource)
  return [
    ...columns.filter(({ write }) => write === "required"),
    ...columns.filter(({ write }) => write === "optional")
  ]
}

/** All columns in the order of display: the key, writable columns, columns that the service sets. */
export const names = (resource: Resource.Any): ReadonlyArray<string> => {
  const columns = Column.fromResource(resource)
  return [
    ...new Set([
      resource.key,
      ...writable(resource).map(({ name }) => name),
      ...columns.filter(({ write }) => write === "never").map(({ name }) => name)
    ])
  ]
}

interface Form {
  readonly expected: string
  readonly example: string
  readonly read: (text: string) => Json | undefined
}

const json = (text: string): Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isTexts = (value: Json | undefined): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

/** The form of each type on a command line and in a CSV file. */
const forms: { readonly [T in Column.Type]: Form } = {
  text: { expected: "text", example: "text", read: (text) => text },
  number: {
    expected: "a number",
    example: "12.5",
    read: (text) =>
      /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined
  },
  boolean: {
    expected: "true or false",
    example: "true",
    read: (text) => (text === "true" ? true : text === "false" ? false : undefined)
  },
  date: {
    expected: "a date",
    example: "2027-05-01",
    read: (text) => (CalendarDate.is(text) ? text : undefined)
  },
  timestamp: {
    expected: "a timestamp",
    example: "2027-05-01T12:30:00Z",
    read: (text) => (Timestamp.is(text) ? text : undefined)
  },
  object: {
    expected: "a JSON object",
    example: `'{"shift":"early"}'`,
    read: (text) => {
      const value = json(text)
      return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
    }
  },
  array: {
    expected: "a JSON array of strings",
    example: `'["a","b"]'`,
    read: (text) => {
      const value = json(text)
      return isTexts(value) ? value : undefined
    }
  }
}

/** An example of a column's value on a command line. */
export const example = ({ name, type, vocabulary }: Column.Column): string => {
  const [known] = vocabulary?.known ?? []
  if (known !== undefined) return known.includes(" ") ? `"${known}"` : known
  return type === "text" ? (name.endsWith("Id") ? "id" : "text") : forms[type].example
}

/** The expected form of a column's value. */
export const expected = ({ type }: Column.Column): string => forms[type].expected

/** Parses the value of a column. */
export const value = (column: Column.Column, text: string): Either.Either<Json, UsageError> => {
  const read = forms[column.type].read(text)
  return read === undefined
    ? Either.left(
        new UsageError({
          problem: `Invalid value ${JSON.stringify(column.sensitive ? "…" : text)} for ${column.name}: expected ${forms[column.type].expected}.`,
          example: `--${flag(column.name)} ${example(column)}`
        })
      )
    : Either.right(read)
}

/** Parses the value of a list: one JSON array, or an item in each text. */
export const list = (column: Column.Column, texts: ReadonlyArray<string>): Either.Either<Json, UsageError> => {
  const [only = ""] = texts
  return texts.length === 1 && only.startsWith("[") ? value(column, only) : Either.right(texts)
}

/** The column with a name, or an error with a suggestion. */
export const column = (resource: Resource.Any, name: string): Either.Either<Column.Column, UsageError> => {
  const columns = Column.byName(resource)
  const column = columns.get(name)
  return column === undefined
    ? Either.left(
        new UsageError({
          problem: `Unknown field ${JSON.stringify(name)} of ${resource.resource}.`,
          nearest: Suggestion.find(name, columns.keys()),
          expected: `mfg describe ${resource.resource} lists its fields.`
        })
      )
    : Either.right(column)
}
