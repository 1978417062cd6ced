import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import postgres from "postgres"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Instance from "../../../src/service/Instance.ts"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Settings from "../../../src/Settings.ts"
import { render, sql } from "../../../src/sql/Statement.ts"
import * as Postgres from "../../postgres/schema.ts"
import { newWebhook } from "../../webhooks/newWebhook.ts"
import { within } from "./within.ts"

/** A transaction of a client besides the service, and the wait for another one that waits for it. */
const transaction = (url: string) =>
  Effect.gen(function* () {
    const client = postgres(url, { max: 2, onnotice: () => undefined })
    const connection = yield* Effect.acquireRelease(
      Effect.promise(() => client.reserve()),
      () => Effect.promise(() => client.end({ timeout: 0 }))
    )
    const run = (text: string) => Effect.promise(() => connection.unsafe(text).values())
    yield* run("BEGIN")
    const [[id] = []] = yield* run("SELECT pg_current_xact_id()::text")
    const waiting = () => client`SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid::text = ${String(id)}`
    return {
      run,
      awaited: within(
        30_000,
        Effect.promise(async () => (await waiting()).length),
        (count) => count > 0
      ),
      commit: run("COMMIT")
    }
  })

const key = "mfg_race_test_key"
const rounds = 60

/** Three processes would do the same: each instance has connections of its own. */
const instances = Effect.gen(function* () {
  const store = yield* Postgres.fresh
  const settings = { ...Settings.defaults, store, seed: { _tag: "Empty" }, history: "on", apiKey: key } as const
  return yield* Effect.all([0, 1, 2].map(() => Instance.make({ settings, write: () => undefined })))
})

const preferences = ["", "resolution=merge-duplicates", "resolution=ignore-duplicates, return=representation"] as const

describe("upserts of a row that several instances create at the same time", () => {
  it.scopedLive(
    "write one INSERT and an UPDATE for each of the others, as the responses and the history have it",
    () =>
      Effect.gen(function* () {
        const services = yield* instances
        const [first] = services
        assert(first !== undefined)
        const send = (service: Instance.Instance, target: string, body: JsonObject, prefer = "") =>
          service.service.handle({
            method: "POST",
            target,
            headers: {
              authorization: `Bearer ${key}`,
              "content-type": "application/json",
              "content-profile": "public",
              prefer
            },
            body: JSON.stringify(body)
          })
        const hook = newWebhook({ url: "http://127.0.0.1:9/" })
        assert.strictEqual((yield* send(first, "/rest/webhook", hook)).status, 201)
        const rows = (query: ReturnType<typeof sql>) => first.world.store.read(render(query, first.world.store.dialect))

        for (let round = 0; round < rounds; round++) {
          const id = `race-${round}`
          const prefer = preferences[1]
          const body = (name: string) => ({ id, name, date: "2026-05-01", companyId: "demo" })
          const replies = yield* Effect.all(
            services.flatMap((service, index) => [
              send(service, "/rest/holiday", body(`merged ${index}`), prefer),
              send(service, "/rest/holiday", body(`other ${index}`), preferences[(round + index) % 3])
            ]),
            { concurrency: "unbounded" }
          )
          const created = replies.filter(({ body, status }) => status === 201 && body !== "[]")
          const updated = replies.filter(({ status }) => status === 200)
          assert.lengthOf(created, 1, JSON.stringify(replies.map(({ body, status }) => [status, body])))
          const expected = ["INSERT", ...updated.map(() => "UPDATE")]
          const events = yield* rows(
            sql`SELECT "type", "record", "old" FROM "_outbox" WHERE "key" = ${id} ORDER BY "sequence"`
          )
          const kinds = yield* rows(sql`SELECT "kind" FROM "_history" WHERE "key" = ${id} ORDER BY "sequence"`)
          assert.deepStrictEqual([kinds.flat(), events.map(([type]) => String(type)).toSorted()], [expected, expected])
          // The row before each update is the one after another change.
          const records = events.map(([, record]) => String(record))
          for (const [, , old] of events) assert.isTrue(old === null || records.includes(String(old)))
        }
      }),
    60_000
  )
})

describe("an upsert of many rows", () => {
  it.scopedLive("sends the UPDATE of a row that another transaction commits while its statements run", () =>
    Effect.gen(function* () {
      const store = yield* Postgres.fresh
      assert(store._tag === "Postgres")
      const settings = { ...Settings.defaults, store, seed: { _tag: "Empty" }, apiKey: key } as const
      const { service, world } = yield* Instance.make({ settings, write: () => undefined })
      const send = (target: string, body: unknown) =>
        service.handle({
          method: "POST",
          target,
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            "content-profile": "public",
            prefer: "resolution=merge-duplicates"
          },
          body: JSON.stringify(body)
        })
      assert.strictEqual((yield* send("/rest/webhook", newWebhook({ url: "http://127.0.0.1:9/" }))).status, 201)
      const rows = Array.from({ length: 1300 }, (_, index) => ({
        id: `many-${index}`,
        name: "one of many",
        date: "2026-05-01",
        companyId: "demo"
      }))
      // The events of some rows are read, and wait for the lock of one, while another one is created.
      assert.strictEqual((yield* send("/rest/holiday", rows[750])).status, 201)
      const other = yield* transaction(store.url)
      yield* other.run(`SELECT 1 FROM "holiday" WHERE "id" = 'many-750' FOR UPDATE`)
      const upsert = yield* Effect.fork(send("/rest/holiday", rows))
      yield* other.awaited
      yield* Schema.run(
        store.url,
        `INSERT INTO "holiday" ("_tenant", "id", "createdBy", "createdAt", "name", "date", "companyId", "_doc", "_revision")
          VALUES ('demo', 'many-777', 'other', now(), 'other', '2026-05-01', 'demo', '{"name":"other"}', 1)`
      )
      yield* other.commit
      const { status } = yield* upsert
      assert.strictEqual(status, 201)
      const found = yield* world.store.read(
        render(sql`SELECT "type", count(*), max("key") FROM "_outbox" GROUP BY "type" ORDER BY 1`, world.store.dialect)
      )
      assert.deepStrictEqual(found, [
        ["INSERT", 1299, "many-999"],
        ["UPDATE", 2, "many-777"]
      ])
    })
  )
})
