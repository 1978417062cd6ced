import { assert, describe, it } from "@effect/vitest"
import { build, type Metafile } from "esbuild"
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

const sources = fileURLToPath(new URL("../src", import.meta.url))

/** The modules with code in the bundle. */
const keptIn = ({ outputs }: Metafile): ReadonlyArray<string> =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : []))
  )

const bundle = async (contents: string, external: ReadonlyArray<string>) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: sources },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@mfgdata/source"],
    metafile: true,
    external: [...external]
  })
  return { bytes: outputFiles[0]?.contents ?? assert.fail(), kept: keptIn(metafile) }
}

const peers = ["effect", "@effect/platform"]

describe("the bundle", () => {
  it("of Rows adds at most 25 KB gzipped to effect and platform, also through the index", async () => {
    for (const from of ["./Rows.ts", "./index.ts"]) {
      const { bytes } = await bundle(`export { Rows } from "${from}"`, peers)
      assert.isAbove(gzipSync(bytes).length, 5_000)
      assert.isAtMost(gzipSync(bytes).length, 25 * 1024)
    }
  })

  it("leaves out resources that the program does not import", async () => {
    const { kept } = await bundle(`export { Rows } from "./index.ts"`, peers)
    assert.isEmpty(kept.filter((input) => input.includes("/resources/") || input.includes("Catalogue")))
  })

  for (const from of ["./index.ts", "./promise.ts"]) {
    it(`of ${from} builds for a browser, without modules of Node`, async () => {
      // The build fails for a module of Node, which browsers do not have.
      const { bytes } = await bundle(`export * from "${from}"`, [])
      assert.notMatch(Buffer.from(bytes).toString(), /from\s*"node:/)
    })
  }
})

/** 1.3 times the instantiations that TypeScript 7.0.2 counted for the sources. */
const budget = 218_000

describe("the type checker", () => {
  it("stays within its budget on the sources", async () => {
    const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")
    const project = fileURLToPath(new URL("../tsconfig.src.json", import.meta.url))
    const args = [
      compiler,
      "-p",
      project,
      "--noEmit",
      "--extendedDiagnostics",
      "--singleThreaded",
      "--incremental",
      "false"
    ]
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [...args, "--composite", "false"], (_, stdout) => resolve(stdout))
    })
    assert.notInclude(output, "error TS")
    assert.isAtMost(Number(/^Instantiations:\s*(\d+)$/m.exec(output)?.[1]), budget)
  })
})
