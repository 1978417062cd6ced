/**
 * The files that released versions have written. Each version of a package has a folder `releases/<package>/<version>`
 * with one file of each of its formats.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Program from "../Program.ts"

const folders = { domain: "packages/domain", client: "packages/client", cli: "apps/cli", mock: "apps/mock" }

type Package = keyof typeof folders

const read = (name: Package, file: string): string => {
  const path = join(Program.root, folders[name], file)
  return existsSync(path) ? readFileSync(path, "utf8") : ""
}

/** The version of a package in this checkout. */
export const current = (name: Package): string => /"version": "(.+)"/.exec(read(name, "package.json"))?.[1] ?? ""

/** The version that no release has: its files may be made again. */
const unreleased = "0.0.0"

/** The versions of a package: those of its changelog, and the current one. */
const versions = (name: Package): ReadonlyArray<string> => [
  ...new Set([...Array.from(read(name, "CHANGELOG.md").matchAll(/^## (\d\S*)/gm), ([, v = ""]) => v), current(name)])
]

/** The command that makes the missing files of the current versions. */
export const command = "npm run fixtures"

const isMaking = process.env["MFG_FIXTURES"] === "write"

const place = (name: Package, version: string, file = "") =>
  join(Program.root, "acceptance/releases", name, version, file)

/** A file of each version of a package. */
export interface Fixture {
  readonly versions: ReadonlyArray<string>
  /** The content of a version's file. Throws with the command that makes it where it is missing. */
  readonly read: (version: string) => Buffer
}

/** Declares a file of each version. `make` returns the content for the current one, which the command writes once. */
export const fixture = async (
  name: Package,
  file: string,
  make: () => Promise<string | Uint8Array>
): Promise<Fixture> => {
  const path = place(name, current(name), file)
  if (isMaking) {
    // Nothing was released as the version before the first.
    if (current(name) !== unreleased) rmSync(place(name, unreleased), { recursive: true, force: true })
    if (current(name) === unreleased || !existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, await make())
    }
  }
  return {
    versions: versions(name),
    read: (version) => {
      const missing = place(name, version, file)
      if (existsSync(missing)) return readFileSync(missing)
      const remedy = version === current(name) ? `make it with ${command}` : "restore it: it is a file of a release"
      throw new Error(`${missing.slice(Program.root.length)} is missing: ${remedy}`)
    }
  }
}
