/**
 * Watches whether the files of a store are still those that were opened, and whether another process writes to the first
 * of them. A removed or replaced file can still be written, but nobody finds the writes again.
 */
import * as fs from "node:fs"

export interface FileWatch {
  /** The file that is not the opened one, as of the last look; undefined if all are. */
  readonly missing: () => string | undefined
  /** Looks now. */
  readonly look: () => string | undefined
  readonly close: () => void
}

export interface Options {
  readonly files: ReadonlyArray<string>
  /** Called when a file is missing that was not, and when all are back. */
  readonly onChange: (missing: string | undefined) => void
  /** The number of the own writes to the first file that have begun and have ended. */
  readonly ownWrites: () => number
  /** Called when the first file was written, and not by this process. */
  readonly onForeignWrite: () => void
  readonly everyMillis?: number
}

/** The device and the number of a file; undefined if there is none. */
const identity = (stat: fs.BigIntStats | undefined): string | undefined =>
  stat === undefined ? undefined : `${stat.dev} ${stat.ino}`

const statOf = (file: string): Promise<fs.BigIntStats | undefined> =>
  fs.promises.stat(file, { bigint: true }).catch(() => undefined)

export const make = ({ everyMillis = 500, files, onChange, onForeignWrite, ownWrites }: Options): FileWatch => {
  const now = (file: string) => identity(fs.statSync(file, { bigint: true, throwIfNoEntry: false }))
  const opened = files.map((file) => [file, now(file)] as const)
  const timeOf = (stat: fs.BigIntStats | undefined) => stat?.mtimeNs
  let missing: string | undefined
  let isLooking = false
  let written = timeOf(fs.statSync(files[0] ?? "", { bigint: true, throwIfNoEntry: false }))
  let own = ownWrites()

  const judgeTime = (stat: fs.BigIntStats | undefined) => {
    const before = own
    own = ownWrites()
    if (timeOf(stat) === written) return
    written = timeOf(stat)
    const isIdle = own === before && own % 2 === 0
    if (isIdle && missing === undefined) onForeignWrite()
  }

  const note = (found: string | undefined) => {
    if (found === missing) return
    missing = found
    onChange(found)
  }

  const lookAside = async () => {
    if (isLooking) return
    isLooking = true
    const stats = await Promise.all(files.map(statOf))
    isLooking = false
    note(opened.find(([, id], index) => identity(stats[index]) !== id)?.[0])
    judgeTime(stats[0])
  }

  const timer = setInterval(() => void lookAside(), everyMillis)
  // The timer does not keep the process alive.
  timer.unref()

  return {
    missing: () => missing,
    look: () => {
      note(opened.find(([file, id]) => now(file) !== id)?.[0])
      return missing
    },
    close: () => clearInterval(timer)
  }
}
