/**
 * A file to which a line of JSON is appended for each step, on the disk before the next step. A line that a crash cut is
 * ignored, and overwritten.
 */
import type * as Effect from "effect/Effect"
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from "node:fs"
import type { FileFailed } from "../CliError.ts"
import * as FileAccess from "../FileAccess.ts"

export interface JournalFile {
  readonly append: (value: unknown) => Effect.Effect<void, FileFailed>
  /** Removes the file after the last step. */
  readonly finish: Effect.Effect<void, FileFailed>
}

const completeOf = (path: string): string => {
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  return text.slice(0, text.lastIndexOf("\n") + 1)
}

/** The complete lines of a journal; none without a file. */
export const lines = (path: string): Effect.Effect<ReadonlyArray<string>, FileFailed> =>
  FileAccess.reading(path, () => completeOf(path).split("\n").slice(0, -1))

/** Opens a journal after its complete lines. */
export const open = (path: string): Effect.Effect<JournalFile, FileFailed> =>
  FileAccess.writing(path, () => {
    // The next line must not follow an incomplete one.
    if (existsSync(path)) truncateSync(path, Buffer.byteLength(completeOf(path)))
    const file = openSync(path, "a", 0o600)
    return {
      append: (value) =>
        FileAccess.writing(path, () => {
          writeSync(file, `${JSON.stringify(value)}\n`)
          fsyncSync(file)
        }),
      finish: FileAccess.writing(path, () => {
        closeSync(file)
        rmSync(path, { force: true })
      })
    }
  })
