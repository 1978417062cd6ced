import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cpSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

describe.skipIf(process.platform === "win32")(".ci/run", () => {
  it.scoped.each([
    ["everything passes", `console.log("3 passed, 0 failed")`, 0, "3 passed, 0 failed"],
    ["something fails", `console.log("2 passed, 1 failed"); process.exit(1)`, 1, "2 passed, 1 failed"],
    ["the set-up fails", `console.error("No room."); process.exit(1)`, 1, "0 passed, 1 failed"],
    ["nothing was counted", "", 1, "0 passed, 1 failed"]
  ] as const)("counts on its last line when %s", ([, program, code, last]) =>
    Effect.gen(function* () {
      const test = "node test.mjs"
      const folder = yield* Tree.make({ "package.json": JSON.stringify({ scripts: { test } }), "test.mjs": program })
      cpSync(join(Program.root, ".ci"), join(folder, ".ci"), { recursive: true })
      const ended = yield* Program.run(join(folder, ".ci/run"), [], { cwd: "/" })
      assert.strictEqual(ended.code, code)
      assert.strictEqual(ended.stdout.trimEnd().split("\n").at(-1), last)
    })
  )
})
