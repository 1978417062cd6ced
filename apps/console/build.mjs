// Builds the console into the service's `dist/console`: hashed files, each with its gzip and brotli form, and the page
// that names them. `--watch` builds again on every change: a running service of this checkout serves the new files.
import { randomBytes } from "node:crypto"
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import * as zlib from "node:zlib"
import { build, context } from "esbuild"

const root = dirname(fileURLToPath(import.meta.url))
const mount = "/console"

/** The folder that the service carries. */
export const outputFolder = join(root, "../mock/dist/console")

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)]

/** The value of a module, which the build evaluates in place of the browser. */
const evaluate = async (path) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    conditions: ["@mfgdata/source"]
  })
  const code = Buffer.from(outputFiles[0].contents).toString("base64")
  return { values: await import(`data:text/javascript;base64,${code}`), inputs: Object.keys(metafile.inputs) }
}

/** Replaces modules named `*.derived.ts` by their exports as data, so that their imports stay out of the bundle. */
const derived = {
  name: "derived",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.derived\.ts$/ }, async ({ path }) => {
      const { inputs, values } = await evaluate(path)
      const contents = Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join("\n")
      return { contents, watchFiles: inputs.map((input) => join(process.cwd(), input)) }
    })
  }
}

const options = {
  absWorkingDir: root,
  entryPoints: { main: "src/main.tsx" },
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: ["chrome120", "firefox121", "safari17.2"],
  jsx: "automatic",
  jsxImportSource: "preact",
  conditions: ["@mfgdata/source"],
  outdir: "dist",
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
  legalComments: "none",
  logLevel: "warning"
}

/** The chunks that an output imports by statements, at any depth. */
const importsOf = (outputs, path) =>
  outputs[path].imports.flatMap(({ kind, path }) =>
    kind === "import-statement" ? [path, ...importsOf(outputs, path)] : []
  )

/** The paths of the entry, of its style sheet, and of the chunks that the page loads with them. */
const entryOf = ({ outputs }) => {
  const [path, { cssBundle }] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === "src/main.tsx")
  const [home] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === "src/views/home/View.tsx")
  const first = [...importsOf(outputs, path), ...importsOf(outputs, home)].filter((other) => other !== path)
  return { path, styles: cssBundle, preloads: [...new Set([...first, home])] }
}

/** The page, which loads the entry and the first view together. */
const page = (metafile) => {
  const { path, preloads, styles } = entryOf(metafile)
  const address = (output) => `${mount}/assets/${basename(output)}`
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    "<title>Console</title>",
    `<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%231f6f5c'/%3E%3Cpath d='M4 11V5l4 3 4-3v6' fill='none' stroke='%23fff' stroke-width='1.8'/%3E%3C/svg%3E">`,
    `<link rel="stylesheet" href="${address(styles)}">`,
    ...preloads.map((path) => `<link rel="modulepreload" href="${address(path)}">`),
    `<script type="module" src="${address(path)}"></script>`,
    '<div id="app"></div>',
    "<noscript>The console needs JavaScript.</noscript>",
    "</html>",
    ""
  ].join("\n")
}

/** Writes a file in one step, so that a running service never reads half of it. */
const replace = async (file, bytes) => {
  const partial = `${file}.${randomBytes(4).toString("hex")}.part`
  await writeFile(partial, bytes)
  await rename(partial, file)
}

const writeCompressed = async (file, bytes) => {
  const [zipped, compressed] = await Promise.all([gzip(bytes, { level: 9 }), brotli(bytes)])
  await Promise.all([replace(`${file}.gz`, zipped), replace(`${file}.br`, compressed)])
  await replace(file, bytes)
  return { name: basename(file), bytes: bytes.length, gzip: zipped.length, brotli: compressed.length }
}

/** Writes the files of a build, then its page, then removes the files of earlier builds. */
const write = async ({ metafile, outputFiles }) => {
  const assets = join(outputFolder, "assets")
  await mkdir(assets, { recursive: true })
  const files = await Promise.all(
    outputFiles.map(({ contents, path }) => writeCompressed(join(assets, basename(path)), contents))
  )
  const { path, preloads, styles } = entryOf(metafile)
  const first = new Set([path, styles, ...preloads].map((output) => basename(output)))
  files.push(await writeCompressed(join(outputFolder, "index.html"), Buffer.from(page(metafile))))
  const kept = new Set(files.flatMap(({ name }) => [name, `${name}.gz`, `${name}.br`]))
  const stale = (await readdir(assets)).filter((name) => !kept.has(name) && !name.endsWith(".part"))
  await Promise.all(stale.map((name) => rm(join(assets, name), { force: true })))
  return files.map((file) => ({ ...file, isFirst: first.has(file.name) || file.name === "index.html" }))
}

/** Builds the console, and returns the sizes of its files and the bytes of each input. */
export const buildConsole = async () => {
  const result = await build({ ...options, plugins: [derived] })
  return { files: await write(result), metafile: result.metafile }
}

const watch = async () => {
  const written = {
    name: "written",
    setup: ({ onEnd }) => {
      onEnd(async (result) => {
        if (result.errors.length > 0) return
        const files = await write(result)
        const total = files.reduce((sum, { gzip }) => sum + gzip, 0)
        process.stdout.write(
          `${new Date().toLocaleTimeString()} ${files.length} files, ${Math.ceil(total / 1024)} KB gzip\n`
        )
      })
    }
  }
  const building = await context({ ...options, plugins: [derived, written] })
  await building.watch()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.argv.includes("--watch")) await watch()
  else await buildConsole()
}
