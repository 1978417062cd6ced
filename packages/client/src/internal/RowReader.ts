/**
 * Rows out of answers. Readers are tolerant: a row alone or in an array, any success, fields and words that this
 * version does not know. What every row has must be there.
 */
import * as Decoder from "@mfgdata/domain/Decoder"
import type { DecodeError } from "@mfgdata/domain/DecodeError"
import type * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as SelectedRow from "@mfgdata/domain/SelectedRow"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { ResponseMalformed } from "../ClientError.ts"
import * as Refusal from "./Refusal.ts"
import type { Answer } from "./Transport.ts"

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

/** The reader of rows of which nothing is known but that they are objects. */
export const records = (resource: Resource.Any): RowReader => fromSchema(resource, record)

/** Readers are compiled once; selections that are made at run time, and differ forever, push others out. */
const capacity = 64
const known = new WeakMap<Resource.Any, Map<string, RowReader>>()

/** The reader of a selection; `text` is what the selection is called on the wire. */
export const make = (resource: Resource.Any, selection: Query.Selection<Resource.Any>, text: string): RowReader => {
  let readers = known.get(resource)
  if (readers === undefined) known.set(resource, (readers = new Map()))
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

/** A body that is not what the interface answers. */
export interface Unreadable {
  readonly expected: string
  readonly flaw?: DecodeError
}

const parse = (text: string): Either.Either<unknown, Unreadable> => {
  try {
    return Either.right(JSON.parse(text))
  } catch {
    return Either.left({ expected: "JSON" })
  }
}

const flawed = (flaw: DecodeError): Unreadable => ({ expected: "rows", flaw })

/** The JSON of a list, each row still as it came. */
export const list = (text: string): Either.Either<ReadonlyArray<unknown>, Unreadable> =>
  Either.map(parse(text), (value) => (Array.isArray(value) ? (value as ReadonlyArray<unknown>) : [value]))

/** The rows of a list. */
export const readMany = (
  reader: RowReader,
  rows: ReadonlyArray<unknown>
): Either.Either<ReadonlyArray<unknown>, Unreadable> => Either.mapLeft(reader.many(rows), flawed)

/** The one row of an answer; `undefined` of an empty list. */
export const readOne = (reader: RowReader, text: string): Either.Either<unknown, Unreadable> =>
  Either.flatMap(parse(text), (value): Either.Either<unknown, Unreadable> => {
    if (!Array.isArray(value)) return Either.mapLeft(reader.one(value), flawed)
    if (value.length === 0) return Either.right(undefined)
    if (value.length > 1) return Either.left({ expected: "one row" })
    return Either.mapLeft(reader.one(value[0]), flawed)
  })

/** The error of a body that could not be read. */
export const unreadable = (asked: Refusal.Asked, answer: Answer, { expected, flaw }: Unreadable): ResponseMalformed =>
  Refusal.malformed(asked, answer, expected, flaw)
