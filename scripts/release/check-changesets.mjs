// Checks that each changeset names released packages with a size and has a text, and that the changesets that name a
// library are released with every app that bundles it: a bin is one file with its own copy of the libraries, so users
// of the app would not get the change otherwise.
import { join, resolve } from "node:path"
import { changesetsOf, sizes } from "./changesets.mjs"
import { publishedOf } from "../workspace.mjs"

const root = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."))
const bundlesOf = ({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies })
const published = publishedOf(root).map(({ manifest }) => manifest)
const apps = published.filter(({ bin }) => bin !== undefined)
const expected = `expected a line such as "${published[0]?.name}": minor`

const changesets = changesetsOf(root)
const all = new Set(changesets.flatMap(({ named }) => named.map(({ name }) => name)))

const names = `one of ${published.map(({ name }) => name).join(", ")}`

const complaintsOf = ({ named, problem, text }) => {
  if (problem !== undefined) return [`${problem}: ${expected}`]
  if (named.length === 0) return [`names no package: ${expected}`]
  const unknown = named.filter(({ name }) => published.every((manifest) => manifest.name !== name))
  const wrong = named.filter(({ size }) => !sizes.slice(1).includes(size))
  const missing = named.flatMap(({ name }) =>
    apps
      .filter((app) => bundlesOf(app).includes(name) && !all.has(app.name))
      .map((app) => `names ${name}, and no changeset names ${app.name}, which bundles it: add "${app.name}": patch`)
  )
  return [
    ...unknown.map(({ name }) => `names ${name}, which is not released: expected ${names}`),
    ...wrong.map(({ name, size }) => `has the size ${size} for ${name}: expected major, minor or patch`),
    ...(text === "" ? ["has no text: expected a sentence for the users of the package"] : []),
    ...missing
  ]
}

const complaints = changesets.flatMap((changeset) =>
  complaintsOf(changeset).map((complaint) => `.changeset/${changeset.file} ${complaint}`)
)
for (const complaint of complaints) console.error(complaint)
console.log(`${changesets.length} changesets, ${complaints.length} complaints`)
process.exitCode = complaints.length === 0 ? 0 : 1
