/**
 * Checks that every TypeScript example of the documents compiles, runs, and prints the output that the document
 * shows.
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Document from "../src/Document.ts"
import * as Program from "../src/Program.ts"
import * as BuiltService from "../src/BuiltService.ts"

const documents = [
  "README.md",
  "docs/webhooks.md",
  "docs/guide.md",
  "docs/postgrest.md",
  "docs/fidelity.md",
  "packages/client/README.md",
  "packages/domain/README.md"
]

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

/** The service of the examples, in the variables that they read. */
const served = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { key, origin } = yield* BuiltService.serve("sqlite::memory:", { seed: "demo" })
    const variables = {
      MFG_REST_URL: `${origin}/rest`,
      MFG_BASE_URL: `${origin}/api/v1`,
      MFG_API_KEY: key
    }
    // Other tests run in this process, and must not find the service.
    yield* Effect.acquireRelease(
      Effect.sync(() => Object.assign(process.env, variables)),
      () => Effect.sync(() => Object.keys(variables).forEach((name) => delete process.env[name]))
    )
  })
)

describe("documents", () => {
  it.effect(
    "compile",
    () =>
      Effect.gen(function* () {
        const tsc = join(Program.root, "node_modules/typescript/bin/tsc")
        assert.deepStrictEqual(yield* Program.node([tsc, "-p", folder]), { code: 0, stdout: "", stderr: "" })
      }),
    300_000
  )

  it.layer(served, { timeout: 300_000 })("run", (it) => {
    for (const { file, prints, title } of examples) {
      it.effect(`${title} ${prints === undefined ? "runs" : "prints what it says"}`, () =>
        Effect.promise(async () => {
          const lines: Array<string> = []
          const log = vi
            .spyOn(console, "log")
            .mockImplementation((...said) => void lines.push(said.map(String).join(" ")))
          try {
            await import(file)
          } finally {
            log.mockRestore()
          }
          if (prints !== undefined) assert.strictEqual(`${lines.join("\n")}\n`, prints)
        })
      )
    }
  })
})
