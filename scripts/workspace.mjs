// Lists the packages of this workspace from pnpm-workspace.yaml.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Every package as `{ dir, manifest }`, `dir` relative to `root`. */
export const packagesOf = (root) => {
  const [, list] = /^packages:\n((?: +- .*\n)+)/m.exec(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))
  const patterns = Array.from(list.matchAll(/- (.+)/g), ([, pattern]) => pattern)
  const expand = (parent) => (existsSync(join(root, parent)) ? readdirSync(join(root, parent)).toSorted() : [])
  return patterns
    .flatMap((pattern) =>
      pattern.endsWith("/*") ? expand(pattern.slice(0, -2)).map((name) => `${pattern.slice(0, -2)}/${name}`) : [pattern]
    )
    .filter((dir) => existsSync(join(root, dir, "package.json")))
    .map((dir) => ({ dir, manifest: JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8")) }))
}

/** The packages that are released. */
export const publishedOf = (root) => packagesOf(root).filter(({ manifest }) => manifest.private !== true)
