// Rehearses a release on this machine: publishes a copy of the checkout to a temporary registry, with the versions of its
// manifests, or those of its changesets where there are any; installs the packages with npm and with pnpm; follows the
// documents; and upgrades an app to the next patch. `--short` leaves out pnpm, the tour of the shell and the upgrade.
import { createHash } from "node:crypto"
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { root, setup } from "../setup.mjs"
import { publishedOf } from "../workspace.mjs"
import { changesetsOf } from "./changesets.mjs"
import * as follow from "./follow.mjs"
import * as registry from "./registry.mjs"
import { program } from "./rehearsal-program.mjs"
import * as Workbench from "./workbench.mjs"

const isShort = process.argv.includes("--short")
const bench = Workbench.make(setup())
const { env, expect, home, run, say, serve, write } = bench

/** Copies every file of the checkout that git does not ignore, committed or not. */
const copy = () => {
  const repository = join(home, "repository")
  const files = run(root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
  for (const file of new Set(files)) {
    if (file !== "" && existsSync(join(root, file))) cpSync(join(root, file), join(repository, file))
  }
  cpSync(join(root, ".tools"), join(repository, ".tools"), { recursive: true, verbatimSymlinks: true })
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

/** Applies the changesets of the copy, where there are any. */
const version = (repository) => {
  if (changesetsOf(repository).length > 0) run(repository, process.execPath, "scripts/release/version.mjs", "--only")
  const manifests = publishedOf(repository).map(({ manifest }) => manifest)
  const unversioned = manifests.find((manifest) => manifest.version === "0.0.0")
  expect(unversioned === undefined, `${unversioned?.name} has no version, and no changeset gives it one.`)
  for (const { dir, manifest } of publishedOf(repository)) {
    const changelog = readFileSync(join(repository, dir, "CHANGELOG.md"), "utf8")
    expect(changelog.includes(`\n## ${manifest.version}\n`), `${dir}/CHANGELOG.md lacks ${manifest.version}.`)
  }
  run(repository, "git", "add", "--all")
  run(repository, "git", "commit", "--quiet", "--message=Version packages")
  return manifests
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex")

/** Verifies the artifacts of a release: every checksum, and that the registry has the tarballs that they are about. */
const verify = async (repository, manifests, url) => {
  const folder = join(repository, "release")
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n")
  const listed = new Map(sums.map((line) => line.split("  ").toReversed()))
  const files = readdirSync(folder).filter((file) => file !== "SHA256SUMS")
  expect(files.length === listed.size && files.every((file) => listed.has(file)), "SHA256SUMS lists other artifacts.")
  for (const [file, sum] of listed) {
    expect(digest(readFileSync(join(folder, file))) === sum, `${file} does not have its checksum.`)
  }
  for (const { bin, name, version } of manifests) {
    const stem = name.slice(name.indexOf("/") + 1)
    const response = await registry.get(`${url}${name}/-/${stem}-${version}.tgz`)
    const sum = digest(Buffer.from(await response.arrayBuffer()))
    const file = `mfgdata-${stem}-${version}`
    expect(listed.get(`${file}.tgz`) === sum, `The registry has another ${name} ${version} than SHA256SUMS.`)
    if (bin === undefined) continue
    const { components, metadata } = JSON.parse(readFileSync(join(folder, `${file}.cdx.json`), "utf8"))
    const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))
    const parts = name === "@mfgdata/mock" ? ["libsql", "preact"] : ["yaml"]
    for (const part of ["effect", "@effect/cli", "@mfgdata/client", ...parts]) {
      expect(names.includes(part), `The bill of materials of ${name} lacks ${part}.`)
    }
    expect(metadata.component.version === version, `The bill of materials of ${name} has another version.`)
    expect(
      components.every(({ licenses }) => licenses !== undefined),
      `The bill of materials of ${name} has a component without a licence.`
    )
  }
}

/** Publishes the copy with `npm run release`, as a release does. */
const publish = async (repository, { token, url }) => {
  const manifests = version(repository)
  const npmrc = join(home, "npmrc")
  write(npmrc, `@mfgdata:registry=${url}\n${url.replace("http:", "")}:_authToken=${token}\n`)
  env.npm_config_userconfig = env.NPM_CONFIG_USERCONFIG = npmrc
  run(repository, "pnpm", "run", "release")
  delete env.npm_config_userconfig
  delete env.NPM_CONFIG_USERCONFIG
  await verify(repository, manifests, url)
  const names = manifests.map(({ name, version }) => `${name} ${version}`).join(", ")
  say(`Published ${names}, with the checksums and bills of materials of its artifacts`)
  return manifests
}

/** Makes an empty project that finds the packages in the registry. */
const emptyProject = (name, url) => {
  const project = join(home, name)
  write(join(project, "package.json"), { name, private: true, type: "module" })
  write(join(project, ".npmrc"), `@mfgdata:registry=${url}\n`)
  // pnpm needs a decision for every install script, and otherwise refuses packages that are only minutes old.
  write(join(project, "pnpm-workspace.yaml"), { allowBuilds: { "msgpackr-extract": false }, minimumReleaseAge: 0 })
  return project
}

/** Expects the versions of manifests in a project, in its manifests and as the programs print them. */
const expectVersions = (project, manifests) => {
  for (const { bin = {}, name, version } of manifests) {
    const installed = JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8")).version
    expect(installed === version, `${name}: ${version} was published and ${installed} was installed`)
    for (const command of Object.keys(bin)) {
      const printed = run(project, join(project, "node_modules/.bin", command), "--version").trim()
      expect(printed === version, `${command} --version prints ${printed}, expected ${version}`)
    }
  }
}

/** Type-checks a program against the installed packages, and runs it. */
const useProgram = (project) => {
  write(join(project, "use.ts"), program)
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["preserve", "bundler"]
  ]) {
    const target = { module, moduleResolution, target: "es2022", lib: ["es2023", "dom"], types: [], strict: true }
    write(join(project, "tsconfig.json"), { compilerOptions: { ...target, outDir: "out" }, files: ["use.ts"] })
    run(project, "tsc", "--project", project)
    const printed = run(project, process.execPath, "out/use.js")
    expect(/^(?:\w+ 200\n){29}$/.test(printed), `unexpected output of the program: ${printed}`)
  }
}

