/** Tests upserts of a row that another request creates at the same time. */
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Fragment, render, sql } from "../../src/sql/Statement.ts"
import * as Receiver from "../webhooks/receiver.ts"
import * as Service from "./Service.ts"
import { fresh, holiday, idle, listening, parse } from "./Subscriptions.ts"

const merge = { prefer: "resolution=merge-duplicates", "content-profile": "public" }
const ignore = { prefer: "resolution=ignore-duplicates, return=representation", "content-profile": "public" }

/** The history's changes of a row, in their order. */
const kinds = (id: string) =>
  Effect.gen(function* () {
    const { world } = yield* Service.Service
    const query = sql`SELECT "kind" FROM "_history" WHERE "resource" = 'holiday' AND "key" = ${id} ORDER BY "sequence"`
    return (yield* world.store.read(render(query, world.store.dialect), "")).map(([kind]) => String(kind))
  })

const rounds = 10

/** More rows than one statement writes together with their events. */
const many = 1300

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("sends one INSERT of a row that many upserts create together, and an UPDATE for each of the others", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      yield* listening(receiver.url)
      const expected = new Map<string, Array<string>>()
      for (let round = 0; round < rounds; round++) {
        const id = `race-${round}`
        const body = (index: number): JsonObject => ({ ...holiday(`name ${index}`), id })
        const upsert = (index: number) => ask("POST", "/rest/holiday", { body: body(index), headers: merge })
        const insert = ask("POST", "/rest/holiday", { body: body(6) })
        const ignored = ask("POST", "/rest/holiday", { body: body(7), headers: ignore })
        const replies = yield* Effect.all([ignored, insert, ...[0, 1, 2, 3].map(upsert)], { concurrency: "unbounded" })
        // An upsert that ignores existing rows responds with 201 and those that it has created.
        const created = replies.filter(({ status, text }) => status === 201 && text !== "[]")
        assert.lengthOf(created, 1)
        const updated = replies.filter(({ status }) => status === 200)
        expected.set(id, ["INSERT", ...updated.map(() => "UPDATE")])
      }
      yield* idle
      const events = receiver.arrived.map(parse)
      for (const [id, types] of expected) {
        assert.deepStrictEqual(yield* kinds(id), types)
        const own = events.filter(({ record }) => (record as JsonObject)["id"] === id)
        assert.deepStrictEqual(
          own.map(({ type }) => type),
          types
        )
        // Each event continues from the one before it.
        assert.deepStrictEqual(
          own.map(({ old }) => old),
          [undefined, ...own.slice(0, -1).map(({ record }) => record)]
        )
      }
      yield* done("DELETE", "/rest/holiday?id=like.race-*")
    })
  )

  it.scoped("writes the events of many rows as they are, while other requests create some of them", () =>
    Effect.gen(function* () {
      const { done, world } = yield* Service.Service
      yield* fresh
      yield* listening("http://127.0.0.1:9/")
      const upsert = (body: unknown) => done("POST", "/rest/holiday", { body, headers: merge })
      const ids = Array.from({ length: many }, (_, index) => `many-${index}`)
      const rows = ids.map((id) => ({ ...holiday("one of many"), id }))
      const others = ids.filter((_, index) => index % 20 === 0).map((id) => upsert({ ...holiday("alone"), id }))
      yield* Effect.all([upsert(rows), Effect.all(others)], { concurrency: 2 })
      const { dialect } = world.store
      const read = (query: Fragment) => world.store.read(render(query, dialect), "")
      const events = yield* read(sql`SELECT "key", "type" FROM "_outbox" WHERE "key" LIKE 'many-%'`)
      const kinds = yield* read(sql`SELECT "key", "kind" FROM "_history" WHERE "resource" = 'holiday'
        AND "key" LIKE 'many-%'`)
      assert.lengthOf(kinds, ids.length + others.length)
      const sorted = (list: typeof kinds) => list.map(String).toSorted()
      assert.deepStrictEqual(sorted(events), sorted(kinds))
      yield* done("DELETE", "/rest/holiday?id=like.many-*")
      yield* fresh
    })
  )

  it.scoped("sends one INSERT of a row that an upsert ignores the second time", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      yield* listening(receiver.url)
      const row = (id: string, name: string) => ({ ...holiday(name), id })
      for (const count of [1, 12]) {
        const names = Array.from({ length: count }, (_, index) => `twice-${count}-${index}`)
        const body = ["first", "second"].flatMap((name) => names.map((id) => row(id, name)))
        const { rows } = yield* done("POST", "/rest/holiday", { body, headers: ignore })
        assert.deepStrictEqual(
          rows.map(({ id, name }) => [id, name]),
          names.map((id) => [id, "first"])
        )
      }
      yield* idle
      const events = receiver.arrived.map(parse)
      assert.lengthOf(events, 13)
      for (const { record, type } of events) {
        assert.deepStrictEqual([type, (record as JsonObject)["name"]], ["INSERT", "first"])
      }
      yield* done("DELETE", "/rest/holiday?id=like.twice-*")
    })
  )
}
