/**
 * Parses a request body as records: JSON, CSV or a form. The records are not checked against a resource here.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Either from "effect/Either"
import { Buffer, isUtf8 } from "node:buffer"
import type * as Exchange from "../../Exchange.ts"
import type { Slices } from "../../world/Slices.ts"
import * as Csv from "../Csv.ts"
import * as CsvScan from "./CsvScan.ts"
import type { RowError } from "../RowError.ts"
import * as JsonScan from "./JsonScan.ts"
import * as MediaType from "./MediaType.ts"
import * as QueryString from "./QueryString.ts"

export interface Payload {
  /** A list was sent, even if it has one row. */
  readonly many: boolean
  readonly records: ReadonlyArray<JsonObject>
  /** Every value is a text, because the media type has no other values. */
  readonly textual: boolean
}

/** The payload of a request without a body. */
export const none: Payload = { many: false, records: [], textual: false }

type Result<A> = Either.Either<A, RowError>

const malformed = (reason: string): Either.Either<never, RowError> => Either.left({ _tag: "BodyMalformed", reason })

const byteOrderMark = Buffer.from("\uFEFF")

/** The bytes of a body; `undefined` if it is not UTF-8. */
const bytesOf = (body: Exchange.Request["body"]): Buffer | undefined => {
  if (typeof body === "string") return Buffer.from(body)
  if (!isUtf8(body)) return undefined
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return bytes.indexOf(byteOrderMark) === 0 ? bytes.subarray(byteOrderMark.length) : bytes
}

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reports whether two records have the same keys. */
const isUniform = (record: JsonObject, keys: ReadonlyArray<string>): boolean =>
  Object.keys(record).length === keys.length && keys.every((key) => Object.hasOwn(record, key))

/** The size of a body that is parsed without counting: too short for more levels than a row may have. */
const smallLength = 1024

/** The elements of a JSON array, or the value itself. */
interface Parsed {
  readonly many: boolean
  readonly values: ReadonlyArray<unknown>
}

/** Parses a text that is too small for more values and levels than a body may have. */
const parseSmall = (text: string, limits: JsonScan.Limits): Result<Parsed> | undefined => {
  const value: unknown = JSON.parse(text)
  const many = Array.isArray(value)
  const values: ReadonlyArray<unknown> = many ? value : [value]
  if (values.length > limits.rows) return Either.left({ _tag: "TooManyRows", limit: limits.rows })
  const row = values.findIndex((value) => isRecord(value) && Object.keys(value).length > limits.keysOfRow) + 1
  return row === 0
    ? Either.right({ many, values })
    : Either.left({ _tag: "RowTooLarge", measure: "keys", limit: limits.keysOfRow, row })
}

/** Parses JSON; `undefined` if it is not JSON. A large body is counted first, and then decoded and parsed row by row. */
const parseJson = function* (bytes: Buffer, limits: JsonScan.Limits): Slices<Result<Parsed> | undefined> {
  try {
    if (bytes.length <= smallLength) return parseSmall(bytes.toString("utf8"), limits)
    const elements: Array<readonly [start: number, end: number]> = []
    const scan = yield* JsonScan.scan(bytes, limits, (start, end) => void elements.push([start, end]))
    if (scan._tag !== "Elements") return Either.left(scan)
    if (!scan.isClosed) return undefined
    const values: Array<unknown> = []
    for (const [start, end] of elements) {
      values.push(JSON.parse(bytes.toString("utf8", start, end)))
      yield
    }
    return Either.right({ many: scan.isArray, values })
  } catch {
    return undefined
  }
}

/** Reports whether a body has nothing but white space, of which a long one is not decoded. */
const isBlank = (bytes: Buffer): boolean => bytes.length <= smallLength && bytes.toString("utf8").trim() === ""

