/**
 * Runs commands of documents in bash as their readers do: with `mfg` and `mfg-mock` on the path, and nothing of the user.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import { chmodSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as Bin from "./Bin.ts"
import * as Program from "./Program.ts"
import * as Tree from "./Tree.ts"

export interface Shell {
  /** The working folder of the commands, removed with the scope. */
  readonly folder: string
  /** Runs a script, which ends with its first command that fails. */
  readonly run: (script: string, env?: Readonly<Record<string, string>>) => Effect.Effect<Program.Ended>
}

/** Reports whether a command runs here. */
const has = (command: string): boolean => spawnSync(command, ["--version"]).status === 0

/** The commands of a list that this machine lacks, with the bash that runs them. */
export const missing = (...commands: ReadonlyArray<string>): ReadonlyArray<string> =>
  ["bash", ...commands].filter((command) => !has(command))

/** A shell with the built programs. */
export const make: Effect.Effect<Shell, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Tree.make({})
  const bin = join(folder, "bin")
  const programs = { mfg: yield* Bin.bundle("cli"), "mfg-mock": yield* Bin.bundle("mock") }
  for (const [name, file] of Object.entries(programs)) {
    Tree.write(bin, { [name]: `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n` })
    chmodSync(join(bin, name), 0o755)
  }
  const env = { PATH: [bin, process.env["PATH"]].join(delimiter), XDG_CONFIG_HOME: join(folder, "config") }
  return {
    folder,
    run: (script, more) =>
      Program.run("bash", ["-c", `set -euo pipefail\n${script}`], { cwd: folder, env: { ...env, ...more } })
  }
})
