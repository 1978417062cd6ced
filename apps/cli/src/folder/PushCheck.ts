/**
 * Compares the changes of a folder with the rows of the service, before any of them is written.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileFailed, InputMalformed } from "../CliError.ts"
import * as RowChange from "../RowChange.ts"
import type { Connection } from "../service/Connection.ts"
import * as KeyedRows from "../service/KeyedRows.ts"
import * as FolderChange from "./FolderChange.ts"
import type { Conflict } from "./Rebase.ts"

/** The numbers of changes of a resource. */
export interface Counts {
  readonly creates: number
  readonly updates: number
  readonly deletes: number
}

export interface Checked {
  readonly counts: Counts
  readonly conflicts: ReadonlyArray<Conflict>
}

type Existing = Exclude<FolderChange.FolderChange, { readonly _tag: "Create" }>

const conflictOf = (resource: Resource.Any, change: Existing, now: JsonObject | undefined): string | undefined => {
  if (change._tag === "Delete") {
    const changed = now === undefined ? [] : RowChange.between(resource, change.base, now)
    return changed.length === 0
      ? undefined
      : `is deleted here, and has changed there: ${changed.map(({ field }) => field).join(", ")}`
  }
  if (now === undefined) return "was deleted there"
  const { conflicts } = RowChange.merge(resource, change.base, change.row, now)
  return conflicts.length === 0
    ? undefined
    : `has changed there: ${conflicts
        .map(({ field, mine, theirs }) => `${field} is ${JSON.stringify(theirs)}, and ${JSON.stringify(mine)} here`)
        .join("; ")}`
}

/** Checks the changes of a resource. A change that the service has already is none. */
export const run = (
  connection: Connection,
  resource: Resource.Any,
  folder: string
): Effect.Effect<Checked, QueryError | FileFailed | InputMalformed> =>
  Effect.gen(function* () {
    const counts = { creates: 0, updates: 0, deletes: 0 }
    const conflicts: Array<Conflict> = []
    let batch: Array<Existing> = []
    const flush = Effect.suspend(() => {
      const checked = batch
      batch = []
      if (checked.length === 0) return Effect.void
      const keys = checked.map(({ key }) => key)
      return Effect.map(KeyedRows.read(connection, resource, keys), (found) => {
        for (const change of checked) {
          const reason = conflictOf(resource, change, found.get(change.key))
          if (reason !== undefined) conflicts.push({ resource: resource.resource, key: change.key, reason })
        }
      })
    })
    for (const read of FolderChange.changes(resource, folder)) {
      if (Either.isLeft(read)) return yield* read.left
      const change = read.right
      if (change._tag === "Create") {
        counts.creates++
        continue
      }
      if (change._tag === "Update") counts.updates++
      else counts.deletes++
      batch.push(change)
      if (batch.length === KeyedRows.batchSize) yield* flush
    }
    yield* flush
    return { counts, conflicts }
  })
