// Bundles a bin into one file, because loading effect's modules one by one costs a second at every start.
// Run it in an app's folder: `node ../../scripts/bundle.mjs [outfile]`. It reads the sources of the workspace's
// libraries; the app's own dependencies stay external (native code, modules that are loaded late).
import { readFileSync } from "node:fs"
import { chmod } from "node:fs/promises"
import { build } from "esbuild"

const { bin, dependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"))
const outfile = process.argv[2] ?? Object.values(bin)[0]

await build({
  entryPoints: ["src/bin.ts"],
  outfile,
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  conditions: ["@mfgdata/source"],
  external: Object.entries(dependencies).flatMap(([name, range]) => (range.startsWith("workspace:") ? [] : [name])),
  // Not minified, so that stack traces are readable without a source map.
  minifySyntax: true,
  legalComments: "none",
  // CommonJS inside the bundle calls require, which modules lack.
  banner: {
    js: `#!/usr/bin/env node\nimport { createRequire as makeRequire } from "node:module"\nconst require = makeRequire(import.meta.url)`
  },
  logLevel: "warning"
})
await chmod(outfile, 0o755)
