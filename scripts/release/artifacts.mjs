// Writes the artifacts of a release into the folder `release`: the tarball of each package, the software bill of
// materials of each app, and the SHA-256 checksums of all of them, as `sha256sum --check` reads them.
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { publishedOf } from "../workspace.mjs"
import * as sbom from "./sbom.mjs"

const root = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."))
const folder = join(root, "release")

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { dir, manifest } of publishedOf(root)) {
  execFileSync("pnpm", ["pack", "--pack-destination", folder], { cwd: join(root, dir), stdio: "ignore" })
  if (manifest.bin === undefined) continue
  const name = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.cdx.json`
  writeFileSync(join(folder, name), `${JSON.stringify(await sbom.make(root, { dir, manifest }), undefined, 2)}\n`)
}
const files = readdirSync(folder).toSorted()
const sum = (file) =>
  createHash("sha256")
    .update(readFileSync(join(folder, file)))
    .digest("hex")
writeFileSync(join(folder, "SHA256SUMS"), files.map((file) => `${sum(file)}  ${file}\n`).join(""))
console.log(`${folder}: ${[...files, "SHA256SUMS"].join(", ")}`)
