/**
 * Compares docs/security.md with the declarations that it shows, and checks that the tests it names exist.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Right from "@mfgdata/domain/Right"
import { execFileSync } from "node:child_process"
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

  it("names every key that the documents show", () => {
    const documents = execFileSync("git", ["ls-files", "docs/*.md", "*README.md"], {
      cwd: Program.root,
      encoding: "utf8"
    })
    const shown = documents
      .trim()
      .split("\n")
      .flatMap((path) => readFileSync(join(Program.root, path), "utf8").match(/mfg_local_\w+/g) ?? [])
    const [, list = ""] = /The keys of this documentation \(([^)]+)\)/.exec(document) ?? []
    assert.sameMembers(list.match(/\w+/g) ?? [], [...new Set(shown)])
  })

  it("names tests that exist", () => {
    const files = Array.from(document.matchAll(/\]\(\.\.\/([^)]+)\)/g), ([, file = ""]) => file)
    assert.isNotEmpty(files)
    for (const file of files) assert.isTrue(existsSync(join(Program.root, file)), file)
  })
})
