/**
 * Records the progress of an import in an append-only file: a header, then a line for each batch. A line that a crash
 * cut is ignored: its batch is sent again under the same idempotency key, and written once.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { type FileFailed, UsageError } from "../CliError.ts"
import * as FileAccess from "../FileAccess.ts"
import * as JournalFile from "./JournalFile.ts"

const Header = Schema.Struct({
  /** The prefix of the batches' idempotency keys. */
  session: Schema.String,
  restUrl: Schema.String,
  batch: Schema.Int,
  sources: Schema.Array(Schema.Struct({ resource: Schema.String, fingerprint: Schema.NullOr(Schema.String) }))
})
/** The files and settings of an import. */
export type Header = typeof Header.Type

const Step = Schema.Struct({
  resource: Schema.String,
  /** The number of processed rows of the file. */
  done: Schema.Int,
  written: Schema.Int,
  refused: Schema.Int,
  /** The size of the file of refused rows, in bytes. */
  rejects: Schema.Int,
  /** Pairs of the old and the new key. */
  keys: Schema.Array(Schema.Tuple(Schema.String, Schema.String))
})
/** A processed batch. */
type Step = typeof Step.Type

interface Progress {
  readonly done: number
  readonly written: number
  readonly refused: number
  /** The new keys by the old ones. */
  readonly keys: ReadonlyMap<string, string>
}

export interface Checkpoint {
  readonly session: string
  readonly isResumed: boolean
  /** The recorded progress of a resource. */
  readonly of: (resource: string) => Progress
  /** The recorded size of the file of refused rows, in bytes. */
  readonly rejects: number
  readonly add: (step: Step) => Effect.Effect<void, FileFailed>
  /** Removes the file after the last batch. */
  readonly finish: Effect.Effect<void, FileFailed>
}

const nothing: Progress = { done: 0, written: 0, refused: 0, keys: new Map() }

const decodeHeader = Schema.decodeUnknownOption(Schema.parseJson(Header))
const decodeStep = Schema.decodeUnknownOption(Schema.parseJson(Step))

const gather = (steps: ReadonlyArray<Step>): ReadonlyMap<string, Progress> => {
  const byResource = new Map<string, { done: number; written: number; refused: number; keys: Map<string, string> }>()
  for (const { done, keys, refused, resource, written } of steps) {
    const progress = byResource.get(resource) ?? { done: 0, written: 0, refused: 0, keys: new Map<string, string>() }
    progress.done = done
    progress.written += written
    progress.refused += refused
    for (const [old, key] of keys) progress.keys.set(old, key)
    byResource.set(resource, progress)
  }
  return byResource
}

const isSame = (a: Omit<Header, "session">, b: Header): boolean =>
  JSON.stringify([a.restUrl, a.batch, a.sources]) === JSON.stringify([b.restUrl, b.batch, b.sources])

const foreign = (path: string): UsageError =>
  new UsageError({
    problem: `The checkpoint ${path} belongs to another import: its files, its service or its batch size differ.`,
    expected:
      "Repeat the command of that import, or add --restart to discard the checkpoint. Imported rows are not removed."
  })

/** A checkpoint without a file, for standard input, which cannot be read again. */
export const none = (): Checkpoint => ({
  session: randomUUID(),
  isResumed: false,
  of: () => nothing,
  rejects: 0,
  add: () => Effect.void,
  finish: Effect.void
})

/** Opens the checkpoint of an import, which continues if the file exists. */
export const open = (
  path: string,
  settings: Omit<Header, "session">,
  restart: boolean
): Effect.Effect<Checkpoint, FileFailed | UsageError> =>
  Effect.gen(function* () {
    if (restart) yield* FileAccess.writing(path, () => rmSync(path, { force: true }))
    const [first, ...rest] = yield* JournalFile.lines(path)
    const header = first === undefined ? Option.none() : decodeHeader(first)
    if (Option.isNone(header) && first !== undefined) return yield* foreign(path)
    if (Option.isSome(header) && !isSame(settings, header.value)) return yield* foreign(path)
    const steps = rest.flatMap((line) => Option.toArray(decodeStep(line)))
    const session = Option.match(header, { onNone: () => randomUUID(), onSome: ({ session }) => session })
    const file = yield* JournalFile.open(path)
    if (Option.isNone(header)) yield* file.append({ session, ...settings })
    const progress = gather(steps)
    return {
      session,
      isResumed: steps.length > 0,
      of: (resource) => progress.get(resource) ?? nothing,
      rejects: steps.at(-1)?.rejects ?? 0,
      add: file.append,
      finish: file.finish
    }
  })
