import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

/** The changelog of a package after the script, from the one that changesets writes. */
const rewritten = (changelog: string) =>
  Effect.gen(function* () {
    const folder = yield* Tree.make({
      "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
      "packages/domain/package.json": `{ "name": "@mfgdata/domain" }`,
      "packages/domain/CHANGELOG.md": changelog
    })
    yield* Program.node(["scripts/release/changelogs.mjs", folder])
    return readFileSync(join(folder, "packages/domain/CHANGELOG.md"), "utf8")
  })

/** The line of a changeset. */
const lineOf = (summary: string) =>
  Effect.map(
    Program.node([
      "-p",
      `require("./scripts/release/changelog-lines.cjs").getReleaseLine(${JSON.stringify({ summary })}).then(console.log); ""`
    ]),
    ({ stdout }) => stdout.trim()
  )

describe("changelogs", () => {
  it.effect("begin the line of a changeset with its title, where it has one", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* lineOf("A change.\n"), "- A change.")
      assert.strictEqual(yield* lineOf("A change.\n\nIts reason.\n"), "- A change.\n\n  Its reason.")
      assert.strictEqual(yield* lineOf("Queries\n\nOne text.\n\nAnother.\n"), "- **Queries.** One text.\n\n  Another.")
    })
  )

  it.effect("wrap paragraphs between words and never inside code, and leave lists alone", () =>
    Effect.gen(function* () {
      const words = "word ".repeat(21).trim()
      assert.strictEqual(
        yield* lineOf(`Queries\n\n${words}\n\`--flag\nvalue\` ends.\n\n- One\n- Two\n`),
        `- **Queries.** ${words}\n  \`--flag value\` ends.\n\n  - One\n  - Two`
      )
    })
  )

  it.scoped("introduce the package in its first version, and list features without fixes", () =>
    Effect.gen(function* () {
      const major = "### Major Changes\n\n- **First version.** The contract\n  as schemas.\n"
      const minor = "### Minor Changes\n\n- More.\n- **Queries.** Rows.\n"
      const patch = "### Patch Changes\n\n- Faster.\n"
      assert.strictEqual(
        yield* rewritten(`# @mfgdata/domain\n\n## 1.0.0\n\n${major}\n${minor}\n${patch}`),
        "# @mfgdata/domain\n\n## 1.0.0\n\nThe contract\nas schemas.\n\n### Features\n\n- **Queries.** Rows.\n- More.\n- Faster.\n"
      )
    })
  )

  it.scoped("list breaking changes, features and fixes of a later version, and leave older ones alone", () =>
    Effect.gen(function* () {
      const first = "## 1.0.0\n\nThe contract.\n\n### Features\n\n- Rows.\n"
      const later = "### Major Changes\n\n- Gone.\n\n### Minor Changes\n\n- New.\n\n### Patch Changes\n\n- Mended.\n"
      const expected =
        "# @mfgdata/domain\n\n## 2.0.0\n\n### Breaking changes\n\n- Gone.\n\n### Features\n\n- New.\n\n### Fixes\n\n- Mended.\n\n"
      const text = yield* rewritten(`# @mfgdata/domain\n\n## 2.0.0\n\n${later}\n${first}`)
      assert.strictEqual(text, expected + first)
      assert.strictEqual(yield* rewritten(text), text)
    })
  )
})
