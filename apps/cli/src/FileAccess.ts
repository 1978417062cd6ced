/**
 * Reads and writes files, whose failures name the file and the reason.
 */
import * as Effect from "effect/Effect"
import { createHash, type Hash } from "node:crypto"
import { closeSync, openSync, readSync } from "node:fs"
import { FileFailed } from "./CliError.ts"

const reasons: { readonly [code: string]: string } = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EISDIR: "a folder",
  ENOSPC: "no space left"
}

/** The reason of a failure of the file system. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  // The file system's errors have a code.
  const { code } = cause as NodeJS.ErrnoException
  return (code === undefined ? undefined : reasons[code]) ?? cause.message
}

const attempt = <A>(path: string, verb: FileFailed["verb"], work: () => A): Effect.Effect<A, FileFailed> =>
  Effect.try({ try: work, catch: (cause) => new FileFailed({ path, verb, reason: reasonOf(cause) }) })

/** Runs work that reads a file. */
export const reading = <A>(path: string, work: () => A): Effect.Effect<A, FileFailed> => attempt(path, "read", work)

/** Runs work that writes a file. */
export const writing = <A>(path: string, work: () => A): Effect.Effect<A, FileFailed> => attempt(path, "written", work)

/** The hash of the first bytes of a file, to which more can be added. */
export const hash = (path: string, bytes: number): Hash => {
  const hash = createHash("sha256")
  if (bytes === 0) return hash
  const file = openSync(path, "r")
  try {
    const piece = Buffer.alloc(1_048_576)
    for (let at = 0; at < bytes;) {
      const read = readSync(file, piece, 0, Math.min(piece.length, bytes - at), at)
      if (read === 0) break
      hash.update(piece.subarray(0, read))
      at += read
    }
    return hash
  } finally {
    closeSync(file)
  }
}
