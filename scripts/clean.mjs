// Removes the output of builds, so that a package never contains modules that the sources no longer have.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { packagesOf } from "./workspace.mjs"

const root = join(import.meta.dirname, "..")
for (const { dir } of packagesOf(root)) {
  for (const output of ["dist", "man", ".tsbuildinfo", ".turbo"]) {
    rmSync(join(root, dir, output), { recursive: true, force: true })
  }
}
