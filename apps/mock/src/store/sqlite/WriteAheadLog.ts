/**
 * Syncs the write-ahead log of a store after commits, and copies it to the file when it has grown: both on other threads,
 * so that reads go on. One sync covers all commits before it.
 */
import * as fs from "node:fs"
import { promisify } from "node:util"
import type { AsyncConnection } from "./readers/AsyncConnection.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"

const fdatasync = promisify(fs.fdatasync)

/** The work of others that keeps the log from starting again. */
interface Readers {
  /** Waits until no query runs, and starts none until the returned function is called. */
  readonly pause: () => Promise<() => void>
}

export interface Options {
  readonly driver: Pick<SqliteDriver, "execute">
  readonly path: string
  readonly durable: boolean
  /** Opens the connection that copies the log. */
  readonly connect: () => Promise<AsyncConnection>
  readonly readers: Readers
  /**
   * The size above which the log is copied, and which its file keeps (default 16 MB, whose pages SQLite still finds in one
   * hash table); the readers pause for a log of eight times this size.
   */
  readonly maxBytes?: number
  /** Copies the log on the connection of the store, between commits: for a small log that needs no sync. */
  readonly isInline?: boolean
  /** Replaces the sync of the system. */
  readonly sync?: (descriptor: number) => Promise<void>
}

export interface WriteAheadLog {
  /** Waits until all commits are durable; undefined for a store that need not be. */
  readonly sync: (() => Promise<void>) | undefined
  /** The size of the log. */
  readonly bytes: () => number
  /** Starts to copy the log if it has grown. */
  readonly shrink: () => void
  /** Waits for the end of a copy, during which no commit may begin; undefined if there is none. */
  readonly busy: () => Promise<void> | undefined
  /** The number of copies that have begun and have ended: odd while one is in progress. */
  readonly steps: () => number
  /** Ends all work. The store's connection must still be open. */
  readonly close: () => Promise<void>
}

export const make = ({
  connect,
  driver,
  durable,
  isInline = false,
  maxBytes = 16 * 1024 * 1024,
  path,
  readers,
  sync: syncFile = fdatasync
}: Options): WriteAheadLog => {
  // SQLite's locks belong to other files, which must not be opened and closed here.
  const descriptor = fs.openSync(`${path}-wal`, "r+")
  // Overwriting takes less time than growing, and a sync of it needs not write the size. A log that starts again keeps
  // exactly this size, so a larger file means that the log has grown.
  driver.execute({ text: `PRAGMA journal_size_limit = ${maxBytes}`, parameters: [] })
  let connection: Promise<AsyncConnection> | undefined
  let nextBytes = maxBytes
  let isBroken = false
  let isClosed = false
  let steps = 0
  let copying: Promise<void> | undefined
  let busy: Promise<void> | undefined

  const copy = async () => {
    const { script } = await (connection ??= connect())
    steps += 1
    try {
      await script("PRAGMA store.wal_checkpoint(PASSIVE)")
    } finally {
      steps += 1
    }
  }

  /** Copies what was committed during the first copy, while no commit begins: then the next one starts the log again. */
  const finish = async () => {
    const resume = sizeOf() > 8 * maxBytes ? await readers.pause() : () => undefined
    try {
      busy = copy()
      await busy
    } finally {
      busy = undefined
      resume()
    }
  }

  const sizeOf = () => fs.fstatSync(descriptor).size

  const shrink = () => {
    const size = sizeOf()
    // The first commit after a complete copy truncates the log.
    if (size <= maxBytes) nextBytes = maxBytes
    if (size <= nextBytes || copying !== undefined || isClosed) return
    // Readers of older states may keep the log; it is copied again when it has grown further.
    nextBytes = size + maxBytes
    if (isInline) return void driver.execute({ text: "PRAGMA wal_checkpoint(PASSIVE)", parameters: [] })
    copying = copy()
      .then(finish)
      // A full disk, for example: commits fail too, or the next copy succeeds.
      .catch(() => void (connection = undefined))
      .finally(() => void (copying = undefined))
  }

  /**
   * After a failed sync the system may have dropped what it could not write, and report later syncs as successful. So
   * the whole log is copied to the file, whose own sync is decisive.
   */
  const repair = () => {
    const [row] = driver.execute({ text: "PRAGMA wal_checkpoint(TRUNCATE)", parameters: [] })
    if (row?.[0] !== 0) throw new Error("the log is in use")
    isBroken = false
    steps += 2
  }

  const sync = async () => {
    if (isBroken) repair()
    try {
      await syncFile(descriptor)
    } catch (error) {
      isBroken = true
      throw error
    }
  }

  return {
    sync: durable ? sync : undefined,
    bytes: sizeOf,
    shrink,
    busy: () => busy,
    steps: () => steps,
    close: async () => {
      isClosed = true
      await copying
      const opened = await connection?.catch(() => undefined)
      await opened?.close()
      fs.closeSync(descriptor)
    }
  }
}
