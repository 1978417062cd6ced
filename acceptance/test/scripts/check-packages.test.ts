import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

const manifest = (fields: object) =>
  JSON.stringify({
    name: "@mfgdata/domain",
    version: "1.0.0",
    files: ["src", "dist", "CHANGELOG.md"],
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./*": { default: "./dist/*.js" } },
    ...fields
  })

const complete = {
  "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
  "packages/domain/package.json": manifest({}),
  "packages/domain/README.md": "# Domain\n",
  "packages/domain/CHANGELOG.md": "# Changes\n",
  "packages/domain/LICENSE": "UNLICENSED\n",
  "packages/domain/src/index.ts": "export {}\n",
  "packages/domain/dist/index.js": "export {}\n",
  "packages/domain/dist/index.js.map": "{}",
  "packages/domain/dist/index.d.ts": "export {}\n",
  "packages/domain/dist/index.d.ts.map": "{}"
}

/** Checks the files of a workspace with one package, with and without some files. */
const check = (added: Readonly<Record<string, string>>, removed?: string) =>
  Effect.gen(function* () {
    const files = Object.entries({ ...complete, ...added }).filter(([path]) => path !== `packages/domain/${removed}`)
    const folder = yield* Tree.make(Object.fromEntries(files))
    return yield* Program.node(["scripts/release/check-packages.mjs", "--files", folder])
  })

describe("check-packages", () => {
  it.scoped("accepts a package with its texts, types and source maps", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check({})
      assert.deepStrictEqual([code, stderr], [0, ""])
    })
  )

  it.scoped.each(["README.md", "CHANGELOG.md", "LICENSE", "dist/index.d.ts", "dist/index.js.map"])(
    "refuses a package without %s",
    (file) =>
      Effect.gen(function* () {
        const { code, stderr } = yield* check({}, file)
        assert.strictEqual(code, 1)
        assert.include(stderr, `@mfgdata/domain lacks ${file}: add it`)
      })
  )

  it.scoped("refuses a package with another file, and one without an exported module", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check({
        "packages/domain/dist/notes.txt": "notes\n",
        "packages/domain/package.json": manifest({ exports: { "./Query": { default: "./dist/Query.js" } } })
      })
      assert.strictEqual(code, 1)
      assert.include(stderr, "@mfgdata/domain contains dist/notes.txt: leave it out")
      assert.include(stderr, "@mfgdata/domain lacks dist/Query.js: add it")
    })
  )
})
