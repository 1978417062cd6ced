import { assert, describe, it } from "@effect/vitest"
import { build, type Metafile } from "esbuild"
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

const sources = fileURLToPath(new URL("../src", import.meta.url))

/** The modules of which something is left in the bundle. */
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

const beyond = ["effect", "@effect/platform"]

describe("what is shipped", () => {
  it("for Rows is at most 25 KB gzipped beyond effect and platform, also through the index", async () => {
    for (const from of ["./Rows.ts", "./index.ts"]) {
      const { bytes } = await bundle(`export { Rows } from "${from}"`, beyond)
      assert.isAbove(gzipSync(bytes).length, 5_000)
      assert.isAtMost(gzipSync(bytes).length, 25 * 1024)
    }
  })

  it("holds no resource that is not asked for", async () => {
    const { kept } = await bundle(`export { Rows } from "./index.ts"`, beyond)
    assert.isEmpty(kept.filter((input) => input.includes("/resources/") || input.includes("Catalogue")))
  })

  for (const from of ["./index.ts", "./promise.ts"]) {
    it(`from ${from} runs in a browser: it builds with all that it imports, and nothing of Node`, async () => {
      // The build fails on an import of Node's, which the platform of browsers does not have.
      const { bytes } = await bundle(`export * from "${from}"`, [])
      assert.notMatch(Buffer.from(bytes).toString(), /from\s*"node:/)
    })
  }
})

/** 1.3 times what TypeScript 7.0.2 counted for the sources. */
const budget = 165_000

describe("the compiler's work", () => {
  it("on the sources stays within its budget", async () => {
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
