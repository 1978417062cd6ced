// Applies the changesets: versions, changelogs, lockfile, the reports of types and the files of the new versions, which
// tests keep. `--only` leaves out the reports and the files.
import { spawnSync } from "node:child_process"
import { root, setup } from "../setup.mjs"

const env = setup()
const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: "inherit" })
  if (status !== 0) process.exit(status ?? 1)
}

run("changeset", "version")
run(process.execPath, "scripts/release/changelogs.mjs")
run("pnpm", "install", "--lockfile-only")
run("oxfmt")
if (!process.argv.includes("--only")) {
  run(process.execPath, "scripts/release/api.mjs", "--release")
  run(process.execPath, "scripts/release/fixtures.mjs")
}
