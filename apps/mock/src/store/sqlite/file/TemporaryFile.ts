/**
 * Names database files in a temporary folder of this process, which is removed when the process exits.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

let folder: string | undefined
let files = 0

/** A new path. */
export const create = (): string => {
  if (folder === undefined) {
    const created = (folder = fs.mkdtempSync(path.join(os.tmpdir(), "mfg-mock-")))
    process.once("exit", () => fs.rmSync(created, { recursive: true, force: true }))
  }
  return path.join(folder, `${files++}.db`)
}

/** Removes the file, and what an unclean end has left next to it. */
export const remove = (file: string): void => {
  for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(`${file}${suffix}`, { force: true })
}