const npm = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]

/** Installs the packages by version in an empty project, type-checks against them, and runs them. */
const use = (name, install, manifests, { url }) => {
  const project = emptyProject(name, url)
  const { effect, "@effect/platform": platform } = manifests.find(
    (manifest) => manifest.name === "@mfgdata/client"
  ).peerDependencies
  const packages = manifests.map(({ name, version }) => `${name}@^${version}`)
  run(project, ...install, ...packages, `effect@${effect}`, `@effect/platform@${platform}`, "@types/node@20")
  useProgram(project)
  expectVersions(project, manifests)
  expect(!existsSync(join(project, "node_modules/@mfgdata/domain/dist/Stale.js")), "A deleted module was published.")
  for (const { name } of manifests) {
    for (const file of ["README.md", "CHANGELOG.md", "LICENSE"]) {
      expect(existsSync(join(project, "node_modules", name, file)), `${name} was published without ${file}.`)
    }
  }
  return project
}

/** Serves a store of the project's own, and returns the names of its holidays before and after one more. */
const useStore = async (project, name) => {
  const bin = join(project, "node_modules/.bin")
  const args = ["serve", "--port", "0", "--store", "./app.db", "--seed", "empty"]
  const key = "mfg_local_development"
  const { origin, stop } = await serve(project, join(bin, "mfg-mock"), args, { MFG_MOCK_API_KEY: key })
  Object.assign(env, { MFG_REST_URL: `${origin}/rest`, MFG_BASE_URL: `${origin}/api/v1`, MFG_API_KEY: key })
  const list = () => JSON.parse(run(project, join(bin, "mfg"), "holiday", "list", "--output", "json"))
  const before = list().map((row) => row.name)
  const flags = ["--name", name, "--date", "2027-05-01", "--company-id", "demo"]
  run(project, join(bin, "mfg"), "holiday", "create", ...flags)
  for (const variable of ["MFG_REST_URL", "MFG_BASE_URL", "MFG_API_KEY"]) delete env[variable]
  await stop()
  return before
}

/** Publishes the next patch of every package, and upgrades the project to it with its rows. */
const upgrade = async (repository, project, server) => {
  await useStore(project, "Before")
  const named = publishedOf(repository).map(({ manifest }) => `"${manifest.name}": patch\n`)
  write(join(repository, ".changeset/rehearsal.md"), `---\n${named.join("")}---\n\nA patch.\n`)
  const manifests = await publish(repository, server)
  expect(
    manifests.every(({ version }) => !version.endsWith(".0")),
    "The next versions are not patches."
  )
  run(project, "npm", "update", "--no-audit", "--no-fund")
  expectVersions(project, manifests)
  useProgram(project)
  const rows = await useStore(project, "After")
  expect(rows.join() === "Before", `The upgraded service has the rows ${rows.join()}, expected Before.`)
}

const server = await registry.start(root, home)
say("Copying the checkout ...")
const repository = copy()
if (!isShort) leaveStale(repository)
say("Versioning, building and publishing ...")
const manifests = await publish(repository, server)
const project = use("by-npm", npm, manifests, server)
say("Installed by version, type-checked and run by way of npm")
const count = await follow.examples(bench, repository, project)
say(`Followed the documents: ${count} examples compile, run and print what they show`)
if (!isShort) {
  const blocks = await follow.tour(bench, repository, project)
  say(`Followed docs/cli.md: ${blocks} blocks of commands`)
  use("by-pnpm", ["pnpm", "add", "--reporter=append-only"], manifests, server)
  say("Installed by version, type-checked and run by way of pnpm")
  await upgrade(repository, project, server)
  say("Upgraded the project and its store to the next patch")
}
process.exit(0)
