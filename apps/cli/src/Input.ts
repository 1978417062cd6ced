/**
 * What commands are given besides flags: files, standard input, and the keys that a step needs.
 */
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { readFileSync } from "node:fs"
import { AdminKeyMissing, FileFailed } from "./CliError.ts"
import type { Connection } from "./Connection.ts"

/** The name that stands for standard input. */
export const standard = "-"

const reasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOSPC: "no space is left"
}

/** Why a file could not be used, in words. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  // Errors of the file system carry a code.
  const { code } = cause as NodeJS.ErrnoException
  return (code === undefined ? undefined : reasons[code]) ?? cause.message
}

/** The whole text of a file, or of standard input where the path is `-`. */
export const text = (path: string): Effect.Effect<string, FileFailed> =>
  Effect.try({
    try: () => readFileSync(path === standard ? 0 : path, "utf8"),
    catch: (cause) =>
      new FileFailed({ path: path === standard ? "standard input" : path, verb: "read", reason: reasonOf(cause) })
  })

/** A value that may stand for itself, for a file (`@path`), or for standard input (`-`). */
export const argument = (value: string): Effect.Effect<string, FileFailed> =>
  value === standard ? text(standard) : value.startsWith("@") ? text(value.slice(1)) : Effect.succeed(value)

/** The administrator's key of a profile. */
export const adminKey = ({ profile }: Connection, purpose: string): Effect.Effect<Redacted.Redacted, AdminKeyMissing> =>
  profile.adminKey === undefined ? Effect.fail(new AdminKeyMissing({ purpose })) : Effect.succeed(profile.adminKey)