/** `{}` is a row without values. A value other than an object or an array has no rows. */
const fromJson = function* (
  bytes: Buffer,
  { lenient, ragged }: PayloadOptions,
  limits: JsonScan.Limits
): Slices<Result<Payload>> {
  const parsed = yield* parseJson(bytes, limits)
  if (parsed === undefined) return malformed(isBlank(bytes) ? "The body is empty." : "The body is not JSON.")
  if (Either.isLeft(parsed)) return Either.left(parsed.left)
  const { many, values } = parsed.right
  const records: Array<JsonObject> = []
  let keys: ReadonlyArray<string> | undefined
  for (const value of values) {
    if (isRecord(value)) {
      if (!ragged && values.length > 1) {
        keys ??= Object.keys(value)
        if (!isUniform(value, keys)) return Either.left({ _tag: "KeysDiffer" })
      }
      records.push(value)
    } else if (many) return Either.left({ _tag: "KeysDiffer" })
    else if (lenient) return Either.right({ many: true, records: [], textual: false })
    else return malformed("A JSON object is expected, or an array of objects.")
    yield
  }
  return Either.right({ many, records, textual: false })
}

const tooLong = (limit: number, row: number): Either.Either<never, RowError> =>
  Either.left({ _tag: "RowTooLarge", measure: "characters", limit, row })

const record = (names: ReadonlyArray<string>, values: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(
    names.map((name, index) => {
      const value = values[index] ?? null
      return [name, value === "NULL" ? null : value]
    })
  )

const fromCsv = function* (
  bytes: Buffer,
  { charactersOfText, keysOfRow, rows: most }: JsonScan.Limits
): Slices<Result<Payload>> {
  // The header, and one row more than there may be.
  const limits = { lines: most + 2, characters: charactersOfText }
  const scan = yield* CsvScan.scan(bytes, limits)
  if (scan._tag === "FieldTooLong") return tooLong(charactersOfText, Math.max(scan.line, 1))
  const parsed = yield* Csv.parse(bytes.toString("utf8", 0, scan.end), limits)
  if (parsed._tag === "QuoteMisplaced") return malformed("A quote is out of place in the CSV.")
  if (parsed._tag === "FieldTooLong") return tooLong(charactersOfText, Math.max(parsed.line, 1))
  const { lines } = parsed
  const [header = []] = lines
  if (header.length > keysOfRow) {
    return Either.left({ _tag: "RowTooLarge", measure: "keys", limit: keysOfRow, row: 1 })
  }
  if (lines.length > most + 1) return Either.left({ _tag: "TooManyRows", limit: most })
  const records: Array<JsonObject> = []
  for (let line = 1; line < lines.length; line++) {
    const fields = lines[line] ?? []
    if (fields.length !== header.length) return Either.left({ _tag: "CsvRagged", line })
    records.push(record(header, fields))
    yield
  }
  return Either.right({ many: true, records, textual: true })
}

const fromForm = (
  bytes: Buffer,
  contentType: string,
  { charactersOfText, keysOfRow }: JsonScan.Limits
): Either.Either<Payload, RowError> => {
  // A form has no characters of several bytes.
  if (bytes.length > charactersOfText) return tooLong(charactersOfText, 1)
  const text = bytes.toString("utf8")
  if (text.split("&", keysOfRow + 1).length > keysOfRow) {
    return Either.left({ _tag: "RowTooLarge", measure: "keys", limit: keysOfRow, row: 1 })
  }
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

/** A body that is not yet parsed. */
export interface Source {
  readonly body: Exchange.Request["body"]
  readonly options: PayloadOptions
}

/** Parses a body. */
export const read = function* ({ body, options }: Source, limits: JsonScan.Limits): Slices<Result<Payload>> {
  const { contentType = "application/json" } = options
  const bytes = bytesOf(body)
  if (bytes === undefined) return malformed("The body is not UTF-8.")
  if (MediaType.isJson(contentType)) return yield* fromJson(bytes, options, limits)
  switch (MediaType.essence(contentType)) {
    case "text/csv":
      return yield* fromCsv(bytes, limits)
    case "application/x-www-form-urlencoded":
      return fromForm(bytes, contentType, limits)
    default:
      return Either.left({ _tag: "ContentTypeRefused", contentType, hint: null })
  }
}
