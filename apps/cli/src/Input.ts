/**
 * Reads the input of commands: files and standard input.
 */
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import * as consumers from "node:stream/consumers"
import { FileFailed } from "./CliError.ts"
import * as FileAccess from "./FileAccess.ts"

/** The path of standard input. */
export const standard = "-"

/** Reads a file, or standard input if the path is `-`. */
export const text = (path: string): Effect.Effect<string, FileFailed> =>
  path === standard
    ? Effect.tryPromise({
        // A synchronous read of a pipe fails while the pipe is empty.
        try: () => consumers.text(process.stdin),
        catch: (cause) => new FileFailed({ path: "standard input", verb: "read", reason: FileAccess.reasonOf(cause) })
      })
    : FileAccess.reading(path, () => readFileSync(path, "utf8"))

/** Reads a value: the text itself, a file (`@path`), or standard input (`-`). */
export const argument = (value: string): Effect.Effect<string, FileFailed> =>
  value === standard ? text(standard) : value.startsWith("@") ? text(value.slice(1)) : Effect.succeed(value)
