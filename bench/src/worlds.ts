/**
 * Measures worlds: the cost of a fork and of its first request, a suite of tests with a world each, the memory of many
 * open worlds, the cost of a request in a world relative to main, the diff of two large worlds, and what history adds to
 * writes and reads. The bounds are in processor time, because the real time depends on other programs.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Load from "./Load.ts"
import * as Scratch from "./Scratch.ts"
import * as Subject from "./Subject.ts"

const bin = fileURLToPath(new URL("../../../../apps/mock/dist/mfg-mock.js", import.meta.url))
const folder = Scratch.make()
const isQuick = process.argv.includes("--quick")
const keys = { main: "mfg_main_key_of_the_bench", admin: "mfg_administrator_of_the_bench" }

const serve = (name: string, ...flags: ReadonlyArray<string>): Promise<Subject.Subject> =>
  Subject.start({
    name,
    args: [bin, "serve", "--port", "0", "--store", join(folder, `${name}.db`), "--max-worlds", "5000", ...flags],
    env: { MFG_MOCK_API_KEY: keys.main, MFG_MOCK_ADMIN_KEY: keys.admin, MFG_MOCK_LOG: "off" }
  })

const send = async ({ origin }: Subject.Subject, key: string, method: string, target: string, body?: unknown) => {
  const response = await fetch(origin + target, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`)
  return text
}

const create = async (subject: Subject.Subject, request: object): Promise<string> => {
  const { key }: { readonly key: string } = JSON.parse(
    await send(subject, keys.admin, "POST", "/_mock/worlds", request)
  )
  return key
}

const holiday = (name: string) => ({ name, date: "2027-01-01", companyId: "demo" })

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

/** The processor time of the service and the real time of some work, in milliseconds. */
const measure = async (subject: Subject.Subject, work: () => Promise<unknown>) => {
  const before = await subject.cpu()
  const begin = performance.now()
  await work()
  const millis = performance.now() - begin
  return { cpu: ((await subject.cpu()) - before) * 1000, millis }
}

