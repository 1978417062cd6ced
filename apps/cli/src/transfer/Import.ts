/**
 * Imports the rows of files in batches. Each batch has an idempotency key, so that a repeated import writes no row
 * twice.
 */
import type { WriteError } from "@mfgdata/client/ClientError"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { statSync } from "node:fs"
import { type FileFailed, type InputMalformed, type UsageError, RowsRefused } from "../CliError.ts"
import type { Connection } from "../service/Connection.ts"
import { standard } from "../Input.ts"
import type * as Checkpoint from "./Checkpoint.ts"
import * as ImportRow from "./ImportRow.ts"
import * as Progress from "@mfgdata/shell/Progress"
import type * as Rejects from "./Rejects.ts"
import * as ImportFile from "./ImportFile.ts"

/** The rows of one file. */
export interface Input {
  readonly resource: Resource.Any
  readonly path: string
  readonly format: ImportFile.Format
}

export interface Settings {
  readonly batch: number
  readonly onError: "stop" | "skip"
  readonly isDry: boolean
  readonly company: string | undefined
  readonly checkpoint: Checkpoint.Checkpoint
  readonly rejects: Rejects.Rejects
}

/** The numbers of written and refused rows of a file. */
export interface Outcome {
  readonly resource: string
  readonly written: number
  readonly refused: number
}

/** Errors of the whole request rather than of one row. */
export const requestErrors: ReadonlySet<string> = new Set([
  "Unauthorized",
  "Forbidden",
  "RateLimited",
  "QueryTooCostly",
  "ServiceUnavailable",
  "Unreachable",
  "ResponseMalformed"
])

type Row = Either.Either<ImportRow.ImportRow, string>

interface BatchResult {
  readonly keys: ReadonlyArray<readonly [old: string, key: string]>
  readonly refusals: ReadonlyMap<number, { readonly code: string; readonly reason: string }>
  readonly failure: WriteError | undefined
}

const codeOf = (error: WriteError): string => ("code" in error && error.code !== undefined ? error.code : error._tag)

/** Sorts the results of a batch: new keys, refusals, and an error of the whole request. */
const sort = (
  resource: Resource.Any,
  sent: ReadonlyArray<readonly [index: number, row: ImportRow.ImportRow]>,
  results: ReadonlyArray<Either.Either<JsonObject, WriteError>>,
  isReferred: boolean
): BatchResult => {
  const keys: Array<readonly [string, string]> = []
  const refusals = new Map<number, { readonly code: string; readonly reason: string }>()
  let failure: WriteError | undefined
  sent.forEach(([index, { key }], position) => {
    const result = results[position]
    if (result === undefined) return
    if (Either.isLeft(result)) {
      if (requestErrors.has(result.left._tag)) failure ??= result.left
      else refusals.set(index, { code: codeOf(result.left), reason: result.left.message })
    } else if (isReferred && key !== undefined) keys.push([key, String(result.right[resource.key])])
  })
  return { keys, refusals, failure }
}

const sizeOf = (path: string): number | undefined => {
  try {
    return path === standard ? undefined : statSync(path).size
  } catch {
    return undefined
  }
}

/** The maximum size of a request with more than one row: services limit the size of a body. */
const requestBytes = 4_000_000

/** The number of rows in a request. It depends on the rows alone, as the idempotency keys require. */
export const requestSize = (values: ReadonlyArray<JsonObject>): number => {
  const largest = values.reduce((size, value) => Math.max(size, JSON.stringify(value).length), 1)
  return Math.min(values.length, Math.max(1, Math.floor(requestBytes / largest)))
}

const textOf = (content: ImportFile.Content): Json => (content._tag === "Flawed" ? content.text : content.fields)

type Failure = WriteError | FileFailed | InputMalformed | UsageError | RowsRefused

/** Imports the rows of one file. */
const one = (
  connection: Connection,
  { format, path, resource }: Input,
  inputs: ReadonlyArray<Input>,
  renamed: Map<string, Map<string, string>>,
  settings: Settings
): Effect.Effect<Outcome, Failure> =>
  Effect.gen(function* () {
    const { batch, checkpoint, company, isDry, onError, rejects } = settings
    const recorded = checkpoint.of(resource.resource)
    const isReferred = ImportRow.isReferred(
      resource,
      inputs.map(({ resource }) => resource)
    )
    const keys = new Map(recorded.keys)
    renamed.set(resource.resource, keys)
    const reader = ImportRow.make(resource, { company, companyId: connection.profile.companyId })
    const size = sizeOf(path)
    const progress = yield* Progress.make(resource.resource)
    let { done, refused, written } = recorded

    const write = (entries: ReadonlyArray<ImportFile.Entry>): Effect.Effect<void, Failure> =>
      Effect.gen(function* () {
        const rows = entries.map(({ content }): Row => reader.read(content, renamed))
        const sent = rows.flatMap((row, index) => (Either.isRight(row) ? [[index, row.right] as const] : []))
        const results: ReadonlyArray<Either.Either<JsonObject, WriteError>> =
          isDry || sent.length === 0
            ? []
            : yield* connection.rows.createMany(
                resource,
                sent.map(([, { values }]) => values),
                {
                  batchSize: requestSize(sent.map(([, { values }]) => values)),
                  idempotencyKey: `${checkpoint.session}-${resource.resource}-${done}`
                }
              )
        const { failure, keys: renamedKeys, refusals } = sort(resource, sent, results, isReferred)
        if (failure !== undefined) return yield* failure
        const refusedRows = entries.flatMap((entry, index) => {
          const row = rows[index]
          const refusal =
            row !== undefined && Either.isLeft(row) ? { code: "invalid", reason: row.left } : refusals.get(index)
          return refusal === undefined ? [] : [{ line: entry.line, ...refusal, row: textOf(entry.content) }]
        })
        yield* rejects.add(refusedRows.map((refusal) => ({ resource: resource.resource, ...refusal })))
        for (const [old, key] of renamedKeys) keys.set(old, key)
        done += entries.length
        refused += refusedRows.length
        written += entries.length - refusedRows.length
        yield* checkpoint.add({
          resource: resource.resource,
          done,
          written: entries.length - refusedRows.length,
          refused: refusedRows.length,
          rejects: rejects.bytes(),
          keys: renamedKeys.map(([old, key]) => [old, key])
        })
        const position = entries.at(-1)?.position
        yield* progress.report(done, size === undefined || position === undefined ? undefined : position / size)
        const [first] = refusedRows
        if (first !== undefined && onError === "stop" && !isDry) {
          yield* progress.clear
          return yield* new RowsRefused({
            written,
            refused,
            first: `${path}, line ${first.line}: ${first.reason.replace(/\.$/, "")}`,
            rejects: rejects.path,
            remedy:
              "Repeat the command to continue after this batch, or add --on-error skip to continue after every refusal."
          })
        }
      })

    yield* ImportFile.read(path, format).pipe(
      Stream.drop(recorded.done),
      Stream.grouped(batch),
      Stream.runForEach((entries) => write(Chunk.toReadonlyArray(entries)))
    )
    yield* progress.clear
    return { resource: resource.resource, written, refused }
  }).pipe(Effect.scoped)

/** Imports the rows of several files, parents before their children. */
export const run = (
  connection: Connection,
  inputs: ReadonlyArray<Input>,
  settings: Settings
): Effect.Effect<ReadonlyArray<Outcome>, Failure> => {
  const renamed = new Map<string, Map<string, string>>()
  return Effect.forEach(inputs, (input) => one(connection, input, inputs, renamed, settings))
}
