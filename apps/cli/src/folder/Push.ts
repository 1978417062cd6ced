/**
 * Writes the changes of a folder to the service: new and changed rows with parents before their children, then deleted
 * rows with children before their parents. What the service refuses stays a change of the folder.
 */
import type {
  PreconditionFailed,
  QueryError,
  RemoveError,
  RetrieveError,
  UpdateError,
  WriteError
} from "@mfgdata/client/ClientError"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileFailed, InputMalformed } from "../CliError.ts"
import * as RowChange from "../RowChange.ts"
import type { Connection } from "../service/Connection.ts"
import * as Import from "../transfer/Import.ts"
import * as ImportRow from "../transfer/ImportRow.ts"
import * as Progress from "@mfgdata/shell/Progress"
import * as FolderChange from "./FolderChange.ts"
import type * as PushCheck from "./PushCheck.ts"
import type * as PushJournal from "./PushJournal.ts"

type Change<Tag> = Extract<FolderChange.FolderChange, { readonly _tag: Tag }>
type Create = Change<"Create">
type Update = Change<"Update">
type Delete = Change<"Delete">

type Failure = QueryError | RetrieveError | WriteError | UpdateError | RemoveError | PreconditionFailed

/** The errors of a push, which can be repeated then. */
export type PushError = Failure | FileFailed | InputMalformed

export interface Settings {
  readonly connection: Connection
  readonly folder: string
  readonly journal: PushJournal.PushJournal
  /** The new keys of all resources. */
  readonly renamed: Map<string, Map<string, string>>
}

/** The number of changes after which the journal has a line. One request has the new rows of a batch. */
const batchSizes = { create: 500, update: 100, delete: 100 } as const

/** The number of concurrent requests for rows that have a version each. */
const concurrency = 4

const tags = { create: "Create", update: "Update", delete: "Delete" } as const

type Writing = keyof typeof tags

/** Runs a step for the changes of one kind that are not done, in batches. */
const each = <P extends Writing>(
  { folder, journal }: Settings,
  resource: Resource.Any,
  phase: P,
  step: (
    batch: ReadonlyArray<Change<(typeof tags)[P]>>,
    done: number
  ) => Effect.Effect<Omit<Parameters<PushJournal.PushJournal["add"]>[0], "resource" | "phase" | "done">, PushError>
): Effect.Effect<void, PushError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const progress = yield* Progress.make(`${resource.resource}, ${phase}`)
      let done = journal.done(resource.resource, phase)
      const before = done
      let seen = 0
      let batch: Array<Change<(typeof tags)[P]>> = []
      const flush = Effect.suspend(() => {
        const sent = batch
        batch = []
        if (sent.length === 0) return Effect.void
        return Effect.flatMap(step(sent, done), (result) => {
          done += sent.length
          return Effect.zipRight(
            journal.add({ resource: resource.resource, phase, done, ...result }),
            progress.report(done, undefined)
          )
        })
      })
      for (const read of FolderChange.changes(resource, folder)) {
        if (Either.isLeft(read)) return yield* read.left
        if (read.right._tag !== tags[phase]) continue
        if (seen++ < before) continue
        // The tag is that of the phase.
        batch.push(read.right as Change<(typeof tags)[P]>)
        if (batch.length === batchSizes[phase]) yield* flush
      }
      yield* flush
    })
  )

/** An error of the request rather than of the row: the push can be repeated. */
const isOfRequest = ({ _tag }: Failure): boolean => Import.requestErrors.has(_tag)

const create = (settings: Settings, resource: Resource.Any): Effect.Effect<void, PushError> => {
  const { connection, journal, renamed } = settings
  const { companyId } = connection.profile
  const reader = ImportRow.make(resource, { companyId, company: undefined })
  const keys = renamed.get(resource.resource) ?? new Map<string, string>()
  return each(settings, resource, "create", (batch: ReadonlyArray<Create>, done) =>
    Effect.gen(function* () {
      const read = batch.map(({ row }) => reader.read({ _tag: "Object", fields: row }, renamed))
      const values = read.flatMap((row) => (Either.isRight(row) ? [row.right.values] : []))
      const results =
        values.length === 0
          ? []
          : yield* connection.rows.createMany(resource, values, {
              batchSize: Import.requestSize(values),
              idempotencyKey: `${journal.session}-${resource.resource}-${done}`
            })
      const named: Array<readonly [string, string]> = []
      const refused: Array<PushJournal.Refusal> = []
      let position = 0
      for (const [index, row] of read.entries()) {
        const id = String(batch[index]?.line)
        if (Either.isLeft(row)) {
          refused.push({ id, reason: row.left })
          continue
        }
        const result = results[position++]
        if (result === undefined) continue
        if (Either.isRight(result)) {
          const created: JsonObject = result.right
          const key = batch[index]?.key
          if (key !== undefined) named.push([key, String(created[resource.key])])
        } else if (isOfRequest(result.left)) return yield* result.left
        else refused.push({ id, reason: result.left.message })
      }
      for (const [key, created] of named) keys.set(key, created)
      renamed.set(resource.resource, keys)
      return { keys: named, refused }
    })
  )
}

