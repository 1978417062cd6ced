/** Compares the table of settings in docs/storage.md with the settings that the service makes. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")

it("docs/storage.md explains every setting of a store", () => {
  const sources = ["src/store/sqlite/SqliteDriver.ts", "src/store/sqlite/WriteAheadLog.ts"].map(read).join("\n")
  const made = Array.from(sources.matchAll(/PRAGMA (?:store\.)?(\w+) = /g), ([, name]) => name)
  const explained = Array.from(
    read("../../docs/storage.md").matchAll(/^\| `([a-z_]+)`\s+\| \S+.*\| \S.*\|$/gm),
    ([, name]) => name
  )
  assert.sameMembers([...new Set(explained)], [...new Set(made)])
})
