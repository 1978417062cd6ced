// Reads the changesets of a checkout: the size of the next version that each one asks for, by package, and its text.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The sizes of a version, from the smallest. */
export const sizes = ["none", "patch", "minor", "major"]

const lineOf = /^["']?([^"'\n]+?)["']? *: *(\S+) *$/

/** Each changeset as `{ file, named, text, problem }`; `named` has `{ name, size }` in the order of the file. */
export const changesetsOf = (root) => {
  const folder = join(root, ".changeset")
  const files = existsSync(folder) ? readdirSync(folder) : []
  return files
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .toSorted()
    .map((file) => {
      const matched = /^---\n([\s\S]*?)\n?---(?:\n([\s\S]*))?$/.exec(readFileSync(join(folder, file), "utf8"))
      if (matched === null) return { file, named: [], text: "", problem: "has no front matter" }
      const [, front, text = ""] = matched
      const lines = front.split("\n").filter((line) => line.trim() !== "")
      const bad = lines.find((line) => !lineOf.test(line))
      const named = lines.flatMap((line) => {
        const [, name, size] = lineOf.exec(line) ?? []
        return name === undefined ? [] : [{ name, size }]
      })
      return { file, named, text: text.trim(), ...(bad === undefined ? {} : { problem: `has the line "${bad}"` }) }
    })
}

/** The size of the next version of a package: the largest that a changeset names. */
export const pendingSize = (changesets, name) =>
  changesets
    .flatMap(({ named }) => named.filter((entry) => entry.name === name).map(({ size }) => size))
    .reduce((largest, size) => (sizes.indexOf(size) > sizes.indexOf(largest) ? size : largest), "none")
