// Runs Effect's own diagnostics (a floating effect, a layer provided twice, ...) on the sources of every package.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { packagesOf } from "./workspace.mjs"

const root = resolve(import.meta.dirname, "..")
const projects = packagesOf(root)
  .map(({ dir }) => join(dir, "tsconfig.src.json"))
  .filter((project) => existsSync(join(root, project)))

const failed = projects.filter((project) => {
  const args = ["diagnostics", "--strict", "--format", "text", "--project", join(root, project)]
  const { status, stdout, stderr } = spawnSync("effect-tsgo", args, { cwd: root, encoding: "utf8" })
  // A project without the plugin's entry is skipped silently: count the checked files.
  const checked = Number(/Checked (\d+) files/.exec(stdout)?.[1] ?? 0)
  const passed = status === 0 && checked > 0
  console.log(passed ? `${project}: ${checked} files` : `${project}: ${checked} files checked\n${stdout}${stderr}`)
  return !passed
})

process.exitCode = failed.length === 0 && projects.length > 0 ? 0 : 1
