/**
 * Makes the files of an existing store private to their owner. New files are private already.
 */
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import { chmodSync, statSync } from "node:fs"
import type { Settings } from "../Settings.ts"

/** The file of a store, and those next to it. */
const suffixes = ["", "-wal", "-shm", "-lock", ".lock"]

/** Reports whether other users have a permission on a file. One that cannot be looked at fails when it is opened. */
const isShared = (file: string): boolean => {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat?.isFile() === true && (stat.mode & 0o077) !== 0
  } catch {
    return false
  }
}

/** Takes the permissions of other users away from the files of a store, and says so if there were any. */
export const tighten = (store: Settings["store"]): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (store._tag !== "Sqlite" || process.platform === "win32") return Effect.void
    const shared = suffixes.map((suffix) => store.path + suffix).filter(isShared)
    if (shared.length === 0) return Effect.void
    try {
      for (const file of shared) chmodSync(file, 0o600)
      return Terminal.note(`Other users of this machine could read ${store.path}. Now only its owner can.`)
    } catch {
      return Terminal.note(`Other users of this machine can read ${store.path}, and its mode cannot be changed.`)
    }
  })
