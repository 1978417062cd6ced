// Checks that the report of each library's types is that of the build, and that a changeset announces each change since
// the last release. `--update` writes the reports, and `--release` those of a release too.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { compare, make, pathsOf } from "./api-report.mjs"
import { changesetsOf, pendingSize, sizes } from "./changesets.mjs"
import { publishedOf } from "../workspace.mjs"

const args = process.argv.slice(2)
const isRelease = args.includes("--release")
const isUpdate = isRelease || args.includes("--update")
const root = resolve(args.find((arg) => !arg.startsWith("--")) ?? join(import.meta.dirname, "../.."))
const libraries = publishedOf(root).filter(({ manifest }) => manifest.exports !== undefined)
const changesets = changesetsOf(root)
const place = (path) => relative(root, path)

const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Before 1.0.0 a minor version may break, and a patch may add. */
const needed = (size, version) => (version.startsWith("0.") ? ({ major: "minor", minor: "patch" }[size] ?? size) : size)

const complaintsOf = ({ dir, manifest }) => {
  const { name, version } = manifest
  const { current, released } = pathsOf(join(root, dir), manifest)
  const built = make(join(root, dir), manifest)
  if (isUpdate) write(current, built)
  if (isRelease) write(released, built)
  const committed = existsSync(current) ? readFileSync(current, "utf8") : ""
  const stale = compare(committed, built).map(
    ({ change, entry, name }) => `${entry}: ${name} is ${change}, and ${place(current)} does not show it: npm run api`
  )
  if (stale.length === 0 && committed !== built) stale.push(`${place(current)} differs from the build: npm run api`)
  if (!existsSync(released)) {
    const missing = `${place(released)} is missing, the types of ${name} ${version}: restore it, or make it with npm run api -- --release`
    return version === "0.0.0" ? stale : [...stale, missing]
  }
  const pending = pendingSize(changesets, name)
  const small = compare(readFileSync(released, "utf8"), built)
    .map((difference) => ({ ...difference, size: needed(difference.size, version) }))
    .filter(({ size }) => sizes.indexOf(size) > sizes.indexOf(pending))
    .map(
      ({ change, entry, name: exported, size }) =>
        `${entry}: ${exported} is ${change} since ${version}: expected a changeset with "${name}": ${size}, found ${pending}: npm run changeset`
    )
  return [...stale, ...small]
}

const complaints = libraries.flatMap(complaintsOf)
for (const complaint of complaints.slice(0, 40)) console.error(complaint)
console.log(`${libraries.length} libraries, ${complaints.length} complaints`)
process.exitCode = complaints.length === 0 ? 0 : 1
