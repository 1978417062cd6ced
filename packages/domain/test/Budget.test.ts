import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { compile, sources } from "./fixtures/compiler.ts"

/** 1.3 times what TypeScript 7.0.2 counted for the finished catalogue, and for the whole package. */
const budget = { catalogue: 71_000, whole: 150_000, declarations: 60 * 1024, resource: 6 * 1024 }

const instantiations = (output: string): number => {
  assert.notInclude(output, "error TS")
  return Number(/^Instantiations:\s*(\d+)$/m.exec(output)?.[1])
}

/** The declarations of the resources, ids and vocabularies. */
const declarations = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { recursive: true })
  const catalogue = entries.filter((entry) => /^(resources\/\w+|Ids|Vocabularies|Catalogue)\.d\.ts$/.test(entry))
  assert.lengthOf(catalogue, 32)
  const sizes = await Promise.all(catalogue.map(async (entry) => (await stat(join(directory, entry))).size))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

const flags = ["--extendedDiagnostics", "--singleThreaded"]

describe("the type checker", () => {
  it("stays within its budget on the catalogue and on its declarations", () =>
    compile(
      {
        files: [join(sources, "Catalogue.ts")],
        compilerOptions: { rootDir: sources, outDir: "out", emitDeclarationOnly: true, declarationMap: false },
        flags
      },
      async (output, directory) => {
        assert.isAtMost(instantiations(output), budget.catalogue)
        assert.isAtMost(await declarations(join(directory, "out")), budget.declarations)
      }
    ))

  it("stays within its budget on the whole package", () =>
    compile(
      { files: [join(sources, "index.ts")], compilerOptions: { rootDir: sources, noEmit: true }, flags },
      (output) => assert.isAtMost(instantiations(output), budget.whole)
    ))
})

const gzipped = async (contents: string): Promise<number> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: sources },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    external: ["effect"]
  })
  return gzipSync(outputFiles[0]?.contents ?? assert.fail()).length
}

describe("importing one resource", () => {
  for (const from of ["./resources/WarehouseTransfer.ts", "./index.ts"]) {
    it(`from ${from} costs at most 6 KB beyond effect`, async () => {
      const bytes = await gzipped(`export { WarehouseTransfer } from "${from}"`)
      assert.isAbove(bytes, 500)
      assert.isAtMost(bytes, budget.resource)
    })
  }
})
