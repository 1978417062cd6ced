/**
 * Parses a request body as records: JSON, CSV or a form. The records are not checked against a resource here.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Either from "effect/Either"
import type * as Exchange from "../../Exchange.ts"
import * as Csv from "../Csv.ts"
import type { RowError } from "../RowError.ts"
import * as MediaType from "./MediaType.ts"
import * as QueryString from "./QueryString.ts"

export interface Payload {
  /** A list was sent, even if it has one row. */
  readonly many: boolean
  readonly records: ReadonlyArray<JsonObject>
  /** Every value is a text, because the media type has no other values. */
  readonly textual: boolean
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const malformed = (reason: string): Either.Either<never, RowError> => Either.left({ _tag: "BodyMalformed", reason })

const decode = (body: Exchange.Request["body"]): string | undefined => {
  if (typeof body === "string") return body
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reports whether all records have the same keys. */
const areUniform = ([first, ...rest]: ReadonlyArray<JsonObject>): boolean => {
  if (first === undefined || rest.length === 0) return true
  const keys = Object.keys(first)
  return rest.every(
    (record) => Object.keys(record).length === keys.length && keys.every((key) => Object.hasOwn(record, key))
  )
}

/** `{}` is a row without values. A value other than an object or an array has no rows. */
const fromJson = (text: string, options: PayloadOptions): Either.Either<Payload, RowError> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformed(text.trim() === "" ? "The body is empty." : "The body is not JSON.")
  }
  if (isRecord(value)) return Either.right({ many: false, records: [value], textual: false })
  if (!Array.isArray(value)) {
    return options.lenient
      ? Either.right({ many: true, records: [], textual: false })
      : malformed("A JSON object is expected, or an array of objects.")
  }
  return value.every(isRecord) && (options.ragged || areUniform(value))
    ? Either.right({ many: true, records: value, textual: false })
    : Either.left({ _tag: "KeysDiffer" })
}

const record = (names: ReadonlyArray<string>, values: ReadonlyArray<string | null>): JsonObject =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))

const fromCsv = (text: string): Either.Either<Payload, RowError> => {
  const lines = Csv.parse(text)
  if (lines === undefined) return malformed("A quote is out of place in the CSV.")
  const [header = [], ...rows] = lines
  const ragged = rows.findIndex((row) => row.length !== header.length)
  if (ragged >= 0) return Either.left({ _tag: "CsvRagged", line: ragged + 1 })
  const records = rows.map((row) =>
    record(
      header,
      row.map((field) => (field === "NULL" ? null : field))
    )
  )
  return Either.right({ many: true, records, textual: true })
}

const fromForm = (text: string, contentType: string): Either.Either<Payload, RowError> => {
  if (/^\s*[[{]/.test(text)) {
    // The default Content-Type of curl.
    const hint = "The body looks like JSON: send Content-Type: application/json."
    return Either.left({ _tag: "ContentTypeRefused", contentType, hint })
  }
  return Either.mapBoth(QueryString.parse(text), {
    onLeft: (): RowError => ({ _tag: "BodyMalformed", reason: "The form is not UTF-8." }),
    onRight: (fields) => ({ many: false, records: [Object.fromEntries(fields)], textual: true })
  })
}

export interface PayloadOptions {
  readonly contentType: string | undefined
  /** Allows rows of a list with different keys. */
  readonly ragged: boolean
  /** Reads JSON without rows as an empty list. */
  readonly lenient: boolean
}

/** Parses a body. */
export const read = (body: Exchange.Request["body"], options: PayloadOptions): Either.Either<Payload, RowError> => {
  const { contentType = "application/json" } = options
  const text = decode(body)
  if (text === undefined) return malformed("The body is not UTF-8.")
  if (MediaType.isJson(contentType)) return fromJson(text, options)
  switch (MediaType.essence(contentType)) {
    case "text/csv":
      return fromCsv(text)
    case "application/x-www-form-urlencoded":
      return fromForm(text, contentType)
    default:
      return Either.left({ _tag: "ContentTypeRefused", contentType, hint: null })
  }
}
