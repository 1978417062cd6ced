import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

const exports = {
  ".": { types: "./dist/index.d.ts" },
  "./internal/*": null,
  "./*": { types: "./dist/*.d.ts" }
}

const query = [
  "/** Compares a value. */",
  "export declare const eq: (value: string) => Condition;",
  "export declare const gte: (value: string) => Condition;",
  `import type { Grammar } from "./internal/Grammar.ts";`,
  "export interface Condition {",
  "    /** The operator. */",
  "    readonly operator: Grammar;",
  "}",
  ""
].join("\n")

const manifest = (version: string) => JSON.stringify({ name: "@mfgdata/domain", version, exports })

/** A workspace with one library, which was released with `version`. */
const library = (version: string) =>
  Effect.gen(function* () {
    const folder = yield* Tree.make({
      "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
      "packages/domain/package.json": manifest(version),
      "packages/domain/dist/index.d.ts": `export * as Query from "./Query.ts";\n`,
      "packages/domain/dist/Query.d.ts": query,
      "packages/domain/dist/internal/Grammar.d.ts": `export type Grammar = "eq" | "gte";\nexport type Unused = 1;\n`
    })
    yield* Program.node(["scripts/release/check-api.mjs", "--release", folder])
    const file = (path: string) => join(folder, path)
    return {
      file,
      replace: (path: string, from: string, to: string) =>
        writeFileSync(file(path), readFileSync(file(path), "utf8").replace(from, to)),
      announce: (size: string) =>
        Tree.write(folder, { ".changeset/fox.md": `---\n"@mfgdata/domain": ${size}\n---\n\nThe change.\n` }),
      check: Program.node(["scripts/release/check-api.mjs", folder]),
      update: Program.node(["scripts/release/check-api.mjs", "--update", folder])
    }
  })

const built = "packages/domain/dist/Query.d.ts"
const report = "packages/domain/api/domain.api.md"

describe("check-api", () => {
  it.scoped("reports each public entry, and what its types use, without comments", () =>
    Effect.gen(function* () {
      const { check, file } = yield* library("1.0.0")
      assert.deepStrictEqual(yield* check, { code: 0, stdout: "1 libraries, 0 complaints\n", stderr: "" })
      const text = readFileSync(file(report), "utf8")
      assert.deepStrictEqual(text.match(/^## .*/gm), [
        "## @mfgdata/domain",
        "## @mfgdata/domain/Query",
        "## @mfgdata/domain/internal/Grammar (not exported)"
      ])
      assert.include(text, "export declare const gte")
      assert.notInclude(text, "Compares a value")
      assert.notInclude(text, "Unused")
    })
  )

  it.scoped("refuses a report that is not that of the build, with the export and the command", () =>
    Effect.gen(function* () {
      const { check, replace, update } = yield* library("0.0.0")
      replace(built, "gte:", "gt:")
      const { code, stderr } = yield* check
      assert.strictEqual(code, 1)
      assert.include(stderr, `@mfgdata/domain/Query: gte is removed, and ${report} does not show it: npm run api\n`)
      assert.include(stderr, `@mfgdata/domain/Query: gt is added, and ${report} does not show it: npm run api\n`)
      yield* update
      const { stderr: after } = yield* check
      assert.notInclude(after, "npm run api")
    })
  )

  const since = "expected a changeset with"
  const cases = [
    ["a removed export", "export declare const gte: (value: string) => Condition;\n", "", "gte is removed", "major"],
    ["a changed export", "gte: (value: string)", "gte: (value: number)", "gte is changed", "major"],
    ["an added export", "export declare", "export declare const lt: number;\nexport declare", "lt is added", "minor"],
    [
      "a member more",
      "    readonly operator",
      "    readonly negated: boolean;\n    readonly operator",
      "Condition is extended",
      "minor"
    ],
    ["a member less", "    readonly operator: Grammar;\n", "", "Condition is changed", "major"]
  ] as const

  for (const [title, from, to, change, size] of cases) {
    const early = change.startsWith("gte is removed") || change.startsWith("lt") ? ["0.2.0"] : []
    for (const version of ["1.2.0", ...early]) {
      const expected = version === "1.2.0" ? size : size === "major" ? "minor" : "patch"
      it.scoped(`expects a changeset of the size ${expected} for ${title} after ${version}`, () =>
        Effect.gen(function* () {
          const { announce, check, replace, update } = yield* library(version)
          replace(built, from, to)
          yield* update
          const { code, stderr } = yield* check
          assert.strictEqual(code, 1)
          assert.include(
            stderr,
            `@mfgdata/domain/Query: ${change} since ${version}: ${since} "@mfgdata/domain": ${expected}`
          )
          announce(expected)
          assert.deepStrictEqual((yield* check).code, 0)
        })
      )
    }
  }

  it.scoped("expects a patch for a change of a type that is not exported", () =>
    Effect.gen(function* () {
      const { check, replace, update } = yield* library("1.0.0")
      replace("packages/domain/dist/internal/Grammar.d.ts", `"gte"`, `"lte"`)
      yield* update
      assert.include((yield* check).stderr, `Grammar is changed since 1.0.0: ${since} "@mfgdata/domain": patch`)
    })
  )

  it.scoped("refuses a released library without the report of its release", () =>
    Effect.gen(function* () {
      const { check, file } = yield* library("1.0.0")
      const released = "packages/domain/api/domain.released.api.md"
      assert.isTrue(existsSync(file(released)))
      rmSync(file(released))
      const { code, stderr } = yield* check
      assert.strictEqual(code, 1)
      assert.include(stderr, `${released} is missing, the types of @mfgdata/domain 1.0.0: restore it`)
    })
  )
})
