// Removes everything that a build has written, so that nothing deleted from the sources lives on in a package.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { packagesOf } from "./workspace.mjs"

const root = join(import.meta.dirname, "..")
for (const { dir } of packagesOf(root)) {
  for (const output of ["dist", ".tsbuildinfo", ".turbo"]) {
    rmSync(join(root, dir, output), { recursive: true, force: true })
  }
}
