/**
 * Generates clients from the OpenAPI document of the built service with the generators that others use, with their
 * defaults, and calls the service with them.
 */
import { createClient } from "@hey-api/openapi-ts"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import openapiTypescript, { astToString } from "openapi-typescript"
import { generate as orval } from "orval"
import * as BuiltService from "../src/BuiltService.ts"
import * as Program from "../src/Program.ts"

/** The folder of the generated clients and of the programs that use them. */
const folder = join(Program.root, "acceptance/.tsbuildinfo", `generated-${process.pid}`)

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: false,
  target: "es2023",
  module: "preserve",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  typeRoots: [join(Program.root, "node_modules/@types")]
}

const generate = async (origin: string): Promise<void> => {
  const source = `${origin}/openapi.json`
  const types = await openapiTypescript(new URL(source))
  writeFileSync(join(folder, "openapi-typescript.ts"), astToString(types))
  await createClient({ input: source, output: join(folder, "hey-api"), logs: { level: "silent" } })
  await orval({ input: source, output: { target: join(folder, "orval-client.ts"), client: "fetch", baseUrl: origin } })
}

class Clients extends Context.Tag("Clients")<Clients, BuiltService.BuiltService>() {}

const clients = Layer.scoped(
  Clients,
  Effect.gen(function* () {
    yield* Effect.acquireRelease(
      Effect.sync(() => mkdirSync(folder, { recursive: true })),
      () => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const served = yield* BuiltService.serve("sqlite::memory:", { seed: "demo" })
    cpSync(join(Program.root, "acceptance/test/generated"), folder, { recursive: true })
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts", "hey-api"] }))
    yield* Effect.promise(() => generate(served.origin))
    return served
  })
)

/** Bundles a program with its client, runs it, and returns what it printed. */
const run = (program: string) =>
  Effect.gen(function* () {
    const { key, origin } = yield* Clients
    const file = join(folder, `${program}.mjs`)
    const bin = (name: string) => join(Program.root, "node_modules/.bin", name)
    const flags = ["--bundle", "--platform=node", "--format=esm", "--log-level=warning", `--outfile=${file}`]
    const bundled = yield* Program.run(bin("esbuild"), [join(folder, `${program}.ts`), ...flags])
    assert.deepStrictEqual([bundled.code, bundled.stderr], [0, ""])
    const { code, stderr, stdout } = yield* Program.node([file], { env: { KEY: key, ORIGIN: origin } })
    assert.deepStrictEqual([code, stderr], [0, ""])
    return JSON.parse(stdout) as unknown
  })

describe("clients that are generated from /openapi.json", () => {
  it.layer(clients, { timeout: 300_000 })((it) => {
    it.effect(
      "compile strictly",
      () =>
        Effect.gen(function* () {
          yield* Clients
          const { code, stdout } = yield* Program.run(join(Program.root, "node_modules/.bin/tsc"), ["-p", folder])
          assert.deepStrictEqual([code, stdout], [0, ""])
        }),
      300_000
    )

    for (const program of ["OpenapiFetch", "HeyApi", "Orval"]) {
      it.effect(
        `list, read, create, update and delete rows, and call an operation: ${program}`,
        () =>
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* run(program), {
              listed: ["New Year's Day", "Good Friday"],
              ranged: true,
              created: [201, true],
              read: "Founding day",
              updated: "Jubilee",
              deleted: 204,
              missed: "PGRST116",
              user: "operations@ridgeline.example"
            })
          }),
        300_000
      )
    }
  })
})
