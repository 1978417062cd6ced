/**
 * Checks that the commands of the document on damaged stores exit as it says, in order.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Database from "libsql"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const document = readFileSync(join(Program.root, "docs/damage.md"), "utf8")

const commands = Array.from(document.matchAll(/^mfg-mock (.*?) +# exits with (\d)/gm), ([, args = "", code]) => ({
  args,
  code: Number(code)
}))

describe("docs/damage.md", () => {
  it.scoped(
    "shows commands that exit as it says",
    () =>
      Effect.gen(function* () {
        const mock = yield* Bin.bundle("mock")
        const cwd = yield* Tree.make({})
        const { end } = yield* Program.start([mock, "serve", "--port", "0"], /Try:/, { cwd })
        assert.strictEqual(yield* end("SIGTERM"), 0)
        const database = new Database(join(cwd, ".mfgdata/mock.db"))
        database.exec(`UPDATE "holiday" SET "name" = CAST(X'61ff' AS TEXT) WHERE rowid = 1`)
        database.close()
        const codes: Array<unknown> = []
        for (const { args } of commands) {
          const { code } = yield* Program.node([mock, ...args.split(" ")], { cwd })
          codes.push({ args, code })
        }
        assert.deepStrictEqual(codes, commands)
        assert.isAbove(commands.length, 3)
      }),
    300_000
  )
})
