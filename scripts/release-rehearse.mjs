// Rehearses a release on this machine: versions, builds and publishes a copy of the checkout to a temporary registry,
// then installs and uses the packages with npm and with pnpm.
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as registry from "./registry.mjs"
import { root, setup } from "./setup.mjs"
import { publishedOf } from "./workspace.mjs"

const started = performance.now()
const env = { ...setup(), CI: "true", npm_config_yes: "true" }
const home = mkdtempSync(join(tmpdir(), "rehearsal-"))
process.on("exit", () => rmSync(home, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1))

const say = (sentence) => console.log(`> ${sentence} (${((performance.now() - started) / 1000).toFixed(0)} s)`)
const run = (cwd, command, ...args) =>
  execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
const write = (path, content) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
}
const expect = (holds, sentence) => {
  if (!holds) throw new Error(sentence)
}

/** Copies every file of the checkout that git does not ignore, committed or not. */
const copy = () => {
  const repository = join(home, "repository")
  const files = run(root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
  for (const file of new Set(files)) {
    if (file !== "" && existsSync(join(root, file))) cpSync(join(root, file), join(repository, file))
  }
  run(repository, "git", "init", "--quiet", "--initial-branch=main")
  run(repository, "git", "config", "user.name", "rehearsal")
  run(repository, "git", "config", "user.email", "rehearsal@localhost")
  run(repository, "pnpm", "install", "--frozen-lockfile", "--prefer-offline", "--silent")
  return repository
}

/** Writes the stale output of a module without a source, which a release must not contain. */
const leaveStale = (repository) => {
  const [source, output] = ["src/Stale.ts", "dist/Stale.js"].map((path) => join(repository, "packages/domain", path))
  write(source, "export const stale = true\n")
  run(repository, "turbo", "run", "build", "--filter=@mfgdata/domain", "--output-logs=errors-only")
  rmSync(source)
  expect(existsSync(output), "The stale module was not built, so this proves nothing.")
}

const publish = (repository, { url, token }) => {
  const named = publishedOf(repository).map(({ manifest }) => `"${manifest.name}": minor\n`)
  write(join(repository, ".changeset/rehearsal.md"), `---\n${named.join("")}---\n\nA rehearsal.\n`)
  run(repository, "pnpm", "run", "version-packages")
  run(repository, "git", "add", "--all")
  run(repository, "git", "commit", "--quiet", "--message=Version packages")
  const npmrc = join(home, "npmrc")
  write(npmrc, `@mfgdata:registry=${url}\n${url.replace("http:", "")}:_authToken=${token}\n`)
  env.npm_config_userconfig = env.NPM_CONFIG_USERCONFIG = npmrc
  run(repository, "pnpm", "run", "release")
  delete env.npm_config_userconfig
  delete env.NPM_CONFIG_USERCONFIG
  return publishedOf(repository).map(({ manifest }) => manifest)
}

const program = `import * as HttpClient from "@effect/platform/HttpClient"
import { ClientConfig } from "@mfgdata/client"
import { Catalogue, type Resource, WarehouseTransfer } from "@mfgdata/domain"
import * as Testing from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

export const config: Effect.Effect<ClientConfig.ClientConfig, unknown> = ClientConfig.config
export const update: Resource.Update<typeof WarehouseTransfer> = { status: "Draft", notes: null }
// @ts-expect-error an unknown column
export const wrong: Resource.Column<typeof WarehouseTransfer> = "nothing"

const program = Effect.gen(function* () {
  const { apiKey, restUrl } = yield* Testing.World
  const client = yield* HttpClient.HttpClient
  const headers = { authorization: "Bearer " + Redacted.value(apiKey) }
  for (const { resource } of Catalogue.resources) {
    const { status } = yield* client.get(restUrl + "/" + resource, { headers })
    console.log(resource, status)
  }
})
Effect.runFork(Effect.provide(program, Testing.layer({ seed: { _tag: "Empty" } })))
`

/** Installs the packages in an empty project, type-checks against them, and runs them. */
const use = (name, install, manifests, { url }) => {
  const project = join(home, name)
  write(join(project, "package.json"), { name, private: true, type: "module" })
  write(join(project, ".npmrc"), `@mfgdata:registry=${url}\n`)
  // pnpm needs a decision for every install script, and otherwise refuses packages that are only minutes old.
  write(join(project, "pnpm-workspace.yaml"), { allowBuilds: { "msgpackr-extract": false }, minimumReleaseAge: 0 })
  write(join(project, "use.ts"), program)
  const { effect, "@effect/platform": platform } = manifests.find(
    ({ name }) => name === "@mfgdata/client"
  ).peerDependencies
  run(
    project,
    ...install,
    ...manifests.map(({ name }) => name),
    `effect@${effect}`,
    `@effect/platform@${platform}`,
    "@types/node@20"
  )
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["preserve", "bundler"]
  ]) {
    const compilerOptions = {
      module,
      moduleResolution,
      target: "es2022",
      lib: ["es2023", "dom"],
      types: [],
      strict: true
    }
    write(join(project, "tsconfig.json"), { compilerOptions: { ...compilerOptions, outDir: "out" }, files: ["use.ts"] })
    run(project, "tsc", "--project", project)
    const said = run(project, process.execPath, "out/use.js")
    expect(/^(?:\w+ 200\n){29}$/.test(said), `${name}: unexpected output of the program: ${said}`)
  }
  for (const { name, bin = {}, version } of manifests) {
    const installed = JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8")).version
    expect(installed === version, `${name}: ${version} was published and ${installed} was installed`)
    for (const command of Object.keys(bin)) {
      const said = run(project, join(project, "node_modules/.bin", command), "--version").trim()
      expect(said === version, `${command} --version prints ${said}, expected ${version}`)
    }
  }
  expect(!existsSync(join(project, "node_modules/@mfgdata/domain/dist/Stale.js")), "A deleted module was published.")
}

const server = await registry.start(root, home)
say("Copying the checkout ...")
const repository = copy()
leaveStale(repository)
say("Versioning, building and publishing ...")
const manifests = publish(repository, server)
say(`Published ${manifests.map(({ name, version }) => `${name} ${version}`).join(", ")}`)
use("by-npm", ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"], manifests, server)
say("Installed, type-checked and run by way of npm")
use("by-pnpm", ["pnpm", "add", "--reporter=append-only"], manifests, server)
say("Installed, type-checked and run by way of pnpm")
process.exit(0)
