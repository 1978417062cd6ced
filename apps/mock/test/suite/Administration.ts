/** Requests to the administrator's interface in the tests of the history, and the streams that follow it. */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Service from "./Service.ts"

/** The settings of a service that keeps its history. */
export const options = { adminKey: "mfg_suite_history", aggregates: "on", history: "on" } as const

const admin = { authorization: `Bearer ${options.adminKey}` }

export type Entry = typeof AdminApi.HistoryEntry.Encoded

/** A request to the administrator's interface, and its body as JSON. */
export const manage = (method: string, path: string, body?: unknown) =>
  Effect.gen(function* () {
    const { service } = yield* Service.Service
    const response = yield* service.handle({
      method,
      target: `/_mock${path}`,
      headers: admin,
      body: body === undefined ? "" : JSON.stringify(body)
    })
    const value: unknown = JSON.parse(String(response.body))
    return { status: response.status, value, headers: response.headers }
  })

/** The changes that a query selects. */
export const listed = (query: string) =>
  Effect.map(manage("GET", `/history${query}`), ({ status, value }) => {
    assert.strictEqual(status, 200, JSON.stringify(value))
    // The service encodes its schema.
    return value as ReadonlyArray<Entry>
  })

/** The newest change. */
export const newest = Effect.map(listed("?limit=1"), ([entry]) => {
  if (entry === undefined) throw new Error("the history is empty")
  return entry
})

/** The time of the service. */
export const now = Effect.map(Service.Service, ({ world }) => new Date(world.now()).toISOString())

/** The header of a read as of a time. */
export const at = (timestamp: string) => ({ headers: { "accept-datetime": timestamp } })

export const tick = TestClock.adjust("1 second")

export const holiday = (name: string): JsonObject => ({
  name,
  date: "2026-12-24",
  companyId: Service.members.operator.companyId
})

/** A new holiday, under a name that no other test uses. */
export const created = (name: string) =>
  Effect.gen(function* () {
    const { done } = yield* Service.Service
    yield* tick
    const { row } = yield* done("POST", "/rest/holiday", { body: holiday(name) })
    const id = String(row["id"])
    return { row, id, target: `/rest/holiday?id=eq.${id}` }
  })

/** Reads events of a stream until a number of them is there. */
export const events = async (
  stream: AsyncIterator<string>,
  count: number
): Promise<ReadonlyArray<Entry & { readonly id: string }>> => {
  const found: Array<Entry & { readonly id: string }> = []
  while (found.length < count) {
    const { done, value } = await stream.next()
    if (done === true) break
    const [, id = "", data = ""] = /^id: (\d+)\ndata: (.*)\n\n$/.exec(value) ?? []
    if (data !== "") found.push({ ...JSON.parse(data), id })
  }
  return found
}

/** Follows the history until the scope ends. */
export const followed = (query = "", lastEventId?: string) =>
  Effect.gen(function* () {
    const { service } = yield* Service.Service
    const resumed = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
    const { headers, status, stream } = yield* service.handle({
      method: "GET",
      target: `/_mock/history${query}`,
      headers: { ...admin, ...resumed, accept: "text/event-stream" },
      body: ""
    })
    assert.strictEqual(status, 200)
    assert.strictEqual(headers["Content-Type"], "text/event-stream; charset=utf-8")
    const controller = new AbortController()
    const iterator = stream?.(controller.signal)[Symbol.asyncIterator]()
    if (iterator === undefined) throw new Error("the response has no stream")
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        controller.abort()
        await iterator.return?.()
      })
    )
    return iterator
  })
