/**
 * Reads the input of commands: files and standard input.
 */
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { FileFailed } from "./CliError.ts"

/** The path of standard input. */
export const standard = "-"

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

/** Reads a file, or standard input if the path is `-`. */
export const text = (path: string): Effect.Effect<string, FileFailed> =>
  Effect.try({
    try: () => readFileSync(path === standard ? 0 : path, "utf8"),
    catch: (cause) =>
      new FileFailed({ path: path === standard ? "standard input" : path, verb: "read", reason: reasonOf(cause) })
  })

/** Reads a value: the text itself, a file (`@path`), or standard input (`-`). */
export const argument = (value: string): Effect.Effect<string, FileFailed> =>
  value === standard ? text(standard) : value.startsWith("@") ? text(value.slice(1)) : Effect.succeed(value)
