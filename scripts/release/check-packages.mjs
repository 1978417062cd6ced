// Checks the packages as they are published: packs each one, checks its files, and runs publint and attw on the tarball.
// `--files` checks the files alone.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { publishedOf } from "../workspace.mjs"
import { complaintsOf } from "./contents.mjs"

const args = process.argv.slice(2)
const root = resolve(args.find((arg) => !arg.startsWith("--")) ?? join(import.meta.dirname, "../.."))
const packed = mkdtempSync(join(tmpdir(), "packed-"))

/** Runs a check on a tarball and returns its success; its output is printed only on failure. */
const passes = (command, args) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: packed, encoding: "utf8" })
  if (status !== 0) console.error(`${[command, ...args].join(" ")}\n${stdout}${stderr}`)
  return status === 0
}

try {
  const results = publishedOf(root).map(({ dir, manifest }) => {
    const pack = ["pack", "--json", "--pack-destination", packed]
    const { filename, files } = JSON.parse(execFileSync("pnpm", pack, { cwd: join(root, dir), encoding: "utf8" }))
    const complaints = complaintsOf(
      manifest,
      files.map(({ path }) => path)
    )
    for (const complaint of complaints.slice(0, 20)) console.error(complaint)
    const checks = args.includes("--files") ? [] : [["publint", ["run", filename, "--strict"]]]
    // A package with only a bin has no module to import.
    if (checks.length > 0 && manifest.exports !== undefined) {
      checks.push(["attw", [filename, "--profile", "esm-only"]])
    }
    const passed = checks.map(([command, args]) => passes(command, args)).every(Boolean) && complaints.length === 0
    console.log(`${manifest.name}: ${files.length} files, ${passed ? "fine" : "not fine"}`)
    return passed
  })
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  rmSync(packed, { recursive: true, force: true })
}
