/**
 * Captures the state of worlds in files that are only ever copied: a world that has not changed is captured once, and
 * its forks share the file by links.
 */
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Instance } from "../service/Instance.ts"
import { micros } from "../sql/ServiceColumn.ts"
import { unavailable, type StoreUnavailable } from "../store/Store.ts"
import * as StoreCopy from "../store/sqlite/file/StoreCopy.ts"
import * as SqliteDriver from "../store/sqlite/SqliteDriver.ts"

/** A state in a file. */
export interface Captured {
  readonly file: string
  /** Set when every text of it is known to be readable. */
  readonly isTrusted: boolean
}

export interface Capture {
  /** The state of a world. */
  readonly whole: (world: string, instance: Instance) => Effect.Effect<Captured, StoreUnavailable>
  /** The state of a world for a fork of it, where pending deliveries are held. */
  readonly held: (world: string, instance: Instance) => Effect.Effect<Captured, StoreUnavailable>
  /** Drops the files of a world. */
  readonly forget: (world: string) => void
}

interface Entry extends Captured {
  readonly version: string
  held: string | undefined
}

/** The number of worlds whose files are kept. */
const capacity = 32

const pending = { text: `SELECT 1 FROM "_delivery" WHERE "settledAt" IS NULL LIMIT 1`, parameters: [] }

/** Takes deliveries out of the queue; to deliver one again puts it back. */
export const hold = (file: string, millis: number): void => {
  const driver = SqliteDriver.open(file, { durable: false })
  try {
    driver.execute({
      text: `UPDATE "_delivery" SET "state" = 'held', "settledAt" = ?, "dueAt" = NULL, "leasedBy" = NULL
        WHERE "settledAt" IS NULL`,
      parameters: [micros(millis)]
    })
  } finally {
    driver.close()
  }
  StoreCopy.enableLog(file)
}

/** Puts a state at a path, as a link where the file system has links. */
export const link = (file: string, to: string): void => {
  try {
    fs.linkSync(file, to)
  } catch {
    fs.copyFileSync(file, to)
  }
}

/** Captures into a folder. */
export const make = (folder: string): Capture => {
  const entries = new Map<string, Entry>()
  let count = 0

  const create = () => path.join(folder, `${count++}.db`)

  const forget = (world: string) => {
    const entry = entries.get(world)
    if (entry === undefined) return
    entries.delete(world)
    for (const file of [entry.file, entry.held]) if (file !== undefined) fs.rmSync(file, { force: true })
  }

  const entryOf = (world: string, { world: { store } }: Instance) =>
    Effect.gen(function* () {
      const { copies } = store
      // Only a store without files has none, and worlds are refused there.
      if (copies === undefined) return yield* unavailable("Closed")
      const version = yield* copies.version
      const known = entries.get(world)
      if (known?.version === version) return known
      const file = create()
      const isTrusted = yield* copies.write(file)
      forget(world)
      const [oldest] = entries.keys()
      if (entries.size >= capacity && oldest !== undefined) forget(oldest)
      const entry: Entry = { file, isTrusted, version, held: undefined }
      entries.set(world, entry)
      return entry
    })

  return {
    whole: entryOf,
    held: (world, instance) =>
      Effect.gen(function* () {
        const entry = yield* entryOf(world, instance)
        const { now, store } = instance.world
        if (entry.held === undefined) {
          if ((yield* store.read(pending)).length === 0) return entry
          const file = create()
          fs.copyFileSync(entry.file, file)
          hold(file, now())
          entry.held = file
        }
        return { file: entry.held, isTrusted: entry.isTrusted }
      }),
    forget
  }
}
