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

/** A changeset that names packages with a size. */
const changeset = (names: ReadonlyArray<string>, size = "minor", text = "The change.") =>
  `---\n${names.map((name) => `"@mfgdata/${name}": ${size}\n`).join("")}---\n\n${text}\n`

const check = (...changesets: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const files = changesets.map((text, index) => [`.changeset/brave-fox-${index}.md`, text])
    const folder = yield* Tree.make({ ...workspace, ...Object.fromEntries(files) })
    return yield* Program.node(["scripts/release/check-changesets.mjs", folder])
  })

describe("check-changesets", () => {
  it.scoped.each([
    ["none", []],
    ["an app", [changeset(["cli"])]],
    ["a library and the app that bundles it", [changeset(["client", "cli"])]],
    [
      "a library, and its apps in a changeset of their own",
      [changeset(["domain"]), changeset(["cli", "mock"], "patch")]
    ]
  ] as const)("accepts %s", ([, changesets]) =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check(...changesets)
      assert.deepStrictEqual([code, stderr], [0, ""])
    })
  )

  it.scoped.each([
    [changeset(["client"]), `names @mfgdata/client, and no changeset names @mfgdata/cli, which bundles it`],
    [changeset(["domain", "cli"]), `names @mfgdata/domain, and no changeset names @mfgdata/mock, which bundles it`],
    [changeset(["demo"]), "names @mfgdata/demo, which is not released: expected one of @mfgdata/"],
    [changeset([]), `names no package: expected a line such as "@mfgdata/`],
    ["The change.\n", `has no front matter: expected a line such as "@mfgdata/`],
    [`---\n@mfgdata/cli minor\n---\n\nThe change.\n`, `has the line "@mfgdata/cli minor": expected a line such as`],
    [changeset(["cli"], "large"), "has the size large for @mfgdata/cli: expected major, minor or patch"],
    [changeset(["cli"], "minor", ""), "has no text: expected a sentence"]
  ] as const)("refuses %j", ([text, complaint]) =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check(text)
      assert.strictEqual(code, 1)
      assert.include(stderr, `.changeset/brave-fox-0.md ${complaint}`)
    })
  )
})
