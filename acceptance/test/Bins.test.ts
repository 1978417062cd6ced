import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"

/** The bundled file. */
class File extends Context.Tag("File")<File, string>() {}

const run = (...args: ReadonlyArray<string>) => Effect.flatMap(File, (file) => Program.node([file, ...args]))

describe.each([
  ["mfg", "cli"],
  ["mfg-mock", "mock"]
])("%s", (name, app) => {
  it.layer(Layer.scoped(File, Bin.bundle(app)))((it) => {
    it.effect("--version writes the package's version", () =>
      Effect.gen(function* () {
        const { version } = JSON.parse(readFileSync(join(Program.root, "apps", app, "package.json"), "utf8"))
        const { code, stdout, stderr } = yield* run("--version")
        assert.deepStrictEqual({ code, stdout: stdout.trim(), stderr }, { code: 0, stdout: version, stderr: "" })
      })
    )

    it.effect("--help names the program and its commands", () =>
      Effect.gen(function* () {
        const { code, stdout } = yield* run("--help")
        assert.strictEqual(code, 0)
        assert.include(stdout, `$ ${name}`)
        assert.include(stdout, "COMMANDS")
      })
    )

    it.effect("refuses an unknown command on standard error", () =>
      Effect.gen(function* () {
        const { code, stdout, stderr } = yield* run("surprise")
        assert.notStrictEqual(code, 0)
        assert.strictEqual(stdout, "")
        assert.match(stderr, new RegExp(`^${name}: Unknown command ${name} surprise`))
      })
    )

    it.effect("is an executable file", () =>
      Effect.gen(function* () {
        const file = yield* File
        assert.match(readFileSync(file, "utf8"), /^#!\/usr\/bin\/env node\n/)
        assert.strictEqual(statSync(file).mode & 0o777, 0o755)
      })
    )
  })
})

describe("mfg describe", () => {
  it.layer(Layer.scoped(File, Bin.bundle("cli")))((it) => {
    it.effect("writes rows to a pipe, and refuses in one paragraph with exit code 2", () =>
      Effect.gen(function* () {
        const { code, stdout } = yield* run("describe", "fulfillment")
        assert.strictEqual(code, 0)
        assert.include(stdout, `"references":"salesOrderLine.id"`)
        const refused = yield* run("describe", "nothing")
        assert.strictEqual(refused.code, 2)
        assert.strictEqual(refused.stdout, "")
        assert.match(refused.stderr.trim(), /^mfg: Unknown resource nothing\. The resources are [^\n]+$/)
      })
    )
  })
})