/** Runs work for all items, a few at a time. */
const eachOf = async <A>(items: ReadonlyArray<A>, lanes: number, work: (item: A) => Promise<unknown>) => {
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

console.log("| what | measured | at most |\n| --- | --- | --- |")
const report = (what: string, value: number, unit: string, most: number | undefined) => {
  const text = (number: number) => `${number.toFixed(number < 10 ? 2 : 0)} ${unit}`
  console.log(`| ${what} | ${text(value)} | ${most === undefined ? "" : text(most)} |`)
  if (most !== undefined && value > most) process.exitCode = 1
}

const forks = async () => {
  const subject = await serve("forks")
  await create(subject, { name: "warm" })
  const keysOf: Array<string> = []
  const count = 100
  const made = await measure(subject, async () => {
    for (const name of names("fork", count)) keysOf.push(await create(subject, { name }))
  })
  report("fork of the demo seed, processor time", made.cpu / count, "ms", 5)
  report(`${count} forks, processor time`, made.cpu / 1000, "s", 1)
  report(`${count} forks, real time`, made.millis / 1000, "s", undefined)
  const opened = await measure(subject, async () => {
    for (const key of keysOf) await send(subject, key, "GET", "/rest/holiday?limit=1")
  })
  report("first request of a fork, processor time", opened.cpu / count, "ms", undefined)
  const tests = names("test", 200)
  const suite = await measure(subject, () =>
    eachOf(tests, 4, async (name) => {
      const key = await create(subject, { name })
      const { id }: { readonly id: string } = JSON.parse(
        await send(subject, key, "POST", "/rest/holiday", holiday(name))
      )
      await send(subject, key, "GET", `/rest/holiday?id=eq.${id}`)
      await send(subject, key, "PATCH", `/rest/holiday?id=eq.${id}`, { name: "Renamed" })
      await send(subject, key, "GET", "/rest/holiday?name=eq.Renamed")
      await send(subject, keys.admin, "DELETE", `/_mock/worlds/${name}`)
    })
  )
  report(`${tests.length} tests with a world each, processor time`, suite.cpu / 1000, "s", 5)
  report(`${tests.length} tests with a world each, real time`, suite.millis / 1000, "s", undefined)
  await subject.stop()
}

const memory = async () => {
  const subject = await serve("memory")
  const count = isQuick ? 200 : 1000
  await eachOf(names("open", count), 4, async (name) => {
    const key = await create(subject, { name })
    await send(subject, key, "POST", "/rest/holiday", holiday(name))
    await send(subject, key, "GET", "/rest/holiday?order=date&limit=5")
  })
  const megabytes = (await subject.memory()) / 1024 ** 2
  report(`memory of ${count} open worlds`, megabytes, "MB", isQuick ? undefined : 1000)
  await subject.stop()
}

const requests = async () => {
  const subject = await serve("requests")
  let deep = ""
  let parent = "main"
  for (const name of names("deep", 100)) {
    deep = await create(subject, { name, from: parent })
    await send(subject, deep, "POST", "/rest/holiday", holiday(name))
    parent = name
  }
  const world = await create(subject, { name: "world" })
  const count = isQuick ? 4000 : 12_000
  const kinds = {
    "one row": { method: "GET", target: "/rest/holiday?date=eq.2027-01-01&limit=1", body: "" },
    create: { method: "POST", target: "/rest/holiday", body: JSON.stringify(holiday("Measured")) }
  }
  for (const [kind, { body, method, target }] of Object.entries(kinds)) {
    const best = new Map<string, number>()
    // In turns, so that a busy machine slows all alike. The first round warms up.
    for (let round = 0; round < 5; round++) {
      for (const [name, key] of [
        ["main", keys.main],
        ["a world", world],
        ["a fork a hundred deep", deep]
      ] as const) {
        const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
        const bytes = Load.request(method, target, headers, body)
        const { cpu } = await measure(subject, () =>
          Load.run(subject, { connections: 16, requests: count / 4, next: () => bytes })
        )
        if (round > 0) best.set(name, Math.min(best.get(name) ?? Infinity, cpu))
      }
    }
    const main = best.get("main") ?? 0
    for (const name of ["a world", "a fork a hundred deep"]) {
      report(`${kind} in ${name}, of main`, (best.get(name) ?? 0) / main, "x", 1.05)
    }
  }
  await subject.stop()
}

const diff = async () => {
  const subject = await serve("diff")
  const rows = isQuick ? 20_000 : 100_000
  const batch = 10_000
  for (let sent = 0; sent < rows; sent += batch) {
    const list = Array.from({ length: batch }, (_, index) => holiday(`Day ${sent + index}`))
    await send(subject, keys.main, "POST", "/rest/holiday", list)
  }
  const key = await create(subject, { name: "changed" })
  await send(subject, key, "PATCH", "/rest/holiday?year=eq.4000&limit=1", { name: "Changed" })
  await send(subject, key, "DELETE", "/rest/holiday?name=eq.Day%20900")
  const target = "/_mock/diff?from=main&to=changed"
  const first = await measure(subject, () => send(subject, keys.admin, "GET", target))
  report(`diff of two worlds of ${rows} rows, processor time`, first.cpu / 1000, "s", 1)
  report(`diff of two worlds of ${rows} rows, real time`, first.millis / 1000, "s", undefined)
  const fork = await measure(subject, () => create(subject, { name: "large" }))
  report(`fork of ${rows} rows, real time`, fork.millis, "ms", undefined)
  await subject.stop()
}

/** The cost of history: a create that it records, and reads as of a time in a hundred thousand changes. */
const history = async () => {
  const [off, on] = [await serve("plain", "--history", "off"), await serve("recorded", "--history", "on")]
  const count = isQuick ? 2000 : 8000
  const body = JSON.stringify(holiday("Measured"))
  const bytes = Load.request(
    "POST",
    "/rest/holiday",
    { Authorization: `Bearer ${keys.main}`, "Content-Type": "application/json" },
    body
  )
  const best = new Map<Subject.Subject, number>()
  for (let round = 0; round < 5; round++) {
    for (const subject of [off, on]) {
      const { cpu } = await measure(subject, () =>
        Load.run(subject, { connections: 16, requests: count, next: () => bytes })
      )
      if (round > 0) best.set(subject, Math.min(best.get(subject) ?? Infinity, cpu))
    }
  }
  report("create with history, of one without", (best.get(on) ?? 0) / (best.get(off) ?? 1), "x", 1.25)
  await off.stop()
  const rows = isQuick ? 10_000 : 50_000
  // A request changes ten thousand rows at most, which have a year in common.
  const years = Array.from({ length: rows / 10_000 }, (_, index) => 3000 + index)
  for (const year of years) {
    const list = Array.from({ length: 10_000 }, (_, index) => ({ ...holiday(`Day ${year}, ${index}`), year }))
    await send(on, keys.main, "POST", "/rest/holiday", list)
  }
  const then = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 20))
  for (const year of years) await send(on, keys.main, "PATCH", `/rest/holiday?year=eq.${year}`, { year: year + 1000 })
  const [first]: ReadonlyArray<{ readonly id: string }> = JSON.parse(
    await send(on, keys.main, "GET", "/rest/holiday?year=eq.4000&limit=1")
  )
  for (const [what, target, most] of [
    ["one row", `/rest/holiday?id=eq.${first?.id}`, 3],
    ["a list of 100", "/rest/holiday?limit=100", 10]
  ] as const) {
    const cost = async (headers: { readonly [name: string]: string }) => {
      const read = Load.request("GET", target, { Authorization: `Bearer ${keys.main}`, ...headers })
      let least = Infinity
      for (let round = 0; round < 4; round++) {
        const { cpu } = await measure(on, () => Load.run(on, { connections: 4, requests: 400, next: () => read }))
        if (round > 0) least = Math.min(least, cpu)
      }
      return least
    }
    report(
      `${what} as of a time, of a plain read`,
      (await cost({ "Accept-Datetime": then })) / (await cost({})),
      "x",
      most
    )
  }
  await on.stop()
}

for (const part of [forks, memory, requests, diff, history]) await part()