/** Sorts the results of changes of rows: an error of a request ends the push, and one of a row is a refusal. */
const refusals = (
  results: ReadonlyArray<readonly [key: string, result: Either.Either<void, Failure | string>]>
): Effect.Effect<ReadonlyArray<PushJournal.Refusal>, Failure> =>
  Effect.gen(function* () {
    const refused: Array<PushJournal.Refusal> = []
    for (const [id, result] of results) {
      if (Either.isRight(result)) continue
      if (typeof result.left === "string") refused.push({ id, reason: result.left })
      else if (isOfRequest(result.left)) return yield* Effect.fail(result.left)
      else refused.push({ id, reason: result.left.message })
    }
    return refused
  })

/** Sends the changes of rows that exist, some at the same time. */
const sendEach =
  <C extends { readonly key: string }>(send: (change: C) => Effect.Effect<void, Failure | string>) =>
  (batch: ReadonlyArray<C>) =>
    Effect.forEach(
      batch,
      (change) => Effect.map(Effect.either(send(change)), (result) => [change.key, result] as const),
      {
        concurrency
      }
    ).pipe(
      Effect.flatMap(refusals),
      Effect.map((refused) => ({ keys: [], refused }))
    )

const meanwhile = (fields: ReadonlyArray<string>) => Effect.fail(`changed meanwhile: ${fields.join(", ")}`)

const update = (settings: Settings, resource: Resource.Any): Effect.Effect<void, PushError> => {
  const { rows } = settings.connection
  const send = ({ base, key, row }: Update): Effect.Effect<void, Failure | string> =>
    Effect.gen(function* () {
      const now = yield* rows.retrieveVersioned(resource, key)
      const edited = { ...row, ...ImportRow.withReferences(resource, row, settings.renamed) }
      const { changes, conflicts } = RowChange.merge(resource, base, edited, now.row)
      if (conflicts.length > 0) return yield* meanwhile(conflicts.map(({ field }) => field))
      if (changes.length === 0) return
      yield* rows.update(resource, key, RowChange.values(changes), { ifMatch: now.etag })
    })
  return each(settings, resource, "update", sendEach(send))
}

const remove = (settings: Settings, resource: Resource.Any): Effect.Effect<void, PushError> => {
  const { rows } = settings.connection
  const send = ({ base, key }: Delete): Effect.Effect<void, Failure | string> =>
    Effect.gen(function* () {
      const now = yield* rows.retrieveVersioned(resource, key)
      const changed = RowChange.between(resource, base, now.row).map(({ field }) => field)
      if (changed.length > 0) return yield* meanwhile(changed)
      yield* rows.remove(resource, key, { ifMatch: now.etag })
    }).pipe(
      // The row was deleted before, perhaps by an interrupted push.
      Effect.catchIf(
        (error) => typeof error !== "string" && error._tag === "RowNotFound",
        () => Effect.void
      )
    )
  return each(settings, resource, "delete", sendEach(send))
}

/** A resource with the numbers of its changes. */
export interface Changed {
  readonly resource: Resource.Any
  readonly counts: PushCheck.Counts
}

/** Writes the changes of resources, which are in the order of parents before children. */
export const run = (
  settings: Settings,
  changed: ReadonlyArray<Changed>,
  deletes: boolean
): Effect.Effect<void, PushError> =>
  Effect.gen(function* () {
    for (const { counts, resource } of changed) {
      if (counts.creates > 0) yield* create(settings, resource)
      if (counts.updates > 0) yield* update(settings, resource)
    }
    if (!deletes) return
    for (const { counts, resource } of changed.toReversed()) if (counts.deletes > 0) yield* remove(settings, resource)
  })
