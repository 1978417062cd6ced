/**
 * Measures `mfg pull` and `mfg push` of many rows against `mfg export` and `mfg import`: their time, and their memory
 * with many rows against few. A push ends with a pull of the rows that the service made, so it is compared with both
 * commands together. `--quick` takes fewer rows.
 */
import { spawnSync } from "node:child_process"
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Scratch from "./Scratch.ts"
import * as Subject from "./Subject.ts"

const many = process.argv.includes("--quick") ? 20_000 : 100_000
const few = many / 10
const key = "mfg_local_development"
/** The largest allowed ratios: of a time to that of the other command, and of memory with ten times the rows. */
const most = { time: 1.5, memory: 1.5 } as const

const app = (path: string): string => fileURLToPath(new URL(`../../../../apps/${path}`, import.meta.url))
const folder = Scratch.make()

/** Makes each process write its memory at the end. */
const usage = join(folder, "usage")
const preload = join(folder, "usage.cjs")
writeFileSync(
  preload,
  `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(usage)}, String(process.resourceUsage().maxRSS)))`
)

interface Figures {
  readonly seconds: number
  readonly megabytes: number
}

const commandsOf =
  (origin: string, cwd: string) =>
  (...args: ReadonlyArray<string>): Figures => {
    const urls = { MFG_REST_URL: `${origin}/rest`, MFG_BASE_URL: `${origin}/api/v1`, MFG_API_KEY: key }
    const start = performance.now()
    const { status, stderr } = spawnSync(process.execPath, ["-r", preload, app("cli/dist/mfg.js"), ...args], {
      cwd,
      env: { ...process.env, ...urls, XDG_CONFIG_HOME: folder },
      encoding: "utf8"
    })
    if (status !== 0) throw new Error(`mfg ${args.join(" ")} ended with ${status}: ${stderr}`)
    return { seconds: (performance.now() - start) / 1000, megabytes: Number(readFileSync(usage, "utf8")) / 1024 }
  }

const linesOf = (rows: number): string =>
  Array.from({ length: rows }, (_, index) => {
    const texts = {
      journalId: `journal ${index % 97}`,
      journalLineReference: `row ${index}`,
      description: "Fastener",
      companyId: "demo"
    }
    return `${JSON.stringify({ ...texts, amount: index / 100, quantity: index, accrual: index % 2 === 0 })}\n`
  }).join("")

/** The figures of the four commands for some rows, each at a new service. */
const measure = async (rows: number) => {
  const serve = async (name: string) => {
    const store = `sqlite:${join(folder, `${name}-${rows}.db`)}`
    const args = [app("mock/dist/mfg-mock.js"), "serve", "--port", "0", "--store", store]
    const service = await Subject.start({ name, args, env: { MFG_MOCK_API_KEY: key } })
    return { service, mfg: commandsOf(service.origin, folder) }
  }
  const first = await serve("imported")
  const file = `rows-${rows}.ndjson`
  writeFileSync(join(folder, file), linesOf(rows))
  const figures = {
    import: first.mfg("journalLine", "import", file),
    export: first.mfg("journalLine", "export", "--to", `export-${rows}.ndjson`),
    pull: first.mfg("pull", "journalLine", "--into", `pulled-${rows}`)
  }
  await first.service.stop()
  const second = await serve("pushed")
  second.mfg("pull", "journalLine", "--into", `pushed-${rows}`)
  appendFileSync(join(folder, `pushed-${rows}/journalLine.ndjson`), linesOf(rows))
  const push = second.mfg("push", `pushed-${rows}`)
  await second.service.stop()
  return { ...figures, push }
}

const small = await measure(few)
const large = await measure(many)

console.log(
  `${many} rows; memory is compared with that of ${few}.\n\n| command | rows/s | against | time | memory |\n| --- | --- | --- | --- | --- |`
)
for (const [name, others] of [
  ["pull", ["export"]],
  ["push", ["import", "export"]]
] as const) {
  const time = large[name].seconds / others.reduce((sum, other) => sum + large[other].seconds, 0)
  const memory = large[name].megabytes / small[name].megabytes
  const rate = (many / large[name].seconds).toFixed(0)
  const megabytes = `${memory.toFixed(2)}x (${large[name].megabytes.toFixed(0)} MB)`
  console.log(`| ${name} | ${rate} | ${others.join(" and ")} | ${time.toFixed(2)}x | ${megabytes} |`)
  if (time > most.time || memory > most.memory) process.exitCode = 1
}
console.log(`\nAt most ${most.time}x the time, and ${most.memory}x the memory.`)
