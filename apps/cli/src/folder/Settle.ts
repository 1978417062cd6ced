/**
 * Ends a push: pulls the rows of a resource again, and keeps the changes that were not written.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileFailed, InputMalformed } from "../CliError.ts"
import type { Connection } from "../service/Connection.ts"
import * as FolderChange from "./FolderChange.ts"
import * as Pull from "./Pull.ts"
import type * as PushJournal from "./PushJournal.ts"

const idsOf = (journal: PushJournal.PushJournal, resource: Resource.Any, phase: PushJournal.Phase) =>
  new Set(journal.refused(resource.resource, phase).map(({ id }) => id))

/** The changes that the service did not take, and the deletions of rows that `keepsDeletes` keeps. */
const pendingOf = (
  journal: PushJournal.PushJournal,
  folder: string,
  resource: Resource.Any,
  keepsDeletes: boolean
): Either.Either<ReadonlyArray<FolderChange.FolderChange>, FileFailed | InputMalformed> => {
  const refused = {
    Create: idsOf(journal, resource, "create"),
    Update: idsOf(journal, resource, "update"),
    Delete: idsOf(journal, resource, "delete")
  }
  const isPending = (change: FolderChange.FolderChange): boolean =>
    (change._tag === "Delete" && keepsDeletes) ||
    refused[change._tag].has(change._tag === "Create" ? String(change.line) : change.key)
  // Reading the files takes time, and most pushes leave nothing.
  if (!keepsDeletes && Object.values(refused).every(({ size }) => size === 0)) return Either.right([])
  return Either.gen(function* () {
    const pending: Array<FolderChange.FolderChange> = []
    for (const read of FolderChange.changes(resource, folder)) {
      const change = yield* read
      if (isPending(change)) pending.push(change)
    }
    return pending
  })
}

/** Settles a resource. The journal has a line before the files are renamed, so that the next run can do that. */
export const run = (
  connection: Connection,
  journal: PushJournal.PushJournal,
  folder: string,
  resource: Resource.Any,
  keepsDeletes: boolean
): Effect.Effect<void, QueryError | FileFailed | InputMalformed> =>
  Effect.gen(function* () {
    if (!journal.isSettled(resource.resource)) {
      const pending = yield* pendingOf(journal, folder, resource, keepsDeletes)
      yield* Pull.stage(connection, folder, resource, pending)
      yield* journal.add({ resource: resource.resource, phase: "settle", done: 0, keys: [], refused: [] })
    }
    yield* Pull.commit(folder, resource)
  })
