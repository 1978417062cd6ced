/**
 * Measures what armed fault rules cost the requests that they do not match, in processor time relative to a service
 * without rules, and what the record of the traffic costs.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Load from "./Load.ts"
import * as Scratch from "./Scratch.ts"
import * as Subject from "./Subject.ts"

const bin = fileURLToPath(new URL("../../../../apps/mock/dist/mfg-mock.js", import.meta.url))
const folder = Scratch.make()
const keys = { main: "mfg_main_key_of_the_bench", admin: "mfg_administrator_of_the_bench" }
const count = process.argv.includes("--quick") ? 2000 : 8000
const rounds = 13

const serve = (name: string, ...flags: ReadonlyArray<string>): Promise<Subject.Subject> =>
  Subject.start({
    name,
    args: [bin, "serve", "--port", "0", "--store", join(folder, `${name}.db`), ...flags],
    env: { MFG_MOCK_API_KEY: keys.main, MFG_MOCK_ADMIN_KEY: keys.admin, MFG_MOCK_LOG: "off" }
  })

const administer = async ({ origin }: Subject.Subject, method: string, path: string, body?: object) => {
  const response = await fetch(`${origin}/_mock${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.admin}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

/** Rules of every kind of match, none of which the requests of the load have. */
const rules = Array.from({ length: 100 }, (_, index) => {
  const matches = [
    { method: "DELETE" },
    { resource: "kanban" },
    { operation: "getCurrentUser" },
    { path: `/rest/none-${index}` },
    { header: { "X-Client": String(index) } }
  ]
  return { name: `rule ${index}`, match: matches[index % matches.length], status: 503 }
})

const read = Load.request("GET", "/rest/holiday?limit=1", { Authorization: `Bearer ${keys.main}` })

/** The processor time of the requests of a load, in milliseconds. */
const measure = async (subject: Subject.Subject) => {
  const before = await subject.cpu()
  await Load.run(subject, { connections: 16, requests: count, next: () => read })
  return ((await subject.cpu()) - before) * 1000
}

console.log("| what | measured | at most |\n| --- | --- | --- |")
const report = (what: string, ratio: number, most: number | undefined) => {
  console.log(`| ${what} | ${ratio.toFixed(2)} x | ${most === undefined ? "" : `${most} x`} |`)
  if (most !== undefined && ratio > most) process.exitCode = 1
}

/** Measures two states in turns, so that a busy machine slows both alike; the first round warms up. */
const compare = async (one: () => Promise<number>, other: () => Promise<number>): Promise<number> => {
  const best = { one: Infinity, other: Infinity }
  for (let round = 0; round < rounds; round++) {
    const [first, second] = [await one(), await other()]
    if (round > 0) {
      best.one = Math.min(best.one, first)
      best.other = Math.min(best.other, second)
    }
  }
  return best.other / best.one
}

const subject = await serve("rules", "--traffic", "0")
const without = async () => {
  await administer(subject, "DELETE", "/faults")
  return measure(subject)
}
const withRules = async () => {
  for (const rule of rules) await administer(subject, "POST", "/faults", rule)
  return measure(subject)
}
report("reads of one row with 100 rules that do not match", await compare(without, withRules), 1.05)
await administer(subject, "DELETE", "/faults")

const recording = await serve("traffic")
report(
  "reads of one row whose traffic is recorded",
  await compare(
    () => measure(subject),
    () => measure(recording)
  ),
  undefined
)
await subject.stop()
await recording.stop()
