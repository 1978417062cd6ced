// The options that bundle a program of an app into one file. They are read in the app's folder: the sources of the
// workspace's libraries go into the bundle, and the app's own dependencies stay external (native code, modules that are
// loaded late).
import { readFileSync } from "node:fs"

/** Leaves out the questions of the command-line parser, which no command of the workspace asks: see `Terminal.ask`. */
const withoutPrompts = {
  name: "without-prompts",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^\.\/prompt(\/\w+)?\.js$/ }, ({ importer }) =>
      /@effect[/\\]cli[/\\]/.test(importer) ? { path: "prompt", namespace: "left-out" } : undefined
    )
    onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "module.exports = {}" }))
  }
}

export const options = () => {
  const { dependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"))
  return {
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    conditions: ["@mfgdata/source"],
    external: Object.entries(dependencies).flatMap(([name, range]) => (range.startsWith("workspace:") ? [] : [name])),
    // Node reads a third less at every start. Names and short lines stay, so that stack traces are readable.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: "none",
    // CommonJS inside the bundle calls require, which modules lack.
    banner: {
      js: `#!/usr/bin/env node\nimport { createRequire as makeRequire } from "node:module"\nconst require = makeRequire(import.meta.url)`
    },
    plugins: [withoutPrompts],
    logLevel: "warning"
  }
}
