/**
 * Copies the files of an open store in its last committed state, without a statement: the pages of the file, and over
 * them those of the write-ahead log, as a checkpoint would write them. A copy takes as long as the system takes to copy
 * the file, and neither syncs nor prepares anything.
 */
import * as fs from "node:fs"

export interface StoreCopy {
  /** Identifies the last committed state: another commit, another version. */
  readonly version: () => string
  /** Writes a complete database. No change may have a transaction open. */
  readonly write: (to: string) => void
  readonly close: () => void
}

/** The formats of the log's header and of the header of a frame, in bytes. Numbers are big-endian. */
const logHeader = { bytes: 32, pageBytesAt: 8, saltAt: 16, saltBytes: 8 }
const frameHeader = { bytes: 24, pageAt: 0, commitAt: 4, saltAt: 8 }

/** The bytes that are read and written together. */
const chunkBytes = 1024 * 1024

/** The place of the two bytes of a database's header that are 2 in a database with a log, and 1 in one without. */
const modeAt = 18
const withLog = Buffer.from([2, 2])

/**
 * Marks a closed database as one with a log. To open it then takes half the time, because SQLite does not read the schema
 * again after the change.
 */
export const enableLog = (file: string): void => {
  const descriptor = fs.openSync(file, "r+")
  fs.writeSync(descriptor, withLog, 0, withLog.length, modeAt)
  fs.closeSync(descriptor)
}

/** The frames of the log that belong to its current header. */
interface Log {
  readonly pageBytes: number
  readonly salt: Buffer
  readonly frames: number
}

const read = (descriptor: number, bytes: number, position: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, bytes, position))
}

const empty: Log = { pageBytes: 0, salt: Buffer.alloc(0), frames: 0 }

/** Finds the frames. Those of an earlier header have another salt and follow the others, so that bisection finds the end. */
const logOf = (descriptor: number): Log => {
  const header = read(descriptor, logHeader.bytes, 0)
  if (header.length < logHeader.bytes) return empty
  const pageBytes = header.readUInt32BE(logHeader.pageBytesAt)
  const salt = header.subarray(logHeader.saltAt, logHeader.saltAt + logHeader.saltBytes)
  const size = frameHeader.bytes + pageBytes
  const isCurrent = (frame: number) =>
    read(descriptor, logHeader.saltBytes, logHeader.bytes + frame * size + frameHeader.saltAt).equals(salt)
  let [frames, beyond] = [0, Math.floor((fs.fstatSync(descriptor).size - logHeader.bytes) / size)]
  while (frames < beyond) {
    const middle = Math.floor((frames + beyond) / 2)
    if (isCurrent(middle)) frames = middle + 1
    else beyond = middle
  }
  return { pageBytes, salt, frames }
}

/** The last committed content of each page in the log by number, as the place in the log, and the size of the database. */
const pagesOf = (
  log: Buffer,
  { frames, pageBytes }: Log
): { readonly pages: Map<number, number>; readonly count: number } => {
  const pages = new Map<number, number>()
  let transaction: Array<readonly [page: number, place: number]> = []
  let count = 0
  for (let frame = 0; frame < frames; frame++) {
    const start = frame * (frameHeader.bytes + pageBytes)
    transaction.push([log.readUInt32BE(start + frameHeader.pageAt), start + frameHeader.bytes])
    const committed = log.readUInt32BE(start + frameHeader.commitAt)
    if (committed === 0) continue
    // Frames after the last one of a commit are those of a change that was rolled back.
    count = committed
    for (const [page, place] of transaction) pages.set(page, place)
    transaction = []
  }
  return { pages, count }
}

/** Copies the database at a path, which stays open: to close the file would drop the locks of SQLite. */
export const make = (path: string): StoreCopy => {
  const database = fs.openSync(path, "r")
  const log = fs.openSync(`${path}-wal`, "r")

  return {
    version: () => {
      const { frames, salt } = logOf(log)
      return `${fs.fstatSync(database, { bigint: true }).mtimeNs} ${salt.toString("hex")} ${frames}`
    },
    write: (to) => {
      const target = fs.openSync(to, "wx", 0o600)
      try {
        const { size } = fs.fstatSync(database)
        const chunk = Buffer.allocUnsafe(chunkBytes)
        for (let position = 0; position < size;) {
          const bytes = fs.readSync(database, chunk, 0, chunkBytes, position)
          if (bytes === 0) break
          fs.writeSync(target, chunk, 0, bytes, position)
          position += bytes
        }
        const found = logOf(log)
        if (found.frames === 0) return
        const { pageBytes } = found
        const frames = read(log, found.frames * (frameHeader.bytes + pageBytes), logHeader.bytes)
        const { count, pages } = pagesOf(frames, found)
        if (count === 0) return
        for (const [page, place] of pages) {
          if (page <= count) fs.writeSync(target, frames, place, pageBytes, (page - 1) * pageBytes)
        }
        fs.ftruncateSync(target, count * pageBytes)
      } catch (error) {
        fs.rmSync(to, { force: true })
        throw error
      } finally {
        fs.closeSync(target)
      }
    },
    close: () => {
      fs.closeSync(log)
      fs.closeSync(database)
    }
  }
}
