/**
 * Compares docs/security.md with the declarations that it shows, and checks that the tests it names exist.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Right from "@mfgdata/domain/Right"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../src/Program.ts"

const document = readFileSync(join(Program.root, "docs/security.md"), "utf8")

/** The cells of the rows of all tables, without their padding. */
const rowsOf = (markdown: string): ReadonlyArray<string> =>
  markdown.split("\n").flatMap((line) => {
    if (!line.startsWith("|") || line.startsWith("| -")) return []
    return [
      line
        .split("|")
        .map((cell) => cell.trim())
        .join("|")
    ]
  })

describe("docs/security.md", () => {
  it("shows the whole table of rights", () => {
    assert.includeMembers([...rowsOf(document)], [...rowsOf(Right.markdown)])
  })

  it("names tests that exist", () => {
    const files = Array.from(document.matchAll(/\]\(\.\.\/([^)]+)\)/g), ([, file = ""]) => file)
    assert.isNotEmpty(files)
    for (const file of files) assert.isTrue(existsSync(join(Program.root, file)), file)
  })
})
