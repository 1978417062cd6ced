// Looks at the packages as their users get them: packs each one, then lets publint and attw read the tarball.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { publishedOf } from "./workspace.mjs"

const root = resolve(import.meta.dirname, "..")
const packed = mkdtempSync(join(tmpdir(), "packed-"))

/** Runs a check on a tarball and tells whether it passed; what it says is shown only when it did not. */
const passes = (command, args) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: packed, encoding: "utf8" })
  if (status !== 0) console.error(`${[command, ...args].join(" ")}\n${stdout}${stderr}`)
  return status === 0
}

try {
  const results = publishedOf(root).map(({ dir, manifest }) => {
    const pack = ["pack", "--json", "--pack-destination", packed]
    const { filename, files } = JSON.parse(execFileSync("pnpm", pack, { cwd: join(root, dir), encoding: "utf8" }))
    const checks = [["publint", ["run", filename, "--strict"]]]
    // a package that is only a bin has nothing to import
    if (manifest.exports !== undefined) checks.push(["attw", [filename, "--profile", "esm-only"]])
    const passed = checks.map(([command, args]) => passes(command, args)).every(Boolean)
    console.log(`${manifest.name}: ${files.length} files, ${passed ? "fine" : "not fine"}`)
    return passed
  })
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  rmSync(packed, { recursive: true, force: true })
}
