/**
 * Reads the files of operators in `ops`.
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import * as Program from "./Program.ts"

export const folder = join(Program.root, "ops")

export const read = (file: string): string => readFileSync(join(folder, file), "utf8")

/** The documents of a YAML file, which has no error. */
export const yaml = (file: string): ReadonlyArray<unknown> =>
  parseAllDocuments(read(file), { merge: true, uniqueKeys: true }).map((document) => {
    const [error] = [...document.errors, ...document.warnings]
    if (error !== undefined) throw error
    return document.toJS() as unknown
  })

/** The paths of all files, relative to the folder. */
export const files: ReadonlyArray<string> = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length + 1))

/** Reports whether a program is on this machine, and the end of a test's title that says that it is not. */
export const has = (program: string, args: ReadonlyArray<string> = ["--version"]) => {
  const isPresent = spawnSync(program, args).error === undefined
  return { isPresent, reason: isPresent ? "" : ` (there is no ${program} on this machine)` }
}
