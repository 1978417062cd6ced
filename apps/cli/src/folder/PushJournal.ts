/**
 * Records the progress of a push in an append-only file, so that an interrupted push continues: a header, then a line
 * for each step. A line that a crash cut is ignored.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import type { FileFailed } from "../CliError.ts"
import * as JournalFile from "../transfer/JournalFile.ts"

const Header = Schema.Struct({
  /** The prefix of the idempotency keys. */
  session: Schema.String,
  /** The checksum of each file, so that a resumed push has the same changes. */
  files: Schema.Record({ key: Schema.String, value: Schema.String }),
  deletes: Schema.Boolean
})

const Refusal = Schema.Struct({
  /** The line of a new row, or the key of another one. */
  id: Schema.String,
  reason: Schema.String
})
/** A change that the service refused. */
export type Refusal = typeof Refusal.Type

const Step = Schema.Struct({
  resource: Schema.String,
  /** A settled resource has new files, which have yet to be renamed. */
  phase: Schema.Literal("create", "update", "delete", "settle"),
  /** The number of changes of this phase that are sent. */
  done: Schema.Int,
  /** Pairs of the key in the folder and the new key. */
  keys: Schema.Array(Schema.Tuple(Schema.String, Schema.String)),
  refused: Schema.Array(Refusal)
})
type Step = typeof Step.Type

export type Phase = Step["phase"]

export interface PushJournal {
  readonly session: string
  readonly isResumed: boolean
  readonly done: (resource: string, phase: Phase) => number
  /** The new keys by those in the folder. */
  readonly keys: (resource: string) => Map<string, string>
  readonly refused: (resource: string, phase: Phase) => ReadonlyArray<Refusal>
  readonly isSettled: (resource: string) => boolean
  readonly add: (step: Step) => Effect.Effect<void, FileFailed>
  readonly finish: Effect.Effect<void, FileFailed>
}

const decodeHeader = Schema.decodeUnknownOption(Schema.parseJson(Header))
const decodeStep = Schema.decodeUnknownOption(Schema.parseJson(Step))

/** The names of the resources of an interrupted push; `None` if no push was interrupted. */
export const resources = (path: string): Effect.Effect<Option.Option<ReadonlyArray<string>>, FileFailed> =>
  Effect.map(JournalFile.lines(path), ([first = ""]) =>
    Option.map(decodeHeader(first), ({ files }) => Object.keys(files))
  )

type Settings = Omit<typeof Header.Type, "session">

/** True when a push has the changes of an interrupted one. The files of a settled resource are new. */
const isSame = (before: Settings, now: Settings, steps: ReadonlyArray<Step>): boolean =>
  before.deletes === now.deletes &&
  Object.keys(now.files).length === Object.keys(before.files).length &&
  Object.entries(now.files).every(
    ([resource, sum]) =>
      before.files[resource] === sum || steps.some((step) => step.phase === "settle" && step.resource === resource)
  )

/** The journal of a push; `None` where an interrupted push had other changes. */
export const open = (path: string, settings: Settings): Effect.Effect<Option.Option<PushJournal>, FileFailed> =>
  Effect.gen(function* () {
    const [first, ...rest] = yield* JournalFile.lines(path)
    const header = first === undefined ? Option.none() : decodeHeader(first)
    const steps = rest.flatMap((line) => Option.toArray(decodeStep(line)))
    if (first !== undefined) {
      if (Option.isNone(header) || !isSame(header.value, settings, steps)) return Option.none()
    }
    const session = Option.match(header, { onNone: () => randomUUID(), onSome: ({ session }) => session })
    const file = yield* JournalFile.open(path)
    if (Option.isNone(header)) yield* file.append({ session, ...settings })
    return Option.some<PushJournal>({
      session,
      isResumed: steps.length > 0,
      done: (resource, phase) =>
        steps.findLast((step) => step.resource === resource && step.phase === phase)?.done ?? 0,
      keys: (resource) => new Map(steps.flatMap((step) => (step.resource === resource ? step.keys : []))),
      refused: (resource, phase) =>
        steps.flatMap((step) => (step.resource === resource && step.phase === phase ? step.refused : [])),
      isSettled: (resource) => steps.some((step) => step.resource === resource && step.phase === "settle"),
      add: (step) => {
        steps.push(step)
        return file.append(step)
      },
      finish: file.finish
    })
  })
