/**
 * Writes settled deliveries with their events and attempts into the tables of a store that is not being served: a month
 * of them takes seconds that way.
 */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import Database from "libsql"

const record = JSON.stringify({
  id: "0mhj2k8x4q1z7w3e5r6t",
  name: "Founding day",
  date: "2026-05-01",
  year: 2026,
  companyId: "demo",
  createdBy: "usr_demo",
  createdAt: "2026-05-01T08:00:00.000Z",
  updatedBy: null,
  updatedAt: null,
  customFields: null,
  notes: "n".repeat(120)
})

const headers = JSON.stringify({
  "content-type": "application/json",
  "webhook-id": "0mhj2k8x4q1z7w3e5r6t-123456",
  "webhook-timestamp": "1777622400",
  "webhook-signature": `v1,${"s".repeat(44)}`,
  "user-agent": "mfgdata"
})

/** The statements, of which `numbers` is a table of the numbers from 1 in the column `i`. */
const statements = (numbers: string, fromMicros: number): ReadonlyArray<string> => [
  `INSERT INTO "_outbox" ("sequence", "change", "companyId", "table", "key", "type", "record", "at")
    SELECT i, 'change-' || (i / 50), 'demo', 'holiday', 'key-' || (i % 10000), 'UPDATE', '${record}', ${fromMicros} + i
    FROM ${numbers}`,
  `INSERT INTO "_delivery" ("id", "sequence", "companyId", "webhookId", "key", "state", "attempts", "createdAt", "settledAt")
    SELECT i, i, 'demo', 'gone', 'key-' || (i % 10000), 'delivered', 1, ${fromMicros} + i, ${fromMicros} + i + 5000
    FROM ${numbers}`,
  `INSERT INTO "_deliveryAttempt" ("id", "companyId", "deliveryId", "number", "at", "duration", "outcome", "url", "requestHeaders",
      "status", "responseHeaders", "responseBody")
    SELECT i, 'demo', i, 1, ${fromMicros} + i, 3000, 'delivered', 'http://127.0.0.1:9/', '${headers}', 204, '${headers}', ''
    FROM ${numbers}`
]

/** Writes deliveries that were settled 40 days ago to the store at the address of `--store`. */
export const write = (store: string, count: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const fromMicros = (Date.now() - 40 * 24 * 3_600_000) * 1000
    const file = /^sqlite:(.+)$/.exec(store)?.[1]
    if (file !== undefined) {
      return Effect.sync(() => {
        const database = new Database(file)
        database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
        database.exec(`CREATE TEMP TABLE numbers AS WITH RECURSIVE n(i) AS (
          SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n`)
        for (const statement of statements("temp.numbers", fromMicros)) database.exec(statement)
        database.close()
      })
    }
    const schema = String(new URL(store).searchParams.get("search_path"))
    return Effect.asVoid(
      Schema.run(
        store,
        [
          `SET search_path TO "${schema}"`,
          ...statements(`generate_series(1, ${count}) AS n(i)`, fromMicros),
          `SELECT setval(pg_get_serial_sequence('"_outbox"', 'sequence'), ${count}),
            setval(pg_get_serial_sequence('"_delivery"', 'id'), ${count}),
            setval(pg_get_serial_sequence('"_deliveryAttempt"', 'id'), ${count})`,
          "ANALYZE"
        ].join(";\n")
      )
    )
  })
