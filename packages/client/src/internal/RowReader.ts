/**
 * Reads rows from responses. Readers accept a row alone or in an array, and fields and vocabulary words that this version
 * does not know; they reject a row without a field that every row has.
 */
import * as Decoder from "@mfgdata/domain/Decoder"
import type { DecodeError } from "@mfgdata/domain/DecodeError"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as SelectedRow from "@mfgdata/domain/SelectedRow"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import type { ResponseMalformed } from "../ClientError.ts"
import type { OnInvalid } from "../Rows.ts"
import type * as Transport from "./Transport.ts"

/** Decodes the rows of one selection. */
export interface RowReader {
  readonly resource: Resource.Any
  readonly one: Decoder.Decoder<unknown>
  readonly many: Decoder.Decoder<ReadonlyArray<unknown>>
  /** Reports whether a field of a row is in its type. */
  readonly isKnown: (name: string) => boolean
}

/** The decoding of the rows of one request. */
export interface Settings {
  readonly onInvalid?: OnInvalid | undefined
  readonly extra?: boolean | undefined
  /** Removes the columns from a row that only the order needed. */
  readonly visible?: ((row: unknown) => unknown) | undefined
}

const fromSchema = <A, I>(
  resource: Resource.Any,
  schema: Schema.Schema<A, I>,
  isKnown: RowReader["isKnown"]
): RowReader => ({
  resource,
  one: Decoder.make(resource.resource, schema),
  many: Decoder.make(resource.resource, Schema.Array(schema)),
  isKnown
})

const record = Schema.Unknown.pipe(Schema.filter(Predicate.isRecord, { description: "an object" }))

/** The reader of rows with unknown columns. */
export const records = (resource: Resource.Any): RowReader => fromSchema(resource, record, () => true)

/** The number of selections of a resource whose readers are kept: a program can make any number of them at run time. */
const capacity = 64
const readersOf = Memo.make<Resource.Any, Map<string, RowReader>>(() => new Map())

/** The reader of a selection; `text` is the selection as a `select` parameter. */
export const make = (resource: Resource.Any, selection: Query.Selection<Resource.Any>, text: string): RowReader => {
  const readers = readersOf(resource)
  let reader = readers.get(text)
  if (reader === undefined) {
    if (readers.size >= capacity) readers.clear()
    const schema = SelectedRow.schema(resource, selection)
    const names = new Set(AST.getPropertySignatures(schema.ast).map(({ name }) => name))
    reader = fromSchema(resource, schema, (name) => names.has(name))
    readers.set(text, reader)
  }
  return reader
}

/** The reader of whole rows. */
export const whole = (resource: Resource.Any): RowReader => make(resource, [], "")

/** The reason why a body is not a result of the request. */
export interface Unreadable {
  readonly expected: string
  readonly decodeError?: DecodeError
  /** The key of the row that does not match its type, where the row has one. */
  readonly key?: string | undefined
  /** True for a row of the resource, or a part of one, and false for that of another request. */
  readonly isOfRequest?: boolean
}

/** Makes the error of a response that cannot be read. */
export type ToError = (unreadable: Unreadable) => ResponseMalformed

