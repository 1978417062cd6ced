import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../src/Program.ts"

/** The documents that name files, each with the folders that their paths are relative to. */
const documents: ReadonlyArray<readonly [path: string, folders: ReadonlyArray<string>]> = [
  ["docs/architecture.md", [".", "apps/mock/src"]],
  ["CONTRIBUTING.md", [".", "packages/domain/src"]]
]

/** Paths of code: `folder/File.ts`, and `File.ts` in backticks. Those with `<` or `*` are patterns. */
const path = /(?<![\w<*/.-])(?:[\w.-]+\/)+[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs)\b|(?<=`)[\w-]+\.(?:ts|mjs)(?=`)/g

describe("files that documents name", () => {
  it.each(documents)("exist: %s", (document, folders) => {
    const text = readFileSync(join(Program.root, document), "utf8")
    const named = [...new Set(Array.from(text.matchAll(path), ([name]) => name))]
    assert.isNotEmpty(named)
    assert.deepStrictEqual(
      named.filter((name) => !folders.some((folder) => existsSync(join(Program.root, folder, name)))),
      []
    )
  })
})
