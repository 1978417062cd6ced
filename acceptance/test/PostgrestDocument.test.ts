/**
 * Tests that each line of docs/postgrest.md names a test, and that each operator has a line.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Filter from "@mfgdata/domain/Filter"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../src/Program.ts"

const document = readFileSync(join(root, "docs/postgrest.md"), "utf8")

const [, features = ""] = document.split("## Features\n")
const rowsOf = (text: string) => text.split("\n").filter((line) => /^\| (?!PostgREST|-)/.test(line))
const rows = rowsOf(features)
const row = /^\| (?<feature>.+?) +\| (?<here>.+?) +\| \[[\w.]+\]\(\.\.\/(?<file>[^)]+)\): `(?<title>.+)` +\|$/

describe("docs/postgrest.md", () => {
  it("names every filter operator", () => {
    const code = rows.flatMap((line) =>
      Array.from(line.matchAll(/`([^`]+)`/g), ([, text = ""]) => text.split(/[^a-z]+/)).flat()
    )
    assert.includeMembers(code, [...Filter.operators, ...Filter.searchOperators])
  })

  it("lists the differences in one table", () => {
    const [, section = ""] = /### Differences\n([^]*?)\n### /.exec(features) ?? []
    assert.deepStrictEqual(
      rows.filter((line) => line.includes("| deviates")),
      rowsOf(section)
    )
    assert.isAbove(rowsOf(section).length, 10)
  })

  it("names the state of each feature, and a test of it", () => {
    assert.isAbove(rows.length, 50)
    for (const line of rows) {
      const { feature = "", file = "", here = "", title = "" } = row.exec(line)?.groups ?? {}
      assert.match(here, /^(supported|deviates|cannot arise)/, line)
      assert.include(readFileSync(join(root, file), "utf8"), title, `the test of ${feature}`)
    }
  })
})
