// Follows the documents as a user does who has only the installed packages: compiles and runs every TypeScript example,
// compares what it prints, and runs every command of the tour of the shell.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The documents with TypeScript examples, in the order in which a reader meets them. */
const documentsOf = (root, project) => [
  ["README.md", join(root, "README.md")],
  ["docs/guide.md", join(root, "docs/guide.md")],
  ["docs/webhooks.md", join(root, "docs/webhooks.md")],
  ["docs/fidelity.md", join(root, "docs/fidelity.md")],
  ["@mfgdata/client/README.md", join(project, "node_modules/@mfgdata/client/README.md")],
  ["@mfgdata/domain/README.md", join(project, "node_modules/@mfgdata/domain/README.md")]
]

const blocksOf = (path) =>
  Array.from(readFileSync(path, "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, language, code]) => ({
    language,
    code
  }))

/** The TypeScript examples of a document, each with the output that the document shows for it. */
const examplesOf = (name, path) =>
  blocksOf(path).flatMap(({ code, language }, index, blocks) => {
    const next = blocks[index + 1]
    const prints = next?.language === "text" ? next.code : undefined
    const title = `${name}, example ${blocks.slice(0, index).filter((block) => block.language === "ts").length + 1}`
    return language === "ts" ? [{ code, prints, title }] : []
  })

const compilerOptions = {
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "dom"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  rootDir: ".",
  outDir: "out"
}

const adminKey = "mfg_local_administrator"
const apiKey = "mfg_local_development"

/** Compiles and runs the examples of all documents against the installed service; returns their number. */
export const examples = async ({ env, expect, run, serve, write }, root, project) => {
  const folder = join(project, "examples")
  const found = documentsOf(root, project).flatMap(([name, path]) => examplesOf(name, path))
  found.forEach(({ code }, index) => write(join(folder, `example-${index}.ts`), `${code}export {}\n`))
  write(join(folder, "tsconfig.json"), { compilerOptions, include: ["*.ts"] })
  run(folder, "tsc", "--project", folder)
  const program = join(project, "node_modules/.bin/mfg-mock")
  const { origin, stop } = await serve(project, program, ["serve", "--port", "0", "--store", "sqlite::memory:"], {
    MFG_MOCK_API_KEY: apiKey
  })
  const variables = { MFG_REST_URL: `${origin}/rest`, MFG_BASE_URL: `${origin}/api/v1`, MFG_API_KEY: apiKey }
  for (const [index, { prints, title }] of found.entries()) {
    const args = [join(folder, "out", `example-${index}.js`)]
    const printed = execFileSync(process.execPath, args, {
      cwd: folder,
      env: { ...env, ...variables },
      encoding: "utf8"
    })
    expect(prints === undefined || printed === prints, `${title} prints ${printed}, and the document shows ${prints}`)
  }
  await stop()
  return found.length
}

/** Runs the commands of docs/cli.md, after those that set the tour up; returns the number of its blocks. */
export const tour = async ({ env, expect, serve, write }, root, project) => {
  const folder = join(project, "tour")
  const bin = join(project, "node_modules/.bin")
  const served = ["serve", "--port", "0", "--store", "sqlite::memory:"]
  const { origin, stop } = await serve(project, join(bin, "mfg-mock"), served, {
    MFG_MOCK_API_KEY: apiKey,
    MFG_MOCK_ADMIN_KEY: adminKey
  })
  write(join(folder, "profiles/README"), "")
  const variables = {
    PATH: `${bin}:${env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "profiles"),
    MFG_KEY_STORE: "file"
  }
  const shell = (script, more = {}) =>
    execFileSync("bash", ["-c", `set -euo pipefail\n${script.replaceAll("http://127.0.0.1:4010", origin)}`], {
      cwd: folder,
      env: { ...env, ...variables, ...more },
      stdio: ["ignore", "ignore", "inherit"]
    })
  shell(`mfg login --url ${origin} --admin`, { MFG_API_KEY: apiKey, MFG_ADMIN_KEY: adminKey })
  const blocks = blocksOf(join(root, "docs/cli.md")).filter(({ language }) => language === "sh")
  expect(blocks.length > 5, "docs/cli.md has no commands.")
  for (const { code } of blocks.slice(1)) shell(code)
  await stop()
  return blocks.length
}
