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
import type { ResponseMalformed } from "../ClientError.ts"
import * as ResponseError from "./ResponseError.ts"
import type * as Transport from "./Transport.ts"

/** Decodes the rows of one selection. */
export interface RowReader {
  readonly one: Decoder.Decoder<unknown>
  readonly many: Decoder.Decoder<ReadonlyArray<unknown>>
}

const fromSchema = <A, I>(resource: Resource.Any, schema: Schema.Schema<A, I>): RowReader => ({
  one: Decoder.make(resource.resource, schema),
  many: Decoder.make(resource.resource, Schema.Array(schema))
})

const record = Schema.Unknown.pipe(Schema.filter(Predicate.isRecord, { description: "an object" }))

/** The reader of rows with unknown columns. */
export const records = (resource: Resource.Any): RowReader => fromSchema(resource, record)

/** The number of selections of a resource whose readers are kept: a program can make any number of them at run time. */
const capacity = 64
const readersOf = Memo.make<Resource.Any, Map<string, RowReader>>(() => new Map())

/** The reader of a selection; `text` is the selection as a `select` parameter. */
export const make = (resource: Resource.Any, selection: Query.Selection<Resource.Any>, text: string): RowReader => {
  const readers = readersOf(resource)
  let reader = readers.get(text)
  if (reader === undefined) {
    if (readers.size >= capacity) readers.clear()
    reader = fromSchema(resource, SelectedRow.schema(resource, selection))
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
}

const parse = (text: string): Either.Either<unknown, Unreadable> => {
  try {
    return Either.right(JSON.parse(text))
  } catch {
    return Either.left({ expected: "JSON" })
  }
}

const toUnreadable = (decodeError: DecodeError): Unreadable => ({ expected: "rows", decodeError })

/** The rows of a list, not yet decoded. */
export const list = (text: string): Either.Either<ReadonlyArray<unknown>, Unreadable> =>
  Either.map(parse(text), (value) => (Array.isArray(value) ? (value as ReadonlyArray<unknown>) : [value]))

/** Decodes the rows of a list. */
export const readMany = (
  reader: RowReader,
  rows: ReadonlyArray<unknown>
): Either.Either<ReadonlyArray<unknown>, Unreadable> => Either.mapLeft(reader.many(rows), toUnreadable)

/** Reads the one row of a response; `undefined` for an empty list. */
export const readOne = (reader: RowReader, text: string): Either.Either<unknown, Unreadable> =>
  Either.flatMap(parse(text), (value): Either.Either<unknown, Unreadable> => {
    if (!Array.isArray(value)) return Either.mapLeft(reader.one(value), toUnreadable)
    if (value.length === 0) return Either.right(undefined)
    if (value.length > 1) return Either.left({ expected: "one row" })
    return Either.mapLeft(reader.one(value[0]), toUnreadable)
  })

/** The error of a body that cannot be read. */
export const toError = (
  source: ResponseError.Source,
  response: Transport.Response,
  { decodeError, expected }: Unreadable
): ResponseMalformed => ResponseError.malformed(source, response, expected, decodeError)
