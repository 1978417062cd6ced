/**
 * Saves states of a world, and replaces its rows by them.
 */
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import type { StoreUnavailable } from "../store/Store.ts"
import * as WorldError from "./WorldError.ts"
import * as WorldHandle from "./WorldHandle.ts"
import * as WorldRecord from "./WorldRecord.ts"
import type { WorldStates } from "./WorldStates.ts"

type Handle = WorldHandle.WorldHandle

export interface WorldSnapshots {
  /** Replaces a world by what it was when it was made. */
  readonly reset: (handle: Handle) => Effect.Effect<void, WorldHandle.Failure>
  /** Saves the state of a world, and returns the time. */
  readonly save: (
    handle: Handle,
    name: string
  ) => Effect.Effect<number, WorldHandle.Failure | StoreUnavailable | WorldError.NameUnfit | WorldError.NameTaken>
  readonly restore: (
    handle: Handle,
    name: string
  ) => Effect.Effect<void, WorldHandle.Failure | WorldError.SnapshotMissing>
  readonly dropSnapshot: (
    handle: Handle,
    name: string
  ) => Effect.Effect<void, WorldError.FolderUnwritable | WorldError.SnapshotMissing>
}

export const make = (states: WorldStates): WorldSnapshots => {
  /** Replaces the rows of a world; keys that were made for its rows before are no longer known. */
  const replace = (handle: Handle, saved: WorldRecord.Saved) =>
    Effect.map(handle.replace(saved), () => states.forget(handle.record().name))

  return {
    reset: (handle) => Effect.suspend(() => replace(handle, handle.record().origin)),
    save: (handle, name) =>
      Effect.gen(function* () {
        const isTaken = handle.record().snapshots.some((snapshot) => snapshot.name === name)
        yield* WorldError.checkName("snapshot", name, isTaken)
        return yield* handle.use((instance) =>
          Effect.gen(function* () {
            const { name: world, next } = handle.record()
            handle.update((record) => ({ ...record, next: next + 1 }))
            const isTrusted = yield* states.whole(world, instance, WorldRecord.database(handle.folder, next))
            const saved = { ...WorldHandle.stateOf(instance), file: next, isTrusted }
            const snapshot = { ...saved, name, createdAt: Date.now() }
            yield* WorldError.attempt(() =>
              handle.update((record) => ({ ...record, snapshots: [...record.snapshots, snapshot] }))
            )
            return snapshot.createdAt
          })
        )
      }),
    restore: (handle, name) => Effect.flatMap(handle.snapshot(name), (saved) => replace(handle, saved)),
    dropSnapshot: (handle, name) =>
      Effect.flatMap(handle.snapshot(name), ({ file }) =>
        WorldError.attempt(() => {
          handle.update((record) => ({
            ...record,
            snapshots: record.snapshots.filter((snapshot) => snapshot.name !== name)
          }))
          // A world that was restored from it and not used since still needs it.
          if (handle.record().base.file !== file) fs.rmSync(WorldRecord.database(handle.folder, file), { force: true })
        })
      )
  }
}
