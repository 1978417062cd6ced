// Sets up a checkout on a machine with only Node and npm: checks their versions, fetches the pinned pnpm through npm
// once, and installs the dependencies. It imports only Node and uses old syntax, so that an old Node can parse it and
// print that it is too old.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { constants } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const [pnpmName, pnpmVersion] = manifest.packageManager.split("@")
const pnpmHome = join(root, ".tools", `${pnpmName}-${pnpmVersion}`)
const pnpmBin = join(pnpmHome, "node_modules", ".bin")
// On Windows npm and pnpm are command scripts, which need a shell.
const shell = process.platform === "win32"

/** Exits with one sentence on standard error. */
export const refuse = (sentence, code = 1) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(code)
}

const say = (sentence) => process.stdout.write(`> ${sentence}\n`)

/** Is `version` at least `least`? Both are dotted numbers. */
const isAtLeast = (version, least) => {
  const [have, want] = [version, least].map((text) => text.split(".").map(Number))
  const differs = want.findIndex((part, index) => have[index] !== part)
  return differs === -1 || have[differs] > want[differs]
}

const requireNode = () => {
  const least = manifest.engines.node.replace(">=", "")
  if (!isAtLeast(process.versions.node, least)) {
    refuse(`This needs Node ${least} or later, and ${process.execPath} is Node ${process.versions.node}.`)
  }
}

const requireLockfile = () => {
  if (!existsSync(join(root, "pnpm-lock.yaml"))) {
    refuse("pnpm-lock.yaml is missing: get it back with `git checkout pnpm-lock.yaml`.")
  }
}

/** Returns the environment that finds the checkout's tools and switches off their telemetry. */
const environment = () => ({
  ...process.env,
  PATH: [pnpmBin, join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter),
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1"
})

/** Runs a step of the set-up; its output is printed only on failure. */
const step = (command, args, failure) => {
  const options = { cwd: root, env: environment(), shell, encoding: "utf8", maxBuffer: Infinity }
  const { status, error, stdout, stderr } = spawnSync(command, args, options)
  if (status === 0) return
  process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`)
  refuse(error === undefined ? failure : `${failure} (${error.message})`)
}

const fetchPnpm = () => {
  if (existsSync(join(pnpmBin, "pnpm"))) return
  say(`Fetching pnpm ${pnpmVersion} through npm into .tools (once) ...`)
  const args = ["install", "--prefix", pnpmHome, "--no-save", "--no-audit", "--no-fund", manifest.packageManager]
  step("npm", args, `npm could not fetch ${manifest.packageManager}: see its message above.`)
}

const install = () => {
  say("Installing dependencies ...")
  const args = ["install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only"]
  step("pnpm", args, "pnpm could not install the dependencies: see its message above.")
}

/** Checks the versions, and installs pnpm and the dependencies. Returns the environment for later commands. */
export const setup = () => {
  requireNode()
  requireLockfile()
  fetchPnpm()
  install()
  return environment()
}

/** Builds the packages that `filters` name with their dependencies, or all. */
export const build = (...filters) => {
  say("Building ...")
  const args = ["run", "build", "--output-logs=errors-only", ...filters.map((name) => `--filter=${name}`)]
  step("turbo", args, "The build failed: see its messages above.")
}

/** Compiles a private package, which only runs from a checkout. */
export const compile = (dir) => step("tsc", ["-b", dir], `${dir} does not compile: see the messages above.`)

/** Runs Node on `args` in the foreground, with this terminal and this process's signals; exits as it exits. */
export const become = (args) => {
  const child = spawn(process.execPath, args, { cwd: root, env: environment(), stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal sends Ctrl-C to the whole process group: forwarding it would send it twice.
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  // npm sends a signal to its shell, which exits without forwarding it: only the loss of the parent is visible.
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 250).unref()
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
