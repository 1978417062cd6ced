import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cpSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

/** Makes a script read another version of Node. */
const pretending = (version: string) => {
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`
  const program = `Object.defineProperty(process, "versions", { value: ${versions} })`
  return ["--import", `data:text/javascript,${encodeURIComponent(program)}`]
}

/** Copies the scripts without the rest of the checkout. */
const alone = Effect.tap(Tree.make({}), (folder) =>
  Effect.sync(() => {
    for (const path of ["scripts", "package.json"]) {
      cpSync(join(Program.root, path), join(folder, path), { recursive: true })
    }
  })
)

describe.each(["start", "test"])("npm %s", (name) => {
  const script = `scripts/${name}.mjs`

  it.effect.each(["9.11.2", "20.18.3"])("refuses Node %s", (version) =>
    Effect.gen(function* () {
      const ended = yield* Program.node([...pretending(version), script])
      const sentence = `This needs Node 20.19.0 or later, and ${process.execPath} is Node ${version}.\n`
      assert.deepStrictEqual(ended, { code: 1, stdout: "", stderr: sentence })
    })
  )

  it.scoped.each(["20.19.0", "22.0.0"])("accepts Node %s, and requires a lockfile", (version) =>
    Effect.gen(function* () {
      const ended = yield* Program.node([...pretending(version), script], { cwd: yield* alone })
      const sentence = "pnpm-lock.yaml is missing: get it back with `git checkout pnpm-lock.yaml`.\n"
      assert.deepStrictEqual(ended, { code: 1, stdout: "", stderr: sentence })
    })
  )
})

describe("npm test", () => {
  it.effect("refuses an unknown check", () =>
    Effect.gen(function* () {
      const { code, stdout, stderr } = yield* Program.node(["scripts/test.mjs", "lint", "spelling"])
      assert.deepStrictEqual({ code, stdout }, { code: 2, stdout: "" })
      assert.match(stderr, /^Unknown check "spelling": expected one of build, [a-z, ]+\.\n$/)
    })
  )
})

describe("npm run", () => {
  it.effect.each([
    ["bench", [], /^Name a bench\. Expected one of (?:[a-z]+(?:, )?)+\.\n$/],
    ["bench", ["nothing"], /^Unknown bench "nothing"\. Expected one of (?:[a-z]+(?:, )?)+\.\n$/],
    ["torture", ["nothing"], /^Unknown torture "nothing"\. Expected one of .+\.\n$/]
  ] as const)("lists the programs for %s %j", ([kind, args, sentence]) =>
    Effect.gen(function* () {
      const { code, stdout, stderr } = yield* Program.node(["scripts/run.mjs", kind, ...args])
      assert.deepStrictEqual({ code, stdout }, { code: 2, stdout: "" })
      assert.match(stderr, sentence)
    })
  )
})
