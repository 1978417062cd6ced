/**
 * Measures the CPU time of a call in the caller's process: `Rows` over fetch and over undici, compared with bare
 * fetch and undici with `JSON.parse`, and with supabase-js. All call one server, which sends the same bytes to each;
 * another caller has the whole service in its process, as tests have.
 *
 * Each caller has a process of its own, so that no caller pays for another's garbage. They take turns, and the result
 * is the median of the ratios of neighbouring turns: a machine that is busy for a while slows both.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { type Caller, callers, keyOf, type Name } from "./Callers.ts"

/**
 * A batch of 1 000 rows is measured against a list of as many rows, and against its floor: the five requests of the
 * batch as lists, and Effect's batching of calls that do nothing, which alone costs two to three lists.
 */
const targets = { decoded: 1.5, supabase: 1, inProcess: 150, batch: 6.5, batchFloor: 1.7 }
const turns = 15

const row = (index: number) => ({
  id: keyOf(index),
  createdBy: "operations",
  createdAt: "2026-04-06T07:30:00Z",
  transferId: `WT${String(index).padStart(6, "0")}`,
  fromLocationId: "loc_plant",
  toLocationId: "loc_harbour",
  status: "Draft",
  companyId: "demo",
  transferDate: "2026-04-06",
  expectedReceiptDate: null,
  notes: "By lorry, both pallets.",
  reference: null,
  customFields: null,
  tags: ["planned"]
})

/** The rows of a list of keys. */
const listed = (url: string): string | undefined => {
  if (!url.includes("in.")) return undefined
  const keys = [...url.matchAll(/wt_(\d{6})/g)]
  return JSON.stringify(keys.map(([, index]) => row(Number(index))))
}

/** The server, which returns as many rows as the limit, or those of a list of keys. */
const serve = () => {
  const bodies = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const rows = listed(request.url ?? "")
    if (rows !== undefined) {
      response.writeHead(200, { "Content-Type": "application/json" }).end(rows)
      return
    }
    const limit = /limit=(\d+)/.exec(request.url ?? "")?.[1] ?? "1"
    let body = bodies.get(limit)
    if (body === undefined) {
      body = Buffer.from(JSON.stringify(Array.from({ length: Number(limit) }, (_, index) => row(index))))
      bodies.set(limit, body)
    }
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length }).end(body)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    process.send?.(typeof address === "object" ? `http://127.0.0.1:${address?.port}` : undefined)
  })
}

/** Calls for a number of rows, with a fixed number in flight. */
interface Turn {
  readonly limit: number
  readonly calls: number
  readonly inFlight: number
}

/** Microseconds of CPU per call. */
const cost = async (call: Caller, { calls, inFlight, limit }: Turn): Promise<number> => {
  let left = calls
  const worker = async () => {
    while (left-- > 0)
      if ((await call(limit)).length !== limit) throw new Error("an answer has the wrong number of rows")
  }
  const start = process.cpuUsage()
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { system, user } = process.cpuUsage(start)
  return (system + user) / calls
}

const take = async (name: Name, origin: string) => {
  const call = await callers[name](origin)
  process.on("message", (turn) => void cost(call, turn as Turn).then((micros) => process.send?.(micros)))
  process.send?.("ready")
}

const begin = async (...args: ReadonlyArray<string>): Promise<readonly [ChildProcess, unknown]> => {
  const child = fork(fileURLToPath(import.meta.url), args, { execArgv: ["--no-warnings"] })
  child.once("exit", (code) => {
    if (code !== null) process.exit(1)
  })
  const [said] = await once(child, "message")
  return [child, said]
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, another) => one - another)[Math.floor(values.length / 2)] ?? Number.NaN

/** The costs of all turns of each caller. */
const measure = async (processes: ReadonlyArray<readonly [Name, ChildProcess]>, turn: Turn) => {
  const costs = new Map(processes.map(([name]): [Name, Array<number>] => [name, []]))
  for (let index = -2; index < turns; index++) {
    for (const [name, child] of processes) {
      child.send(turn)
      const [micros] = await once(child, "message")
      // The engine still compiles in the first turns.
      if (index >= 0) costs.get(name)?.push(Number(micros))
    }
  }
  const of = (name: Name) => costs.get(name) ?? []
  const ratio = (name: Name, to: Name) => median(of(name).map((micros, index) => micros / (of(to)[index] ?? 0)))
  console.log(`${turn.limit} row${turn.limit === 1 ? "" : "s"}, ${turn.inFlight} in flight, us of CPU a call:`)
  const [[first] = ["fetch" as const]] = processes
  for (const [name, micros] of costs) {
    console.log(
      `  ${name.padEnd(22)} ${median(micros).toFixed(0).padStart(6)}  ${ratio(name, first).toFixed(2)} x ${first}`
    )
  }
  return { of, ratio }
}

const run = async () => {
  const [, said] = await begin("serve")
  const start = async (name: Name) => [name, (await begin("take", name, String(said)))[0]] as const
  const remote: Array<readonly [Name, ChildProcess]> = []
  for (const name of [
    "fetch",
    "HttpClient over fetch",
    "Rows over fetch",
    "undici",
    "HttpClient over undici",
    "Rows over undici",
    "supabase-js"
  ] as const) {
    remote.push(await start(name))
  }
  const one = await measure(remote, { limit: 1, calls: 500, inFlight: 32 })
  await measure(remote, { limit: 100, calls: 60, inFlight: 8 })
  const many = await measure(remote, { limit: 1000, calls: 25, inFlight: 1 })
  const batch = await measure(
    [await start("Rows over undici"), await start("floor of a batch"), await start("batch over undici")],
    { limit: 1000, calls: 10, inFlight: 1 }
  )
  const near = await measure([await start("Rows in process")], { limit: 1, calls: 2000, inFlight: 1 })

  const judged = [
    ["1 000 rows over undici, to bare undici", many.ratio("Rows over undici", "undici"), targets.decoded],
    ["1 000 rows over fetch, to bare fetch", many.ratio("Rows over fetch", "fetch"), targets.decoded],
    ["one row over undici, to supabase-js", one.ratio("Rows over undici", "supabase-js"), targets.supabase],
    ["a batch of 1 000 rows, to a list of them", batch.ratio("batch over undici", "Rows over undici"), targets.batch],
    ["a batch of 1 000 rows, to its floor", batch.ratio("batch over undici", "floor of a batch"), targets.batchFloor],
    ["one row in process, us", median(near.of("Rows in process")), targets.inProcess]
  ] as const
  for (const [what, value, target] of judged) {
    console.log(`${what}: ${value.toFixed(target < 10 ? 2 : 0)} (target ${target})`)
    if (!(value <= target)) process.exitCode = 1
  }
}

const [role, name, origin = ""] = process.argv.slice(2)
process.on("disconnect", () => process.exit())
if (role === "serve") serve()
else if (role === "take") await take(name as Name, origin)
else {
  await run()
  process.exit()
}
