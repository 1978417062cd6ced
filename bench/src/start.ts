/**
 * Measures the startup time of the programs relative to an empty Node, and the memory of an idle service.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Scratch from "./Scratch.ts"
import * as Subject from "./Subject.ts"

const rounds = 10
const app = (path: string): string => fileURLToPath(new URL(`../../../../apps/${path}`, import.meta.url))
const bin = app("mock/dist/mfg-mock.js")
const folder = Scratch.make()

/** Milliseconds until a program has ended. */
const untilEnd = async (...args: ReadonlyArray<string>): Promise<number> => {
  const begin = performance.now()
  const [code] = await once(spawn(process.execPath, args, { stdio: "ignore" }), "exit")
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`)
  return performance.now() - begin
}

let memory = Infinity

/** Milliseconds until a service prints that it is ready. */
const untilReady = async (store: string): Promise<number> => {
  const begin = performance.now()
  const service = await Subject.start({ name: "mfg-mock", args: [bin, "serve", "--port", "0", "--store", store] })
  const response = await fetch(`${service.origin}/health/ready`)
  const millis = performance.now() - begin
  if (!response.ok) throw new Error(await response.text())
  memory = Math.min(memory, await service.memory())
  await service.stop()
  return millis
}

let stores = 0

/** The largest allowed ratio to the first. */
const programs = [
  { what: "node -e 0", most: 1, run: () => untilEnd("-e", "0") },
  { what: "mfg --help", most: 2.7, run: () => untilEnd(app("cli/dist/mfg.js"), "--help") },
  { what: "mfg-mock serve, new store", most: 6, run: () => untilReady(`sqlite:${join(folder, `${++stores}.db`)}`) },
  { what: "mfg-mock serve, known store", most: 6, run: () => untilReady(`sqlite:${join(folder, "known.db")}`) }
] as const

const mostMemory = 100

const best = new Map<string, number>()
// In turns, so that a busy machine slows all alike. The first round creates the store that later rounds open.
for (let round = 0; round <= rounds; round++) {
  for (const { run, what } of programs) {
    const millis = await run()
    if (round > 0) best.set(what, Math.min(best.get(what) ?? Infinity, millis))
  }
}

const floor = best.get(programs[0].what) ?? 0
console.log("| program | ms | of node -e 0 | at most |\n| --- | --- | --- | --- |")
for (const { most, what } of programs) {
  const millis = best.get(what) ?? 0
  console.log(`| ${what} | ${millis.toFixed(0)} | ${(millis / floor).toFixed(1)}x | ${most}x |`)
  if (millis > floor * most) process.exitCode = 1
}
const megabytes = memory / 1024 ** 2
console.log(`\nAn idle service holds ${megabytes.toFixed(0)} MB, at most ${mostMemory} MB.`)
if (megabytes > mostMemory) process.exitCode = 1
