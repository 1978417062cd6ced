/** Tests the list of changes, their undo, the explanation of a row, and the stream that follows the changes. */
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as path from "node:path"
import { setImmediate } from "node:timers/promises"
import { scratch } from "../store/scratch.ts"
import { at, created, events, followed, holiday, listed, manage, newest, now, tick } from "./Administration.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const undo = (sequence: number | string) => manage("POST", `/history/${sequence}/undo`)

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("keeps every change with the row before and after it, its request and its key", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      const { id, row, target } = yield* created("kept")
      yield* tick
      const changed = yield* done("PATCH", target, { body: { name: "kept 2" }, headers: { "x-request-id": "r7" } })
      yield* tick
      yield* done("DELETE", target)
      yield* ask("DELETE", target)
      const entries = yield* listed(`?resource=holiday&key=${id}`)
      assert.deepStrictEqual(
        entries.map(({ after, apiKey, before, key, kind, resource, userId }) => ({
          kind,
          before,
          after,
          apiKey,
          key,
          resource,
          userId
        })),
        [
          { kind: "DELETE" as const, before: changed.row, after: null },
          { kind: "UPDATE" as const, before: row, after: changed.row },
          { kind: "INSERT" as const, before: null, after: row }
        ].map((entry) => ({ ...entry, apiKey: "installed", key: id, resource: "holiday", userId: "operator" }))
      )
      assert.strictEqual(entries[1]?.requestId, "r7")
      assert.isTrue(entries.every(({ requestId, sequence }) => requestId !== null && sequence > 0))
    })
  )

  it.effect("selects changes by resource, key, time, request and user, page by page", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* tick
      const since = yield* now
      const headers = { "x-request-id": "selected" }
      yield* done("POST", "/rest/holiday", { headers, body: [1, 2, 3].map((number) => holiday(`selected ${number}`)) })
      yield* tick
      const until = yield* now
      yield* tick
      yield* done("DELETE", "/rest/holiday?name=like.selected*", { as: "colleague" })
      const kinds = (query: string) => Effect.map(listed(query), (entries) => entries.map(({ kind }) => kind))
      assert.deepStrictEqual(yield* kinds(`?since=${since}&until=${until}`), ["INSERT", "INSERT", "INSERT"])
      assert.deepStrictEqual(yield* kinds("?request=selected"), ["INSERT", "INSERT", "INSERT"])
      assert.deepStrictEqual(yield* kinds(`?since=${since}&user=colleague`), ["DELETE", "DELETE", "DELETE"])
      const first = yield* listed(`?since=${since}&limit=4`)
      const second = yield* listed(`?since=${since}&limit=4&after=${first.at(-1)?.sequence}`)
      assert.deepStrictEqual([first.length, second.length], [4, 2])
      const numbers = [...first, ...second].map(({ sequence }) => sequence)
      assert.deepStrictEqual(
        numbers,
        numbers.toSorted((one, other) => other - one)
      )
    })
  )

  it.effect("has no change for requests that change nothing, fail or are rolled back", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      const { id, target } = yield* created("rolled back")
      yield* done("PATCH", target, { body: { name: "b" }, headers: { prefer: "tx=rollback" } })
      yield* done("PATCH", target, { body: {} })
      yield* ask("PATCH", target, { body: { name: null } })
      assert.lengthOf(yield* listed(`?resource=holiday&key=${id}`), 1)
    })
  )

  it.effect("undoes a creation, an update and a deletion", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      const { row, target } = yield* created("undone")
      yield* done("PATCH", target, { body: { name: "other", customFields: { a: [1.5, null] } } })
      const update = yield* newest
      yield* tick
      const undone = yield* undo(update.sequence)
      assert.strictEqual(undone.status, 200, JSON.stringify(undone.value))
      assert.deepStrictEqual((yield* done("GET", target)).row, row)
      const made = yield* newest
      assert.deepStrictEqual(undone.value, made)
      assert.deepStrictEqual([made.kind, made.requestId], ["UPDATE", undone.headers["X-Request-Id"]])
      yield* done("DELETE", target)
      const again = yield* undo((yield* newest).sequence)
      assert.strictEqual(again.status, 200, JSON.stringify(again.value))
      assert.deepStrictEqual((yield* done("GET", target)).row, row)
      assert.strictEqual((yield* undo((yield* newest).sequence)).status, 200)
      assert.strictEqual((yield* ask("GET", target)).status, 404)
    })
  )

  it.effect("refuses to undo a change whose row has changed since, and names the fields", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const { target } = yield* created("conflict")
      yield* done("PATCH", target, { body: { name: "b" } })
      const { sequence } = yield* newest
      yield* done("PATCH", target, { body: { name: "c" } })
      const { status, value } = yield* undo(sequence)
      assert.strictEqual(status, 409)
      assert.deepInclude(value, { code: "CONFLICT", status: 409 })
      const issue = { message: `the change left "b", and now it is "c"`, path: ["name"] }
      assert.include(JSON.stringify(value), JSON.stringify(issue))
      yield* done("DELETE", target)
      assert.strictEqual((yield* undo(sequence)).status, 409)
      const to = "1960-01-01T00:00:00Z"
      const refused: ReadonlyArray<readonly [method: string, path: string, status: number, body?: unknown]> = [
        ["POST", "/history/987654321/undo", 404],
        ["POST", "/history/x/undo", 400],
        ["POST", "/worlds/main/rewind", 422, { to }],
        ["POST", "/worlds/main/rewind", 422, { to: "2100-01-01T00:00:00Z" }],
        ["GET", "/history?resource=nothing", 400],
        ["GET", "/history?limit=0", 400],
        ["GET", "/history?since=yesterday", 400],
        ["GET", "/why/nothing/a", 400]
      ]
      for (const [method, path, expected, body] of refused) {
        assert.strictEqual((yield* manage(method, path, body)).status, expected, path)
      }
    })
  )

  it.effect("explains a row by its requests, changes, deliveries and attempts in their order", () =>
    Effect.gen(function* () {
      const { done, events } = yield* Service.Service
      const headers = { prefer: "return=representation" }
      yield* done("POST", "/rest/webhookTable", { body: { table: "holiday", name: "Holiday", module: "Resources" } })
      const hook = {
        name: "explained",
        table: "holiday",
        url: "http://127.0.0.1:9/",
        onInsert: true,
        onUpdate: false,
        onDelete: false,
        active: true,
        successCount: 0,
        errorCount: 0,
        companyId
      }
      yield* done("POST", "/rest/webhook", { headers, body: hook })
      const { id, target } = yield* created("explained")
      yield* events.idle
      yield* tick
      yield* done("PATCH", target, { body: { name: "explained 2" }, headers: { "x-request-id": "explained" } })
      const { value } = yield* manage("GET", `/why/holiday/${id}`)
      // The service encodes its schema.
      const causes = value as ReadonlyArray<{
        readonly type: string
        readonly requestId?: string
        readonly request?: string
      }>
      assert.deepStrictEqual(
        causes.map(({ type }) => type),
        ["request", "change", "delivery", "attempt", "request", "change"]
      )
      assert.deepInclude(causes[4], { requestId: "explained", request: "PATCH /rest/holiday" })
      yield* done("DELETE", "/rest/webhook?name=eq.explained")
    })
  )

  it.scoped("follows the changes live, and resumes after the last event", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const stream = yield* followed("?resource=holiday")
      // The first part is sent immediately.
      yield* Effect.promise(() => stream.next())
      yield* done("POST", "/rest/holiday", { body: ["f 1", "f 2"].map((name) => holiday(name)) })
      yield* done("POST", "/rest/salesOrderFavorite", { body: { salesOrderId: "followed" } })
      yield* done("DELETE", "/rest/holiday?name=like.f*")
      const all = yield* Effect.promise(() => events(stream, 4))
      assert.deepStrictEqual(
        all.map(({ kind }) => kind),
        ["INSERT", "INSERT", "DELETE", "DELETE"]
      )
      assert.isTrue(all.every(({ id, sequence }) => id === String(sequence)))
      const resumed = yield* followed("?resource=holiday", all[1]?.id)
      assert.deepStrictEqual(yield* Effect.promise(() => events(resumed, 2)), all.slice(2))
    })
  )

  it.effect("deletes changes that have expired, with the rows that they overwrote", () =>
    Effect.gen(function* () {
      const { ask, done, world } = yield* Service.Service
      const { id, target } = yield* created("expired")
      yield* done("PATCH", target, { body: { name: "expired 2" } })
      const early = yield* now
      yield* TestClock.adjust("31 days")
      yield* done("PATCH", target, { body: { name: "expired 3" } })
      const late = yield* now
      yield* TestClock.adjust("2 minutes")
      const left = Effect.map(listed(`?resource=holiday&key=${id}`), (entries) => entries.length)
      while ((yield* left) > 1) {
        yield* done("GET", "/health/live")
        yield* Effect.promise(() => setImmediate())
      }
      const past = yield* world.store.read({ text: `SELECT count(*) FROM "_past_holiday"`, parameters: [] }, "")
      assert.deepStrictEqual(
        past.map((row) => row.map(Number)),
        [[1]]
      )
      assert.deepStrictEqual((yield* ask("GET", target, at(early))).verdict, [410, "MF410"])
      assert.strictEqual((yield* done("GET", target, at(late))).row["name"], "expired 3")
    })
  )
}

