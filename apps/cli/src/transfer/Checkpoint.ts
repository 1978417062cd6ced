/**
 * How far an import has come, as a file that is only ever appended to: what was begun, then a line per batch. A line
 * that was cut by a crash is as good as none: its batch is sent again, under the same name, and written once.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from "node:fs"
import { FileFailed, UsageError } from "../CliError.ts"
import * as Input from "../Input.ts"

const Header = Schema.Struct({
  /** Names every batch of this import to the service. */
  session: Schema.String,
  restUrl: Schema.String,
  batch: Schema.Int,
  sources: Schema.Array(Schema.Struct({ resource: Schema.String, fingerprint: Schema.NullOr(Schema.String) }))
})
/** What was begun. */
export type Header = typeof Header.Type

const Step = Schema.Struct({
  resource: Schema.String,
  /** How many rows of the file are done with. */
  done: Schema.Int,
  written: Schema.Int,
  refused: Schema.Int,
  /** How many bytes of the file of refused rows belong to what is done. */
  rejects: Schema.Int,
  /** Old and new keys. */
  keys: Schema.Array(Schema.Tuple(Schema.String, Schema.String))
})
/** One batch that is done with. */
type Step = typeof Step.Type

interface Progress {
  readonly done: number
  readonly written: number
  readonly refused: number
  /** New keys by old ones. */
  readonly keys: ReadonlyMap<string, string>
}

export interface Checkpoint {
  readonly session: string
  readonly isResumed: boolean
  /** How far a resource had come when this began. */
  readonly of: (resource: string) => Progress
  /** How many bytes of the file of refused rows are to be kept. */
  readonly rejects: number
  readonly add: (step: Step) => Effect.Effect<void, FileFailed>
  /** Removes the file: everything is done. */
  readonly finish: Effect.Effect<void, FileFailed>
}

const nothing: Progress = { done: 0, written: 0, refused: 0, keys: new Map() }

const decodeHeader = Schema.decodeUnknownOption(Schema.parseJson(Header))
const decodeStep = Schema.decodeUnknownOption(Schema.parseJson(Step))

const attempt = <A>(path: string, verb: "read" | "written", work: () => A): Effect.Effect<A, FileFailed> =>
  Effect.try({ try: work, catch: (cause) => new FileFailed({ path, verb, reason: Input.reasonOf(cause) }) })

/** Lines that were written whole. */
const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").slice(0, -1)

const gather = (steps: ReadonlyArray<Step>): ReadonlyMap<string, Progress> => {
  const found = new Map<string, { done: number; written: number; refused: number; keys: Map<string, string> }>()
  for (const { done, keys, refused, resource, written } of steps) {
    const progress = found.get(resource) ?? { done: 0, written: 0, refused: 0, keys: new Map<string, string>() }
    progress.done = done
    progress.written += written
    progress.refused += refused
    for (const [old, key] of keys) progress.keys.set(old, key)
    found.set(resource, progress)
  }
  return found
}

const isSame = (a: Omit<Header, "session">, b: Header): boolean =>
  JSON.stringify([a.restUrl, a.batch, a.sources]) === JSON.stringify([b.restUrl, b.batch, b.sources])

const foreign = (path: string): UsageError =>
  new UsageError({
    problem: `${path} belongs to another import: of other files, at another service, or in batches of another size.`,
    expected: "Repeat the command that began it, or add --restart to forget it; what it has written stays."
  })

const append = (path: string, file: number, value: unknown): Effect.Effect<void, FileFailed> =>
  attempt(path, "written", () => {
    writeSync(file, `${JSON.stringify(value)}\n`)
    fsyncSync(file)
  })

/** Keeps nothing: what cannot be read again cannot be gone on with either. */
export const none = (): Checkpoint => ({
  session: randomUUID(),
  isResumed: false,
  of: () => nothing,
  rejects: 0,
  add: () => Effect.void,
  finish: Effect.void
})

/** Begins an import, or goes on with the one that the file is of. */
export const open = (
  path: string,
  begun: Omit<Header, "session">,
  restart: boolean
): Effect.Effect<Checkpoint, FileFailed | UsageError> =>
  Effect.gen(function* () {
    if (restart) yield* attempt(path, "written", () => rmSync(path, { force: true }))
    const text = yield* attempt(path, "read", () => (existsSync(path) ? readFileSync(path, "utf8") : ""))
    const [first, ...rest] = linesOf(text)
    const header = first === undefined ? Option.none() : decodeHeader(first)
    if (Option.isNone(header) && first !== undefined) return yield* foreign(path)
    if (Option.isSome(header) && !isSame(begun, header.value)) return yield* foreign(path)
    const steps = rest.flatMap((line) => Option.toArray(decodeStep(line)))
    const session = Option.match(header, { onNone: () => randomUUID(), onSome: ({ session }) => session })
    const file = yield* attempt(path, "written", () => {
      // A torn line would run into the next one.
      const whole = text.lastIndexOf("\n") + 1
      if (whole < text.length) truncateSync(path, Buffer.byteLength(text.slice(0, whole)))
      return openSync(path, "a", 0o600)
    })
    if (Option.isNone(header)) yield* append(path, file, { session, ...begun })
    const progress = gather(steps)
    return {
      session,
      isResumed: steps.length > 0,
      of: (resource) => progress.get(resource) ?? nothing,
      rejects: steps.at(-1)?.rejects ?? 0,
      add: (step) => append(path, file, step),
      finish: attempt(path, "written", () => {
        closeSync(file)
        rmSync(path, { force: true })
      })
    }
  })
