// Writes the manual pages of a program, and their names into its manifest, because npm links those alone. Run it in an
// app's folder: `node ../../scripts/manual.mjs [folder]`. With another folder the manifest stays as it is.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { options } from "./bundle-options.mjs"

const folder = resolve(process.argv[2] ?? "man")
const bundled = resolve(`.tsbuildinfo/manual-${process.pid}.js`)
try {
  await build({ ...options(), entryPoints: ["src/Manual.ts"], outfile: bundled })
  const pages = await (await import(pathToFileURL(bundled).href)).pages()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, page] of pages) writeFileSync(join(folder, name), page)
  const manifest = readFileSync("package.json", "utf8")
  const files = [...pages.keys()].map((name) => `    "./man/${name}"`).toSorted()
  const listed = manifest.replace(/"man": \[[^\]]*\]/, () => `"man": [\n${files.join(",\n")}\n  ]`)
  // A build that finds the list complete leaves the file alone.
  if (process.argv[2] === undefined && listed !== manifest) writeFileSync("package.json", listed)
} finally {
  rmSync(bundled, { force: true })
}
