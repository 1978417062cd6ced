/**
 * What a call costs its caller, in CPU of this process: `Rows` over fetch and over undici, beside both of them bare
 * with `JSON.parse`, and beside supabase-js. All ask one server, which answers the same bytes to everybody.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Rows } from "@mfgdata/client"
import { WarehouseTransfer } from "@mfgdata/domain"
import { createClient } from "@supabase/supabase-js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { fork } from "node:child_process"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { Agent } from "undici"

const bars = { decoded: 1.5, supabase: 1 }
const key = "mfg_bench_key"
const rounds = 12

const row = (index: number) => ({
  id: `wt_${String(index).padStart(6, "0")}`,
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

/** The server, in a process of its own: as many rows as the limit says. */
const serve = () => {
  const bodies = new Map<string, Buffer>()
  const server = createServer((request, response) => {
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
    process.send?.(typeof address === "object" ? address?.port : undefined)
  })
  process.on("disconnect", () => process.exit())
}

type Call = (limit: number) => Promise<ReadonlyArray<unknown>>

const contenders = async (origin: string) => {
  const headers = { accept: "application/json", authorization: `Bearer ${key}` }
  const agent = new Agent()
  const rowsOver = async (transport: Layer.Layer<HttpClient.HttpClient>): Promise<Call> => {
    const layer = Layer.provide(Rows.layer({ restUrl: `${origin}/rest`, apiKey: key }), transport)
    const rows = await ManagedRuntime.make(layer).runPromise(Rows)
    return (limit) => Effect.runPromise(rows.list(WarehouseTransfer, { limit }))
  }
  const supabase = createClient(origin, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Not used here, and looked for in vain on Node 20.
    realtime: { transport: class {} as never }
  })
  return {
    fetch: async (limit) =>
      JSON.parse(await (await fetch(`${origin}/rest/warehouseTransfer?limit=${limit}`, { headers })).text()),
    undici: async (limit) => {
      const path = `/rest/warehouseTransfer?limit=${limit}`
      const { body } = await agent.request({ origin, path, method: "GET", headers })
      return JSON.parse(await body.text())
    },
    "Rows over fetch": await rowsOver(FetchHttpClient.layer),
    "Rows over undici": await rowsOver(NodeHttpClient.layerUndici),
    "supabase-js": async (limit) => (await supabase.from("warehouseTransfer").select().limit(limit)).data ?? []
  } satisfies { readonly [name: string]: Call }
}

/** Microseconds of CPU a call, some of them always under way. */
const cost = async (call: Call, limit: number, calls: number, inFlight: number): Promise<number> => {
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

const run = async (port: number) => {
  const all = await contenders(`http://127.0.0.1:${port}`)
  const measure = async (limit: number, calls: number, inFlight: number) => {
    const best = new Map<string, number>()
    // In turns and the best of many, so that a busy machine slows all alike.
    for (let round = 0; round < rounds; round++) {
      for (const [name, call] of Object.entries<Call>(all)) {
        const micros = await cost(call, limit, calls, inFlight)
        best.set(name, Math.min(best.get(name) ?? Infinity, micros))
      }
    }
    const of = (name: keyof typeof all) => best.get(name) ?? Number.NaN
    console.log(`${limit} row${limit === 1 ? "" : "s"}, ${inFlight} in flight, us of CPU a call:`)
    for (const [name, micros] of best) {
      console.log(`  ${name.padEnd(18)} ${micros.toFixed(0).padStart(6)}  ${(micros / of("fetch")).toFixed(2)} x fetch`)
    }
    return of
  }
  const one = await measure(1, 400, 32)
  await measure(100, 60, 8)
  const many = await measure(1000, 15, 1)

  const judged = [
    ["1 000 rows over undici, to bare undici", many("Rows over undici") / many("undici"), bars.decoded],
    ["1 000 rows over fetch, to bare fetch", many("Rows over fetch") / many("fetch"), bars.decoded],
    ["one row over undici, to supabase-js", one("Rows over undici") / one("supabase-js"), bars.supabase]
  ] as const
  for (const [what, ratio, bar] of judged) {
    console.log(`${what}: ${ratio.toFixed(2)} (bar ${bar})`)
    if (!(ratio <= bar)) process.exitCode = 1
  }
}

if (process.argv[2] === "serve") serve()
else {
  const server = fork(fileURLToPath(import.meta.url), ["serve"])
  server.once("message", (port) => {
    run(Number(port)).then(
      () => process.exit(),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      }
    )
  })
}
