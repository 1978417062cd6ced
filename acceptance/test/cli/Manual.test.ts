/**
 * The manual pages of `mfg`: complete, accepted by a renderer, and with the words of the help.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

class Manual extends Context.Tag("Manual")<Manual, string>() {}

const app = join(Program.root, "apps/cli")

/** The pages of the current sources, in a folder. */
const written = Effect.gen(function* () {
  const folder = yield* Tree.make({})
  const { code, stderr } = yield* Program.node(["../../scripts/manual.mjs", folder], { cwd: app })
  return code === 0 ? folder : yield* Effect.dieMessage(stderr)
})

/** The first renderer of this machine, with arguments that make it report each doubt. */
const renderer = (
  [
    ["mandoc", "-Tlint", "-Wstyle"],
    ["groff", "-man", "-Tutf8", "-ww", "-z"]
  ] as const
).find(([program]) => spawnSync(program, ["--version"]).error === undefined)

describe("the manual pages of mfg", () => {
  it.layer(Layer.scoped(Manual, written))((it) => {
    it.effect(renderer === undefined ? "are files (no renderer here checks them)" : `satisfy ${renderer[0]}`, () =>
      Effect.gen(function* () {
        const folder = yield* Manual
        const files = readdirSync(folder).map((name) => join(folder, name))
        assert.isAbove(files.length, 40)
        if (renderer === undefined) return
        const [program, ...flags] = renderer
        const { stderr, stdout } = yield* Program.run(program, [...flags, ...files])
        // A page has no date, so that the same sources make the same page.
        const doubts = `${stdout}${stderr}`.split("\n").filter((line) => line !== "" && !line.includes("missing date"))
        assert.deepStrictEqual(doubts, [])
      })
    )

    it.effect("are those that the package links, in its archive", () =>
      Effect.gen(function* () {
        const { files, man } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"))
        const names = readdirSync(yield* Manual).map((name) => `./man/${name}`)
        assert.sameMembers(man, names)
        assert.include(files, "man")
      })
    )

    it.effect("include the flags, defaults and examples of the help, and the topics", () =>
      Effect.gen(function* () {
        const folder = yield* Manual
        const plain = (name: string) =>
          readFileSync(join(folder, name), "utf8")
            .replaceAll("\\-", "-")
            .replaceAll("\\(aq", "'")
            .replaceAll("\\fB", "")
        const holiday = plain("mfg-holiday.1")
        assert.include(holiday, '.SH "mfg holiday list"')
        assert.include(holiday, "Maximum number of rows (default 100).")
        assert.include(holiday, "mfg holiday edit <id>... [flags]")
        const own = plain("mfg.1")
        for (const text of [
          "EXIT CODES",
          "matches a pattern with *, ignoring case (ilike)",
          "MFG_API_KEY",
          "--ca <file>"
        ]) {
          assert.include(own, text)
        }
        assert.include(own, ".BR mfg-holiday (1) ,")
        assert.include(plain("mfg-api.1"), ".BR mfg (1)")
      })
    )
  })
})
