/**
 * Locks the file of a store for one process: an exclusive lock on an empty database next to it, `<store>-lock`, which ends
 * with the process. The store itself is left to several connections of that process.
 */
import Database from "libsql"
import * as fs from "node:fs"

/** The number of the file at a path; undefined if there is none. */
const fileNumber = (file: string): bigint | undefined => fs.statSync(file, { bigint: true, throwIfNoEntry: false })?.ino

/** The file that is locked for a store. */
export const place = (path: string): string => `${path}-lock`

/** Locks the store at a path and returns the function that releases it. Throws `SQLITE_BUSY` of libsql. */
export const acquire = (path: string): (() => void) => {
  const file = place(path)
  fs.closeSync(fs.openSync(file, "a", 0o600))
  const before = fileNumber(file)
  // The owner before may remove the file while this process waits, and the next process would lock another one.
  const isReplaced = () => fileNumber(file) !== before
  // Only `exec`, because a prepared statement would keep the lock after closing.
  const database = new Database(file)
  try {
    database.exec("PRAGMA busy_timeout = 500; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
  } catch (error) {
    database.close()
    if (isReplaced()) return acquire(path)
    throw error
  }
  const release = () => {
    database.exec("ROLLBACK")
    database.close()
  }
  if (isReplaced()) {
    release()
    return acquire(path)
  }
  return () => {
    // The file of another process, which has replaced this one, is left alone.
    if (!isReplaced()) fs.rmSync(file, { force: true })
    release()
  }
}
