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

const bundle = async (
  contents: string,
  options: { readonly external?: Array<string>; readonly minify?: boolean } = {}
) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: sources },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@mfgdata/source"],
    metafile: true,
    ...options
  })
  return { bytes: outputFiles[0]?.contents ?? assert.fail(), kept: keptIn(metafile) }
}

const peers = ["effect", "@effect/platform"]

/** The exports of effect and platform that a program uses, by module. */
const usedBy = async (contents: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const { bytes } = await bundle(contents, { external: peers, minify: false })
  const text = Buffer.from(bytes).toString()
  const used = new Map<string, Set<string>>()
  const add = (path: string, names: Iterable<string>) => used.set(path, new Set([...(used.get(path) ?? []), ...names]))
  for (const [, name = "", path = ""] of text.matchAll(/^import \* as (\w+) from "([^"]+)";$/gm)) {
    add(
      path,
      Array.from(text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g")), ([, member = ""]) => member)
    )
  }
  for (const [, names = "", path = ""] of text.matchAll(/^import \{ ([^}]*) \} from "([^"]+)";$/gm)) {
    add(
      path,
      names.split(", ").map((name) => name.split(" ")[0] ?? "")
    )
  }
  return used
}

/** The bytes that a program has, gzipped, beyond a program with only what it uses of effect and platform. */
const beyondPeers = async (contents: string): Promise<number> => {
  const used = [...(await usedBy(contents))]
  const imports = used.map(([path], index) => `import * as m${index} from "${path}"`)
  const members = used.flatMap(([, names], index) => Array.from(names, (name) => `m${index}.${name}`))
  const [whole, base] = await Promise.all([
    bundle(contents),
    bundle([...imports, `export default [${members.join()}]`].join("\n"))
  ])
  assert.isAbove(gzipSync(base.bytes).length, 50_000)
  return gzipSync(whole.bytes).length - gzipSync(base.bytes).length
}

/** The modules that only parse texts of queries. */
const parsers = /(Scanner|EmbedScope|QueryError)\.ts$/

describe("the bundle", () => {
  for (const [name, from, most] of [
    ["Rows", "./index.ts", 20],
    ["connect", "./promise.ts", 21]
  ] as const) {
    it(`of ${name} and one resource adds at most ${most} KB gzipped to effect and platform`, async () => {
      const bytes = await beyondPeers(`export { ${name} } from "${from}"; export { Holiday } from "@mfgdata/domain"`)
      assert.isAbove(bytes, 10_000)
      assert.isAtMost(bytes, most * 1024)
    })
  }

  it("leaves out the grammar of texts that the program does not use", async () => {
    const without = await bundle(`export { Rows } from "./index.ts"`, { external: peers })
    assert.isEmpty(without.kept.filter((input) => parsers.test(input)))
    const text = await bundle(
      `import { Query } from "@mfgdata/domain"; export { Rows } from "./index.ts"; export const text = Query.fromText`,
      { external: peers }
    )
    assert.lengthOf(
      text.kept.filter((input) => parsers.test(input)),
      3
    )
  })

  it("leaves out fake rows, which have a module of their own", async () => {
    const isFake = (input: string) => /\bfake\b|FakeRows/.test(input)
    for (const from of ["./index.ts", "./promise.ts"]) {
      assert.isEmpty((await bundle(`export * from "${from}"`, { external: peers })).kept.filter(isFake))
    }
    assert.isNotEmpty((await bundle(`export * from "./FakeRows.ts"`, { external: peers })).kept.filter(isFake))
  })

  it("leaves out resources that the program does not import", async () => {
    const { kept } = await bundle(`export { Rows } from "./index.ts"`, { external: peers })
    assert.isEmpty(kept.filter((input) => input.includes("/resources/") || input.includes("Catalogue")))
  })

  for (const from of ["./index.ts", "./promise.ts"]) {
    it(`of ${from} builds for a browser, without modules of Node`, async () => {
      // The build fails for a module of Node, which browsers do not have.
      const { bytes } = await bundle(`export * from "${from}"`)
      assert.notMatch(Buffer.from(bytes).toString(), /from\s*"node:/)
    })
  }
})

/** 1.3 times the instantiations that TypeScript 7.0.2 counted for the sources. */
const budget = 422_000

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
