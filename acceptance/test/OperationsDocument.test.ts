/**
 * Sends every request of docs/operations.md, in order, and compares the response with the document.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Operations from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../src/Program.ts"
import * as BuiltService from "../src/BuiltService.ts"

const document = readFileSync(join(Program.root, "docs/operations.md"), "utf8")

const blocks = Array.from(document.matchAll(/^```(sh|json)\n([\s\S]*?)^```$/gm), ([, language, text = ""]) => ({
  language,
  text
}))

const requests = blocks.flatMap(({ text }, index) => {
  const next = blocks[index + 1]
  return text.startsWith("curl") ? [{ text, answer: next?.language === "json" ? next.text : undefined }] : []
})

const hasCurl = spawnSync("curl", ["--version"]).status === 0

describe("docs/operations.md", () => {
  it("has a request of every operation", () => {
    const asked = requests.flatMap(({ text }) => /\/account\/(\w+)/.exec(text)?.[1] ?? [])
    assert.sameMembers(
      Array.from(new Set(asked)),
      Operations.all.map(({ name }) => name)
    )
  })

  it.scoped.skipIf(!hasCurl)(
    `is answered as it shows${hasCurl ? "" : " (there is no curl here to ask with)"}`,
    () =>
      Effect.gen(function* () {
        const { key, origin } = yield* BuiltService.serve("sqlite::memory:")
        const env = { MFG_BASE_URL: `${origin}/api/v1`, MFG_API_KEY: key }
        for (const { answer, text } of requests) {
          const { code, stdout } = yield* Program.run("sh", ["-c", text], { env })
          assert.strictEqual(code, 0, text)
          const value: unknown = JSON.parse(stdout)
          if (answer !== undefined) assert.deepStrictEqual(value, JSON.parse(answer), text)
        }
      }),
    300_000
  )
})