const parse = (text: string): Either.Either<unknown, Unreadable> => {
  try {
    return Either.right(JSON.parse(text))
  } catch {
    return Either.left(/^\s*[[{]/.test(text) ? { expected: "JSON", isOfRequest: true } : { expected: "JSON" })
  }
}

/** The key of a row that was not decoded. */
const keyOf = ({ resource }: RowReader, row: unknown): string | undefined => {
  const key = Predicate.isRecord(row) ? row[resource.key] : undefined
  return typeof key === "string" || typeof key === "number" ? String(key) : undefined
}

/** Reports whether a value has a column of the row: other objects are not of this resource. */
const isRow = ({ isKnown }: RowReader, value: unknown): boolean =>
  Predicate.isRecord(value) && Object.keys(value).some((name) => isKnown(name))

/** Compares keys: services return those of some types, such as `uuid`, in lower case. */
const isSame = (actual: string | undefined, key: string): boolean => actual?.toLowerCase() === key.toLowerCase()

const invalid = (reader: RowReader, raw: unknown, decodeError: DecodeError): Unreadable => ({
  expected: decodeError.issues[0]?.expected ?? "rows",
  decodeError,
  key: keyOf(reader, raw),
  ...(isRow(reader, raw) && { isOfRequest: true })
})

/** The place of a row that is left out. */
const skipped: unique symbol = Symbol()

/** The columns of a row that are not in its type. */
const extraOf = ({ isKnown }: RowReader, raw: unknown) =>
  Object.fromEntries(Object.entries(raw as object).filter(([name]) => !isKnown(name)))

const decoded = (reader: RowReader, { extra, onInvalid, visible }: Settings, row: unknown, raw: unknown): unknown => {
  const shown = visible === undefined ? row : visible(row)
  const full = extra ? { ...(shown as object), extra: extraOf(reader, raw) } : shown
  return onInvalid === "keep" ? Either.right(full) : full
}

/** The place of a row that does not match its type; fails unless the settings keep or skip it. */
const undecoded = (
  reader: RowReader,
  { onInvalid }: Settings,
  raw: unknown,
  decodeError: DecodeError,
  toError: ToError
): Either.Either<unknown, Unreadable> => {
  const unreadable = invalid(reader, raw, decodeError)
  switch (onInvalid) {
    case "keep":
      return Either.right(Either.left({ raw, error: toError(unreadable) }))
    case "skip":
      return Either.right(skipped)
    default:
      return Either.left(unreadable)
  }
}

/** Decodes one row; {@link present} removes it where it is left out. */
const readRow = (
  reader: RowReader,
  settings: Settings,
  raw: unknown,
  toError: ToError
): Either.Either<unknown, Unreadable> =>
  Either.match(reader.one(raw), {
    onRight: (row) => Either.right(decoded(reader, settings, row, raw)),
    onLeft: (error) => undecoded(reader, settings, raw, error, toError)
  })

/** Decodes one row; `undefined` where it is left out. */
export const readKept = (
  reader: RowReader,
  settings: Settings,
  raw: unknown,
  toError: ToError
): Either.Either<unknown, Unreadable> =>
  Either.map(readRow(reader, settings, raw, toError), (row) => (row === skipped ? undefined : row))

/** The rows of a list, not yet decoded. */
export const list = (reader: RowReader, text: string): Either.Either<ReadonlyArray<unknown>, Unreadable> =>
  Either.flatMap(parse(text), (value): Either.Either<ReadonlyArray<unknown>, Unreadable> =>
    Array.isArray(value)
      ? Either.right(value as ReadonlyArray<unknown>)
      : isRow(reader, value)
        ? Either.right([value])
        : Either.left({ expected: "an array of rows" })
  )

/** Decodes the rows of a list, each in its place. */
export const readMany = (
  reader: RowReader,
  raw: ReadonlyArray<unknown>,
  settings: Settings,
  toError: ToError
): Either.Either<ReadonlyArray<unknown>, Unreadable> => {
  const { extra, onInvalid = "fail", visible } = settings
  const all = reader.many(raw)
  if (Either.isRight(all)) {
    const isPlain = !extra && onInvalid !== "keep" && visible === undefined
    return Either.right(isPlain ? all.right : all.right.map((row, index) => decoded(reader, settings, row, raw[index])))
  }
  const rows = Either.all(raw.map((row) => readRow(reader, settings, row, toError)))
  // Without a key, the error of the whole list names the position of the row.
  return Either.mapLeft(rows, (first) => (first.key === undefined ? { ...first, decodeError: all.left } : first))
}

/** The rows that are not left out. */
export const present = (rows: ReadonlyArray<unknown>, { onInvalid }: Settings): ReadonlyArray<unknown> =>
  onInvalid === "skip" ? rows.filter((row) => row !== skipped) : rows

/** Reads the one row of a response; `undefined` for an empty list, and for a row that is left out. */
export const readOne = (
  reader: RowReader,
  text: string,
  settings: Settings,
  toError: ToError,
  key?: string
): Either.Either<unknown, Unreadable> =>
  Either.flatMap(parse(text), (value): Either.Either<unknown, Unreadable> => {
    const rows: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    const [raw] = rows
    if (rows.length === 0) return Either.right(undefined)
    if (rows.length > 1) return Either.left({ expected: "one row" })
    const isOther = key !== undefined && !isSame(keyOf(reader, raw) ?? key, key)
    if (isOther) return Either.left({ expected: `the row with the key ${JSON.stringify(key)}`, isOfRequest: false })
    return readKept(reader, isRow(reader, raw) ? settings : {}, raw, toError)
  })

/** Reads the response to a removal: without a body, or with the removed row; `false` where no row was removed. */
export const readRemoval = (
  resource: Resource.Any,
  key: string,
  { header, text }: Pick<Transport.Response, "header" | "text">
): Either.Either<boolean, Unreadable> => {
  const unreadable: Unreadable = { expected: "an empty body" }
  if (text === "") return isHtml(header("content-type")) ? Either.left(unreadable) : Either.right(true)
  return Either.flatMap(parse(text), (value) => {
    const rows: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    if (rows.length === 0) return Either.right(false)
    const isRemoved = rows.length === 1 && isSame(keyOf(whole(resource), rows[0]), key)
    return isRemoved ? Either.right(true) : Either.left(unreadable)
  })
}

const isHtml = (contentType: string | undefined): boolean => /\bx?html\b/i.test(contentType ?? "")