/** The parts that need a role that owns the tables. */
export const ownerSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("goes with a snapshot, and a restore replaces it", () =>
    Effect.gen(function* () {
      const { ask, done, world } = yield* Service.Service
      const { id, row, target } = yield* created("saved")
      const first = yield* now
      yield* tick
      const { row: second } = yield* done("PATCH", target, { body: { name: "saved 2", customFields: { n: 0.1 } } })
      const { row: gone, target: deleted } = yield* created("deleted before the snapshot")
      const before = yield* now
      yield* tick
      yield* done("DELETE", deleted)
      const entries = yield* listed(`?resource=holiday&key=${id}`)
      const file = path.join(yield* scratch, "history.gz")
      yield* world.store.save(file)
      yield* done("PATCH", target, { body: { name: "lost" } })
      yield* world.store.restore(file)
      yield* tick
      assert.deepStrictEqual(yield* listed(`?resource=holiday&key=${id}`), entries)
      assert.deepStrictEqual((yield* done("GET", target, at(first))).row, row)
      assert.deepStrictEqual((yield* done("GET", target)).row, second)
      assert.deepStrictEqual((yield* done("GET", deleted, at(before))).row, gone)
      assert.strictEqual((yield* ask("GET", deleted)).status, 404)
      yield* done("PATCH", target, { body: { name: "saved 3" } })
      assert.lengthOf(yield* listed(`?resource=holiday&key=${id}`), 3)
    })
  )
}
