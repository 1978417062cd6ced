/**
 * The callers in the bench of the client: `Rows` and its alternatives. All request a number of rows from a server and
 * return the parsed JSON.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Rows } from "@mfgdata/client"
import { Query, WarehouseTransfer, WarehouseTransferId } from "@mfgdata/domain"
import { World, layer } from "@mfgdata/mock/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"

/** Requests the given number of rows. */
export type Caller = (limit: number) => Promise<ReadonlyArray<unknown>>

const key = "mfg_bench_key"
const headers = { accept: "application/json", authorization: `Bearer ${key}` }
const targetOf = (limit: number) => `/rest/warehouseTransfer?limit=${limit}`

const rowsOver = async (origin: string, transport: Layer.Layer<HttpClient.HttpClient>): Promise<Caller> => {
  const service = Layer.provide(Rows.layer({ restUrl: `${origin}/rest`, apiKey: key }), transport)
  const rows = await ManagedRuntime.make(service).runPromise(Rows)
  return (limit) => Effect.runPromise(rows.list(WarehouseTransfer, { limit }))
}

/** The transport of `Rows` with only `JSON.parse`. */
const parsedOver = async (origin: string, transport: Layer.Layer<HttpClient.HttpClient>): Promise<Caller> => {
  const client = await ManagedRuntime.make(transport).runPromise(HttpClient.HttpClient)
  return (limit) =>
    client.get(origin + targetOf(limit), { headers }).pipe(
      Effect.flatMap((response) => response.text),
      Effect.map((text): ReadonlyArray<unknown> => JSON.parse(text)),
      Effect.withTracerEnabled(false),
      Effect.runPromise
    )
}

/** Retrieves as many rows by their keys in one batch; a batch of too many requests fails. */
const batchOver = async (origin: string, transport: Layer.Layer<HttpClient.HttpClient>): Promise<Caller> => {
  let requests = 0
  const counted = Layer.map(transport, (context) =>
    Context.add(
      context,
      HttpClient.HttpClient,
      HttpClient.mapRequest(Context.get(context, HttpClient.HttpClient), (request) => {
        requests++
        return request
      })
    )
  )
  const service = Layer.provide(Rows.layer({ restUrl: `${origin}/rest`, apiKey: key }), counted)
  const rows = await ManagedRuntime.make(service).runPromise(Rows)
  return async (limit) => {
    const keys = Array.from({ length: limit }, (_, index) => WarehouseTransferId.make(keyOf(index)))
    requests = 0
    const retrieve = (key: WarehouseTransferId) => rows.retrieve(WarehouseTransfer, key)
    const retrieved = await Effect.runPromise(Effect.forEach(keys, retrieve, { batching: true }))
    if (requests > maxBatchRequests) throw new Error(`${requests} requests for ${limit} rows`)
    return retrieved
  }
}

/**
 * The floor of a batch: Effect's batching of calls that do nothing, and the requests of the batch as lists. Each call
 * gives way to the next one, and continues when all of them wait.
 */
const floorOver = async (origin: string, transport: Layer.Layer<HttpClient.HttpClient>): Promise<Caller> => {
  const service = Layer.provide(Rows.layer({ restUrl: `${origin}/rest`, apiKey: key }), transport)
  const rows = await ManagedRuntime.make(service).runPromise(Rows)
  const call = Effect.blocked({ _tag: "Empty" }, Effect.void)
  return async (limit) => {
    const keys = Array.from({ length: limit }, (_, index) => WarehouseTransferId.make(keyOf(index)))
    const parts = Array.from({ length: Math.ceil(limit / 200) }, (_, index) =>
      keys.slice(index * 200, index * 200 + 200)
    )
    const list = (part: ReadonlyArray<WarehouseTransferId>) =>
      rows.list(WarehouseTransfer, { where: { id: Query.in(part) } })
    await Effect.runPromise(Effect.forEach(keys, () => call, { batching: true }))
    return (await Effect.runPromise(Effect.forEach(parts, list, { concurrency: 4 }))).flat()
  }
}

/** The most requests of a batch of 1 000 rows. */
const maxBatchRequests = 15

/** The key of a row of the server. */
export const keyOf = (index: number): string => `wt_${String(index).padStart(6, "0")}`

/** The callers by name; a caller loads the modules that only it needs. */
export const callers = {
  fetch: async (origin) => async (limit) =>
    JSON.parse(await (await fetch(origin + targetOf(limit), { headers })).text()),
  undici: async (origin) => {
    const { Agent } = await import("undici")
    const agent = new Agent()
    return async (limit) => {
      const { body } = await agent.request({ origin, path: targetOf(limit), method: "GET", headers })
      return JSON.parse(await body.text())
    }
  },
  "HttpClient over fetch": (origin) => parsedOver(origin, FetchHttpClient.layer),
  "HttpClient over undici": (origin) => parsedOver(origin, NodeHttpClient.layerUndici),
  "Rows over fetch": (origin) => rowsOver(origin, FetchHttpClient.layer),
  "Rows over undici": (origin) => rowsOver(origin, NodeHttpClient.layerUndici),
  "batch over undici": (origin) => batchOver(origin, NodeHttpClient.layerUndici),
  "floor of a batch": (origin) => floorOver(origin, NodeHttpClient.layerUndici),
  "supabase-js": async (origin) => {
    const { createClient } = await import("@supabase/supabase-js")
    const supabase = createClient(origin, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      // Unused here, and missing on Node 20.
      realtime: { transport: class {} as never }
    })
    return async (limit) => (await supabase.from("warehouseTransfer").select().limit(limit)).data ?? []
  },
  /** Reads one row by its key from a service in the same process. */
  "Rows in process": async () => {
    const rows = Effect.flatMap(World, ({ apiKey, restUrl }) => Rows.make({ restUrl, apiKey }))
    const context = await ManagedRuntime.make(layer()).runtime()
    return Effect.runPromise(
      Effect.gen(function* () {
        const service = yield* rows
        const [first] = yield* service.list(WarehouseTransfer, { select: ["id"], limit: 1 })
        if (first === undefined) throw new Error("the demo has no transfer")
        return () => Effect.runPromise(Effect.map(service.retrieve(WarehouseTransfer, first.id), (row) => [row]))
      }).pipe(Effect.provide(context))
    )
  }
} satisfies { readonly [name: string]: (origin: string) => Promise<Caller> }

export type Name = keyof typeof callers
