// Runs one of the long programs: `npm run bench -- <name>`, `npm run torture -- <name>`. Arguments after the name are
// passed to the program.
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { become, build, compile, refuse, root, setup } from "./setup.mjs"

/** The folders of the programs of each kind, one file each. */
const folders = { bench: "bench/src", torture: "acceptance/torture" }

const [kind, name, ...args] = process.argv.slice(2)
const folder = folders[kind]
const names = (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [])
  .filter((file) => /^[a-z].*\.ts$/.test(file))
  .map((file) => file.slice(0, -".ts".length))
  .toSorted()
if (!names.includes(name)) {
  const missing = name === undefined ? `Name a ${kind}.` : `Unknown ${kind} "${name}".`
  refuse(`${missing} ${names.length === 0 ? "There is none yet." : `Expected one of ${names.join(", ")}.`}`, 2)
}

setup()
build()
const [workspace, ...rest] = folder.split("/")
compile(workspace)
become([join(root, workspace, ".tsbuildinfo/out", ...rest, `${name}.js`), ...args])
