import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

const workspace = {
  "pnpm-workspace.yaml": "packages:\n  - packages/*\n  - apps/*\n",
  "packages/domain/package.json": `{ "name": "@mfgdata/domain" }`,
  "packages/client/package.json": `{ "name": "@mfgdata/client", "dependencies": { "@mfgdata/domain": "1" } }`,
  "apps/cli/package.json": `{ "name": "@mfgdata/cli", "bin": {}, "devDependencies": { "@mfgdata/client": "1", "@mfgdata/domain": "1" } }`,
  "apps/mock/package.json": `{ "name": "@mfgdata/mock", "bin": {}, "dependencies": { "@mfgdata/domain": "1" } }`,
  "apps/demo/package.json": `{ "name": "@mfgdata/demo", "private": true, "devDependencies": { "@mfgdata/domain": "1" } }`
}

const check = (...named: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const front = named.map((name) => `"@mfgdata/${name}": minor\n`).join("")
    const folder = yield* Tree.make({ ...workspace, ".changeset/brave-fox.md": `---\n${front}---\n\nWhat changed.\n` })
    return yield* Program.node(["scripts/check-changesets.mjs", folder])
  })

describe("check-changesets", () => {
  it.scoped.each([
    [[], ""],
    [["cli"], ""],
    [["client", "cli"], ""],
    [["domain", "cli", "mock"], ""],
    [["client"], "names @mfgdata/client and not @mfgdata/cli, which bundles it"],
    [["domain", "cli"], "names @mfgdata/domain and not @mfgdata/mock, which bundles it"],
    [["domain", "client", "mock"], "names @mfgdata/domain and not @mfgdata/cli, which bundles it"],
    [["demo"], "names @mfgdata/demo, which is not released"]
  ] as const)("a changeset of %j", ([named, complaint]) =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check(...named)
      assert.strictEqual(code, complaint === "" ? 0 : 1)
      assert.include(stderr, complaint === "" ? "" : `.changeset/brave-fox.md ${complaint}\n`)
    })
  )
})
