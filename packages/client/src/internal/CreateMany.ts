/**
 * Creates rows in batches, each in one request that creates all of its rows or none. A batch that is rejected for one of
 * its rows is halved until that row is alone.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { WriteError } from "../ClientError.ts"
import * as ResponseError from "./ResponseError.ts"
import type { RowCall } from "./RowCall.ts"
import * as RowReader from "./RowReader.ts"

type Result = Either.Either<unknown, WriteError>

/** Some of the rows, and the position of the first of them among all. */
interface Batch {
  readonly start: number
  readonly rows: ReadonlyArray<object>
}

interface Options {
  readonly batchSize: number
  readonly concurrency: number
  /** The key from which those of the requests are made; without it no request is retried. */
  readonly idempotencyKey: string | undefined
}

/** Reports whether an error is about a row, and not about the whole request. */
const isOfRow = ({ _tag }: WriteError): boolean =>
  _tag === "RowRejected" || _tag === "ReferenceMissing" || _tag === "Conflict"

/** The error of rows that are not sent any more: the write of an earlier batch is not theirs. */
const unsent = (error: WriteError): WriteError =>
  // Each error is made from its fields.
  "written" in error
    ? new (error.constructor as new (fields: object) => WriteError)({ ...error, written: false })
    : error

const split = (rows: ReadonlyArray<object>, size: number, start = 0): ReadonlyArray<Batch> =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => ({
    start: start + index * size,
    rows: rows.slice(index * size, (index + 1) * size)
  }))

/** The fields of all rows together; `undefined` where every row has all of them. */
const fieldsOf = (rows: ReadonlyArray<object>): ReadonlyArray<string> | undefined => {
  const fields = new Set(rows.flatMap((row) => Object.keys(row)))
  return rows.every((row) => Object.keys(row).length === fields.size) ? undefined : [...fields]
}

/** Creates rows over calls. */
export const create = (
  call: RowCall,
  resource: Resource.Any,
  values: ReadonlyArray<object>,
  { batchSize, concurrency, idempotencyKey }: Options
): Effect.Effect<ReadonlyArray<Result>> => {
  const results: Array<Result> = []
  let stopped: WriteError | undefined
  const reader = RowReader.whole(resource)

  const post = ({ rows, start }: Batch): Effect.Effect<ReadonlyArray<unknown>, WriteError> => {
    const fields = fieldsOf(rows)
    const end = start + rows.length
    return call(
      resource,
      ResponseError.create,
      {
        method: "POST",
        target: `/${resource.resource}${fields === undefined ? "" : `?columns=${fields.join()}`}`,
        headers: {
          prefer: `return=representation${fields === undefined ? "" : ",missing=default"}`,
          ...(idempotencyKey !== undefined && { "idempotency-key": `${idempotencyKey}.${start}-${end}` })
        },
        body: JSON.stringify(rows),
        isIdempotent: idempotencyKey !== undefined
      },
      ({ text }, toError) =>
        Either.filterOrLeft(
          Either.flatMap(RowReader.list(reader, text), (raw) => RowReader.readMany(reader, raw, {}, toError)),
          (created) => created.length === rows.length,
          (): RowReader.Unreadable => ({ expected: `an array of ${rows.length} rows` })
        )
    )
  }

  const settle = ({ rows, start }: Batch, result: (index: number) => Result): void =>
    rows.forEach((_, index) => (results[start + index] = result(index)))

  const run = (batch: Batch): Effect.Effect<void> =>
    Effect.suspend(() => {
      const before = stopped
      if (before !== undefined) return Effect.sync(() => settle(batch, () => Either.left(before)))
      return Effect.matchEffect(post(batch), {
        onSuccess: (created) => Effect.sync(() => settle(batch, (index) => Either.right(created[index]))),
        onFailure: (error) => {
          if (isOfRow(error) && batch.rows.length > 1) {
            const half = Math.ceil(batch.rows.length / 2)
            return Effect.forEach(split(batch.rows, half, batch.start), run, { discard: true })
          }
          if (!isOfRow(error)) stopped = unsent(error)
          return Effect.sync(() => settle(batch, () => Either.left(error)))
        }
      })
    })

  return Effect.as(Effect.forEach(split(values, batchSize), run, { concurrency, discard: true }), results)
}
