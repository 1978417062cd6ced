/** Compares the table of docs/telemetry.md with the metrics of a service on each store. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import * as Settings from "../../src/Settings.ts"
import * as WorldServer from "../../src/worlds/WorldServer.ts"
import * as Postgres from "../postgres/schema.ts"
import * as prometheusText from "./prometheusText.ts"

const document = readFileSync(new URL("../../../../docs/telemetry.md", import.meta.url), "utf8")

/** The rows of the table by name, without their padding. */
const documented = new Map(
  Array.from(
    document.matchAll(/^\| `((?:mfg_mock|process|nodejs)_\w+)`\s*\|(.*)\|$/gm),
    ([, name = "", cells = ""]) => {
      const [type = "", labels = "", stores = "", meaning = ""] = cells.split(" | ").map((cell) => cell.trim())
      return [name, { type, labels, stores, meaning }] as const
    }
  )
)

const key = "mfg_metrics_document"
const adminKey = "mfg_metrics_document_administrator"

/** Serves a store, and does what each of the metrics needs to have a value. */
const scrape = (store: Settings.StoreAddress) =>
  Effect.gen(function* () {
    const { service } = yield* WorldServer.make({
      settings: {
        ...Settings.defaults,
        store,
        seed: { _tag: "Empty" },
        log: "off",
        apiKey: key,
        adminKey,
        maxBatch: 1
      },
      telemetry: {
        tracing: undefined,
        log: undefined,
        readFrom: () => Effect.void,
        counts: () => [{ signal: "traces", exported: 0, dropped: 0, waiting: 0, failures: 0 }]
      },
      write: () => {}
    })
    const ask = (method: string, target: string, body: unknown) =>
      service.handle({
        method,
        target,
        headers: {
          authorization: `Bearer ${target.startsWith("/_mock") ? adminKey : key}`,
          "content-type": "application/json"
        },
        body: JSON.stringify(body)
      })
    const holiday = { name: "Founding day", date: "2027-05-01", companyId: "demo" }
    assert.strictEqual((yield* ask("POST", "/rest/holiday", holiday)).status, 201)
    assert.strictEqual((yield* ask("POST", "/rest/holiday", [holiday, holiday])).status, 413)
    yield* ask("GET", "/health/live", "")
    return yield* prometheusText.scrape(service)
  })

/** Metrics that a process has only after its first minute, after a failure of its store, or on some systems. */
const late = new Set([
  "mfg_mock_expired_rows_last_success_timestamp_seconds",
  "mfg_mock_store_failures_total",
  "process_open_fds"
])

const check = (families: ReadonlyMap<string, prometheusText.Family>, store: "SQLite" | "PostgreSQL") => {
  const expected = [...documented].filter(
    ([name, { stores }]) => !late.has(name) && (stores === "" || stores === "with OTLP" || stores === store)
  )
  const described = [...families].map(([name, { help, samples, type }]) => {
    const labels = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].filter((label) => label !== "le")
    return [
      name,
      {
        type,
        labels: labels.map((label) => `\`${label}\``).join(", "),
        stores: documented.get(name)?.stores,
        meaning: help
      }
    ] as const
  })
  assert.deepStrictEqual(
    Object.fromEntries(described.filter(([name]) => !late.has(name))),
    Object.fromEntries(expected)
  )
}

describe("docs/telemetry.md", () => {
  it.scopedLive("lists every metric of a service on SQLite, with its type, labels and meaning", () =>
    Effect.gen(function* () {
      check(yield* scrape({ _tag: "Sqlite", path: ":memory:" }), "SQLite")
    })
  )

  it.scopedLive("lists every metric of a service on PostgreSQL", () =>
    Effect.gen(function* () {
      check(yield* scrape(yield* Postgres.fresh), "PostgreSQL")
    })
  )

  it("names in its table what comes later", () => {
    assert.includeMembers([...documented.keys()], [...late])
  })

  it("has names of one form: a counter ends in _total, and a unit is a base unit", () => {
    for (const [name, { type }] of documented) {
      assert.strictEqual(name.endsWith("_total"), type === "counter", name)
      assert.notMatch(name, /_(?:millis|ms|milliseconds|kb|mb|percent)(?:_|$)/)
    }
  })
})
