// Checks that a changeset that names a library names every app that bundles it: a bin is one file with its own copy
// of the libraries, so users of the app would not get the change otherwise.
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { publishedOf } from "./workspace.mjs"

const root = resolve(process.argv[2] ?? join(import.meta.dirname, ".."))
const bundlesOf = ({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies })
const published = publishedOf(root).map(({ manifest }) => manifest)
const apps = published.filter(({ bin }) => bin !== undefined)

const folder = join(root, ".changeset")
const files = readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "README.md")
const complaints = files.flatMap((file) => {
  const [, front] = /^---\n([\s\S]*?)\n?---/.exec(readFileSync(join(folder, file), "utf8")) ?? [null, ""]
  const named = Array.from(front.matchAll(/^["']?([^"'\n]+?)["']?: *(?:major|minor|patch) *$/gm), ([, name]) => name)
  const unknown = named.filter((name) => published.every((manifest) => manifest.name !== name))
  const missing = named.flatMap((library) =>
    apps
      .filter((app) => bundlesOf(app).includes(library) && !named.includes(app.name))
      .map((app) => `names ${library} and not ${app.name}, which bundles it`)
  )
  return [...unknown.map((name) => `names ${name}, which is not released`), ...missing].map(
    (complaint) => `.changeset/${file} ${complaint}`
  )
})

for (const complaint of complaints) console.error(complaint)
console.log(`${files.length} changesets, ${complaints.length} complaints`)
process.exitCode = complaints.length === 0 ? 0 : 1
