/**
 * What the document on PostgREST says of each feature is shown by the test that it names.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../src/Program.ts"

const document = readFileSync(join(root, "docs/postgrest.md"), "utf8")

const rows = document.split("\n").filter((line) => /^\| (?!PostgREST|-)/.test(line))
const row = /^\| (?<feature>.+?) +\| (?<here>.+?) +\| \[[\w.]+\]\(\.\.\/(?<file>[^)]+)\): `(?<title>.+)` +\|$/

describe("docs/postgrest.md", () => {
  it("says of each feature whether it is there, and where that is shown", () => {
    assert.isAbove(rows.length, 50)
    for (const line of rows) {
      const { feature = "", file = "", here = "", title = "" } = row.exec(line)?.groups ?? {}
      assert.match(here, /^(supported|deviates|cannot arise)/, line)
      assert.include(readFileSync(join(root, file), "utf8"), title, `the test of ${feature}`)
    }
  })
})
