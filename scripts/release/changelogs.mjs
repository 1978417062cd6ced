// Rewrites the changelogs that changesets has just written: its sizes become the headings that users read, and the first
// version of a package has a sentence on the package and its features.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { publishedOf } from "../workspace.mjs"

const root = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."))
const headings = { Major: "Breaking changes", Minor: "Features", Patch: "Fixes" }

/** The items of each size in the text of a version. */
const itemsOf = (text) =>
  Object.fromEntries(
    Object.keys(headings).map((size) => {
      const [, items = ""] =
        new RegExp(`^### ${size} Changes\\n+([\\s\\S]*?)(?=^### |$(?![\\s\\S]))`, "m").exec(text) ?? []
      return [size, items.trim()]
    })
  )

/** The text of the first version: the items of the size major introduce the package, and nothing is a fix. */
const first = ({ Major, Minor, Patch }) => {
  const introduction = Major.replaceAll(/^- (?:\*\*[^*]+\*\* )?/gm, "").replaceAll(/^ {2}/gm, "")
  const features = `${Minor}\n${Patch}`.split(/^(?=- )/m).map((item) => item.trimEnd())
  const hasTitle = (item) => item.startsWith("- **")
  const sorted = [...features.filter(hasTitle), ...features.filter((item) => !hasTitle(item))]
  return [introduction, `### ${headings.Minor}`, sorted.filter((item) => item.trim() !== "").join("\n")]
}

const later = (items) =>
  Object.entries(headings).flatMap(([size, heading]) => (items[size] === "" ? [] : [`### ${heading}`, items[size]]))

for (const { dir } of publishedOf(root)) {
  const path = join(root, dir, "CHANGELOG.md")
  if (!existsSync(path)) continue
  const [title, latest, ...released] = readFileSync(path, "utf8").split(/^(?=## )/m)
  const [version] = latest.split("\n")
  if (!/^### (?:Major|Minor|Patch) Changes$/m.test(latest)) continue
  const items = itemsOf(latest)
  const text = [version, ...(released.length === 0 ? first(items) : later(items))].filter((part) => part !== "")
  writeFileSync(path, [`${title.trim()}\n\n${text.join("\n\n")}\n`, ...released].join("\n"))
}
