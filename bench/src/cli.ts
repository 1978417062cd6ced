/**
 * Measures the duration of commands of `mfg` relative to the start of Node, as the best of several runs in turns. A
 * list requests a service; the duration of the request itself is measured without `mfg`, and subtracted.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const targets = { help: 2.7, list: 3.5 } as const
/** The largest allowed size of the program, in bytes. */
const mostBytes = 1.5e6
const rounds = 20
const key = "mfg_local_development"

const root = fileURLToPath(
  new URL(import.meta.url.includes("/.tsbuildinfo/") ? "../../../../" : "../../", import.meta.url)
)
const mfg = join(root, "apps/cli/dist/mfg.js")

const mock = spawn(
  process.execPath,
  [join(root, "apps/mock/dist/mfg-mock.js"), "serve", "--port", "0", "--store", "sqlite::memory:"],
  {
    env: { ...process.env, MFG_MOCK_API_KEY: key },
    stdio: ["ignore", "pipe", "inherit"]
  }
)
process.on("exit", () => mock.kill("SIGINT"))

let said = ""
while (!said.includes("Try:")) said += String((await once(mock.stdout, "data"))[0])
const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []

const folder = mkdtempSync(join(tmpdir(), "bench-cli-"))
const env = {
  ...process.env,
  XDG_CONFIG_HOME: folder,
  MFG_REST_URL: `${origin}/rest`,
  MFG_BASE_URL: `${origin}/api/v1`,
  MFG_API_KEY: key
}

const run = (...args: ReadonlyArray<string>): number => {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" })
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`)
  return performance.now() - start
}

const ask = async (): Promise<number> => {
  const start = performance.now()
  const answer = await fetch(`${origin}/rest/holiday?limit=101`, { headers: { authorization: `Bearer ${key}` } })
  await answer.text()
  return performance.now() - start
}

const best = { node: Infinity, help: Infinity, list: Infinity, service: Infinity }
for (let round = 0; round < rounds; round++) {
  best.node = Math.min(best.node, run("-e", "0"))
  best.help = Math.min(best.help, run(mfg, "--help"))
  best.list = Math.min(best.list, run(mfg, "holiday", "list"))
  best.service = Math.min(best.service, await ask())
}
rmSync(folder, { recursive: true, force: true })
mock.kill("SIGINT")

const ratios = { help: best.help / best.node, list: (best.list - best.service) / best.node }
console.log(`node -e 0: ${best.node.toFixed(0)} ms; the service answers in ${best.service.toFixed(1)} ms`)
console.log(`mfg --help: ${best.help.toFixed(0)} ms, ${ratios.help.toFixed(2)} times (at most ${targets.help})`)
console.log(
  `mfg holiday list: ${best.list.toFixed(0)} ms, ${ratios.list.toFixed(2)} times with the service running (at most ${targets.list})`
)
const bytes = statSync(mfg).size
console.log(`The program has ${(bytes / 1e6).toFixed(2)} MB (at most ${mostBytes / 1e6})`)
if (bytes > mostBytes) {
  console.error("The program is too large.")
  process.exitCode = 1
}
if (ratios.help > targets.help || ratios.list > targets.list) {
  console.error("Commands start too slowly.")
  process.exitCode = 1
}
