/**
 * Shows a fixture of `test/fixtures` in place of the page, with its styles and its session: for parts of the page that
 * no view shows yet, and for states that no view reaches.
 */
import { build } from "esbuild"
import { join } from "node:path"
import type { Visit } from "./console.ts"

export const mount = async ({ page }: Visit, name: string): Promise<void> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../fixtures", name)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@mfgdata/source"],
    // A fixture needs no more of the derived modules than the schemas of the sources.
    logLevel: "error"
  })
  await page.evaluate(outputFiles[0]?.text ?? "")
}
