/**
 * Runs every command and every recipe of docs/instrument.md against the built service.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as BuiltService from "../src/BuiltService.ts"
import * as Document from "../src/Document.ts"
import * as Program from "../src/Program.ts"
import * as Shell from "../src/Shell.ts"

const blocks = (language: string) => Document.blocks("docs/instrument.md", language)

/** The block of a language that has a text. */
const blockWith = (language: string, text: string): string => {
  const found = blocks(language).find((block) => block.includes(text))
  if (found === undefined) throw new Error(`no block of ${language} has ${text}`)
  return found
}

const adminKey = "mfg_administrator_of_tests"

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "instrument-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const served = Effect.gen(function* () {
  const folder = yield* scratch
  const store = join(folder, "mock.db")
  const { origin } = yield* BuiltService.serve(store, { adminKey, seed: "demo" })
  return { folder, origin, store }
})

const worlds = (origin: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${origin}/_mock/worlds`, { headers: { authorization: `Bearer ${adminKey}` } })
    const list: ReadonlyArray<{ readonly name: string }> = JSON.parse(await response.text())
    return list.map(({ name }) => name)
  })

const has = (command: string, ...args: ReadonlyArray<string>) => spawnSync(command, args).status === 0
const missing = Shell.missing("curl", "jq")
const hasPytest = has("python3", "-c", "import pytest")

describe("docs/instrument.md", () => {
  it.scoped.skipIf(missing.length > 0)(
    `has commands that run unchanged${missing.length === 0 ? "" : ` (there is no ${missing.join(", ")} here)`}`,
    () =>
      Effect.gen(function* () {
        const { origin, store } = yield* served
        const shell = yield* Shell.make
        // The first block starts the service, which runs already.
        const script = blocks("sh")
          .map((block) => block.replaceAll(/^export MFG_MOCK_ADMIN_KEY=.*\n|^mfg-mock serve.*\n/gm, ""))
          .join("\n")
          .replaceAll("http://127.0.0.1:4010", origin)
        const { code, stderr, stdout } = yield* shell.run(script, {
          MFG_MOCK_ADMIN_KEY: adminKey,
          MFG_MOCK_STORE: store
        })
        assert.strictEqual(code, 0, `${stdout}\n${stderr}`)
        assert.include(stdout, '"Only here"')
        assert.deepStrictEqual(yield* worlds(origin), ["main", "checkout-1", "bug-4711", "copy-1"])
      }),
    300_000
  )

  it.scoped(
    "has a recipe for vitest that gives each test a world",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* served
        // Vitest resolves from the folder of the test.
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(Program.root, "acceptance/.instrument-"))),
          (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
        )
        // The tests of this repository lie in such a folder, and its configuration applies.
        mkdirSync(join(folder, "test"))
        writeFileSync(join(folder, "test/recipe.test.ts"), blockWith("ts", `from "vitest"`))
        const vitest = join(Program.root, "node_modules/vitest/vitest.mjs")
        const { code, stderr, stdout } = yield* Program.node([vitest, "run", "--root", folder], {
          cwd: folder,
          env: { MFG_URL: origin, MFG_MOCK_ADMIN_KEY: adminKey }
        })
        assert.strictEqual(code, 0, `${stdout}\n${stderr}`)
        assert.include(stdout, "2 passed")
        assert.deepStrictEqual(yield* worlds(origin), ["main"])
      }),
    300_000
  )

  it.scoped(
    "has a recipe for Playwright whose fixture makes and deletes a world",
    () =>
      Effect.gen(function* () {
        const { folder, origin } = yield* served
        // The fixture alone, because Playwright needs browsers. Types are not part of it.
        const fixture = blockWith("ts", "@playwright/test")
          .replace(/^import .*\n/m, "const base = { extend: (fixtures) => fixtures }\n")
          .replace(/^type World.*\n/m, "")
          .replace("<{ world: World }>", "")
          .replace("const world: World", "const world")
        const main = `await test.world({}, async ({ key, restUrl }) => {
          const response = await fetch(restUrl + "/holiday", { headers: { authorization: "Bearer " + key } })
          console.log(response.status)
        })`
        writeFileSync(join(folder, "fixture.mjs"), `${fixture}\n${main}\n`)
        const { code, stderr, stdout } = yield* Program.node([join(folder, "fixture.mjs")], {
          env: { MFG_URL: origin, MFG_MOCK_ADMIN_KEY: adminKey }
        })
        assert.strictEqual(code, 0, stderr)
        assert.strictEqual(stdout, "200\n")
        assert.deepStrictEqual(yield* worlds(origin), ["main"])
      }),
    300_000
  )

  it.scoped.skipIf(!hasPytest)(
    `has a recipe for pytest that gives each test a world${hasPytest ? "" : " (there is no pytest here to run it with)"}`,
    () =>
      Effect.gen(function* () {
        const { folder, origin } = yield* served
        writeFileSync(join(folder, "test_recipe.py"), blockWith("python", "import pytest"))
        const { code, stderr, stdout } = yield* Program.run("python3", ["-m", "pytest", "-q", "test_recipe.py"], {
          cwd: folder,
          env: { PATH: process.env["PATH"] ?? "", MFG_URL: origin, MFG_MOCK_ADMIN_KEY: adminKey }
        })
        assert.strictEqual(code, 0, `${stdout}\n${stderr}`)
        assert.include(stdout, "2 passed")
        assert.deepStrictEqual(yield* worlds(origin), ["main"])
      }),
    300_000
  )
})
