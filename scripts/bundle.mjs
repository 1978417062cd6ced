// Bundles a bin into one file, because loading effect's modules one by one costs a second at every start.
// Run it in an app's folder: `node ../../scripts/bundle.mjs [outfile]`.
import { readFileSync } from "node:fs"
import { chmod } from "node:fs/promises"
import { build } from "esbuild"
import { options } from "./bundle-options.mjs"

const { bin } = JSON.parse(readFileSync("package.json", "utf8"))
const outfile = process.argv[2] ?? Object.values(bin)[0]

await build({ ...options(), entryPoints: ["src/bin.ts"], outfile })
await chmod(outfile, 0o755)
