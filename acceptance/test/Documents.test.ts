/**
 * Every TypeScript example of the documents compiles, runs, and prints what the document says.
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Document from "../src/Document.ts"
import * as Program from "../src/Program.ts"

const documents = ["packages/client/README.md", "packages/domain/README.md"]

const folder = join(Program.root, "acceptance/.documents")
const examples = documents.flatMap((document) =>
  Document.examples(document).map((example) => ({
    ...example,
    title: `${document}:${example.line}`,
    file: join(folder, `${document.replaceAll(/\W/g, "-")}-${example.line}.ts`)
  }))
)

const settings = {
  extends: "../../tsconfig.base.json",
  include: ["*.ts"],
  compilerOptions: { composite: false, incremental: false, declarationMap: false, declaration: false, noEmit: true }
}

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings))
  for (const { code, file } of examples) writeFileSync(file, `${code}export {}\n`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("documents", () => {
  it.effect(
    "compile",
    () =>
      Effect.gen(function* () {
        const tsc = join(Program.root, "node_modules/typescript/bin/tsc")
        assert.deepStrictEqual(yield* Program.node([tsc, "-p", folder]), { code: 0, stdout: "", stderr: "" })
      }),
    120_000
  )

  it.each(examples.filter(({ prints }) => prints !== undefined))(
    "$title prints what it says",
    async ({ file, prints }) => {
      const lines: Array<string> = []
      const log = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)))
      try {
        await import(file)
      } finally {
        log.mockRestore()
      }
      assert.strictEqual(`${lines.join("\n")}\n`, prints)
    }
  )
})
