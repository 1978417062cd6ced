/** Tests that several instances share the deletion of expired rows. */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { setTimeout } from "node:timers/promises"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"
import * as Postgres from "../../postgres/schema.ts"
import * as prometheusText from "../../service/prometheusText.ts"

const adminKey = "mfg_administrator"

const instance = (store: Settings.StoreAddress, lines: Array<string>) =>
  Effect.gen(function* () {
    const settings = { ...Settings.defaults, store, seed: { _tag: "Empty" }, clock: "virtual", adminKey } as const
    const { service } = yield* Instance.make({ settings, write: (line) => lines.push(line) })
    return (method: string, target: string, body: object = {}) =>
      service.handle({
        method,
        target,
        headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
  })

const events = 6000

/** Events with two deliveries each, which were settled long ago. */
const settled = (schema: string) => `SET search_path TO "${schema}";
  INSERT INTO "_outbox" ("sequence", "change", "companyId", "table", "key", "type", "record", "at")
    SELECT i, 'c' || i, 'demo', 'holiday', 'k' || i, 'INSERT', '{}', i / 100 FROM generate_series(1, ${events}) AS n(i);
  INSERT INTO "_delivery" ("id", "sequence", "companyId", "webhookId", "key", "state", "attempts", "createdAt", "settledAt")
    SELECT 2 * i + j, i, 'demo', 'w' || j, 'k' || i, 'delivered', 1, 1, 1
    FROM generate_series(1, ${events}) AS n(i), generate_series(0, 1) AS m(j);
  INSERT INTO "_deliveryAttempt" ("id", "companyId", "deliveryId", "number", "at", "duration", "outcome", "url", "requestHeaders")
    SELECT 2 * i + j, 'demo', 2 * i + j, 1, 1, 1, 'delivered', 'http://127.0.0.1/', '{}'
    FROM generate_series(1, ${events}) AS n(i), generate_series(0, 1) AS m(j);
  INSERT INTO "_idempotency" ("companyId", "userId", "key", "requestHash", "status", "headers", "body", "createdAt")
    SELECT 'demo', 'u', 'k' || i, 'h', 200, '{}', '{}', i / 100 FROM generate_series(1, ${events}) AS n(i)`

const left = (schema: string) => `SELECT (SELECT count(*) FROM "${schema}"."_outbox"),
  (SELECT count(*) FROM "${schema}"."_delivery"), (SELECT count(*) FROM "${schema}"."_deliveryAttempt"),
  (SELECT count(*) FROM "${schema}"."_idempotency")`

describe("retention on PostgreSQL", () => {
  it.scopedLive("deletes each expired row once, by whichever of three instances comes first, without a failure", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const schema = String(new URL(address.url).searchParams.get("search_path"))
      const lines: Array<string> = []
      const instances = yield* Effect.all([1, 2, 3].map(() => instance(address, lines)))
      yield* Schema.run(address.url, settled(schema))
      yield* Effect.all(
        instances.map((ask) => ask("POST", "/_mock/clock/advance", { seconds: 120 })),
        { concurrency: "unbounded" }
      )
      let counts: ReadonlyArray<unknown> = []
      while (counts.some((count) => Number(count) > 0) || counts.length === 0) {
        for (const ask of instances) yield* ask("GET", "/health/live")
        yield* Effect.promise(() => setTimeout(20))
        const [row = []] = yield* Schema.run(address.url, left(schema))
        counts = row
      }
      const deleted = new Map<string, number>()
      for (const ask of instances) {
        const families = prometheusText.parse(String((yield* ask("GET", "/metrics")).body))
        for (const { labels, value } of families.get("mfg_mock_expired_rows_total")?.samples ?? []) {
          const table = String(labels["table"])
          deleted.set(table, (deleted.get(table) ?? 0) + value)
        }
      }
      assert.deepStrictEqual(Object.fromEntries(deleted), {
        _delivery: 2 * events,
        _outbox: events,
        _idempotency: events
      })
      assert.deepStrictEqual(
        lines.filter((line) => line.includes(`"level":"error"`)),
        []
      )
    })
  )
})
