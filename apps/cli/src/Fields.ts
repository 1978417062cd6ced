/**
 * A resource's columns as a command line names and fills them: flags in kebab case, values as text.
 */
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Either from "effect/Either"
import { UsageError } from "./CliError.ts"

/** The flag of a column, without its dashes: the one place where names are re-cased. */
export const flag = (column: string): string =>
  column.replaceAll(/[A-Z]+(?![a-z])|[A-Z]/g, (capitals) => `-${capitals.toLowerCase()}`)

/** The columns that a caller may write, required ones first. */
export const writable = (resource: Resource.Any): ReadonlyArray<Column.Column> => {
  const columns = Column.fromResource(resource)
  return [
    ...columns.filter(({ write }) => write === "required"),
    ...columns.filter(({ write }) => write === "optional")
  ]
}

/** All columns in the order in which people want to see them: the key, what was written, what the service set. */
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

/** How each type is written on a command line and in a CSV file. */
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
    expected: "a day of the calendar",
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
    expected: "a JSON array of texts",
    example: `'["a","b"]'`,
    read: (text) => {
      const value = json(text)
      return isTexts(value) ? value : undefined
    }
  }
}

/** An example of a column's value as it is written on a command line. */
export const example = ({ name, type, vocabulary }: Column.Column): string => {
  const [known] = vocabulary?.known ?? []
  if (known !== undefined) return known.includes(" ") ? `"${known}"` : known
  return type === "text" ? (name.endsWith("Id") ? "id" : "text") : forms[type].example
}

/** What a column takes, in a word or two. */
export const expected = ({ type }: Column.Column): string => forms[type].expected

/** The value that a text means in a column. */
export const value = (column: Column.Column, text: string): Either.Either<Json, UsageError> => {
  const read = forms[column.type].read(text)
  return read === undefined
    ? Either.left(
        new UsageError({
          problem: `${column.name} takes ${forms[column.type].expected}, and ${JSON.stringify(column.sensitive ? "…" : text)} is none.`,
          example: `--${flag(column.name)} ${example(column)}`
        })
      )
    : Either.right(read)
}

/** The value of a list that was given as one JSON array, or item by item. */
export const list = (column: Column.Column, texts: ReadonlyArray<string>): Either.Either<Json, UsageError> => {
  const [only = ""] = texts
  return texts.length === 1 && only.startsWith("[") ? value(column, only) : Either.right(texts)
}

/** The column of a name, or who that might be. */
export const column = (resource: Resource.Any, name: string): Either.Either<Column.Column, UsageError> => {
  const columns = Column.byName(resource)
  const found = columns.get(name)
  return found === undefined
    ? Either.left(
        new UsageError({
          problem: `${resource.resource} has no field ${JSON.stringify(name)}.`,
          nearest: Suggestion.find(name, columns.keys()),
          expected: `mfg describe ${resource.resource} lists its fields.`
        })
      )
    : Either.right(found)
}
