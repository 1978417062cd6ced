import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { isDeepStrictEqual } from "node:util"
import { newWebhook } from "../webhooks/newWebhook.ts"
import * as Testing from "../../src/testing.ts"
import * as prometheusText from "./prometheusText.ts"
import * as Measurement from "../Measurement.ts"

const host = "http://mock.test"

const ask = (method: "GET" | "POST" | "DELETE", path: string, body?: unknown) =>
  Effect.gen(function* () {
    const { apiKey } = yield* Testing.World
    const request = HttpClientRequest.make(method)(host + path).pipe(
      HttpClientRequest.bearerToken(Redacted.value(apiKey))
    )
    return yield* HttpClient.execute(body === undefined ? request : yield* HttpClientRequest.bodyJson(request, body))
  })

const scrape = Effect.gen(function* () {
  const { adminKey } = yield* Testing.World
  const response = yield* HttpClientRequest.get(`${host}/metrics`).pipe(
    HttpClientRequest.bearerToken(Redacted.value(adminKey)),
    HttpClient.execute
  )
  assert.strictEqual(response.status, 200)
  assert.strictEqual(response.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
  return prometheusText.parse(yield* response.text)
})

const count = (families: ReadonlyMap<string, prometheusText.Family>, name: string, labels: object = {}): number =>
  (families.get(name)?.samples ?? [])
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)

const fresh = Effect.provide(Testing.layer({ seed: { _tag: "Empty" } }))

describe("/metrics", () => {
  it.effect("counts requests by resource, verb and status, without the rest of the path", () =>
    Effect.gen(function* () {
      yield* ask("GET", "/rest/holiday?id=eq.nobody")
      yield* ask("GET", "/rest/v1/holiday?limit=1")
      yield* ask("GET", "/rest/holiday?limit=2")
      yield* ask("GET", "/rest/holidays")
      yield* ask("GET", `/rest/holi"day`)
      yield* ask("POST", "/api/v1/account/unheardOf", {})
      yield* ask("GET", "/nothing")
      const families = yield* scrape
      const requests = (labels: object) => count(families, "mfg_mock_requests_total", labels)
      assert.strictEqual(requests({ resource: "holiday", method: "GET", status: "404" }), 1)
      assert.strictEqual(requests({ resource: "holiday", method: "GET", status: "200" }), 2)
      assert.strictEqual(requests({ resource: "unknown", status: "404" }), 2)
      assert.strictEqual(requests({ resource: "operations", method: "POST" }), 1)
      assert.strictEqual(requests({ resource: "other" }), 1)
      assert.strictEqual(count(families, "mfg_mock_request_duration_seconds", { method: "POST", le: "+Inf" }), 1)
    }).pipe(fresh)
  )

  it.effect("reports the duration of commits and their number of changes", () =>
    Effect.gen(function* () {
      const before = yield* scrape
      yield* ask("POST", "/rest/holiday", { name: "Founding day", date: "2027-05-01", companyId: "demo" })
      const after = yield* scrape
      for (const name of ["mfg_mock_changes_total"]) assert.strictEqual(count(after, name), count(before, name) + 1)
      const commits = (families: typeof after) => count(families, "mfg_mock_commit_duration_seconds", { le: "+Inf" })
      assert.strictEqual(commits(after), commits(before) + 1)
      assert.strictEqual(count(after, "mfg_mock_queue_depth"), 0)
    }).pipe(fresh)
  )

  it.live("reports how long the event loop was busy since the last scrape", () =>
    Effect.gen(function* () {
      const lag = Effect.map(
        scrape,
        (families) => (name: string) => count(families, `nodejs_eventloop_lag_${name}_seconds`)
      )
      const isBlocking = (millis: number) => {
        const end = performance.now() + millis
        while (performance.now() < end) continue
      }
      yield* lag
      yield* Effect.sleep(100)
      isBlocking(300)
      yield* Effect.sleep(100)
      const blocked = yield* lag
      assert.isAtLeast(blocked("max"), 0.25)
      assert.isAtMost(blocked("p50"), blocked("p99"))
      assert.isAtMost(blocked("p99"), blocked("max"))
      assert.isBelow(blocked("p50"), 0.25)
      yield* Measurement.isBelow(
        0.25,
        Effect.map(lag, (since) => since("max"))
      )
    }).pipe(fresh)
  )

  it.effect("counts queries and those that were stopped, by reason", () =>
    Effect.gen(function* () {
      const families = yield* scrape
      assert.strictEqual(families.get("mfg_mock_queries_total")?.type, "counter")
      assert.strictEqual(count(families, "mfg_mock_queries_waiting"), 0)
      const { samples = [] } = families.get("mfg_mock_queries_stopped_total") ?? {}
      assert.sameMembers(
        samples.map(({ labels }) => labels["reason"]),
        ["timeout", "queue", "unread", "memory", "hangup"]
      )
    }).pipe(fresh)
  )

  it.effect("reports the memory and processor time of the process", () =>
    Effect.gen(function* () {
      const families = yield* scrape
      for (const name of [
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "nodejs_heap_size_used_bytes"
      ]) {
        assert.isAbove(count(families, name), 0, name)
      }
      const start = count(families, "process_start_time_seconds")
      assert.approximately(start, (Date.now() - performance.now()) / 1000, 5)
    }).pipe(fresh)
  )

  it.effect("counts delivered, failed and dead deliveries, and shows its version", () => {
    let status = 204
    const webhooks = () => Promise.resolve(new Response(null, { status }))
    return Effect.gen(function* () {
      const { companyId, delivered } = yield* Testing.World
      yield* ask("POST", "/rest/webhookTable", { module: "Users", name: "holiday" })
      yield* ask("POST", "/rest/webhook", newWebhook({ companyId }))
      const create = ask("POST", "/rest/holiday", { name: "Founding day", date: "2027-05-01", companyId })
      yield* create
      yield* delivered
      status = 500
      yield* create
      yield* delivered
      for (let attempt = 1; attempt < 8; attempt++) {
        yield* TestClock.adjust("11 hours")
        yield* delivered
      }
      const families = yield* scrape
      const attempts = (outcome: string) => count(families, "mfg_mock_delivery_attempts_total", { outcome })
      assert.deepStrictEqual([attempts("delivered"), attempts("failed")], [1, 8])
      assert.strictEqual(count(families, "mfg_mock_deliveries_dead_total"), 1)
      const [build] = families.get("mfg_mock_build_info")?.samples ?? []
      assert.match(build?.labels["version"] ?? "", /^\d+\.\d+\.\d+/)
      assert.strictEqual(build?.labels["node"], process.version)
    }).pipe(Effect.provide(Testing.layer({ seed: { _tag: "Empty" }, webhooks })))
  })

  it.effect("counts unknown methods as one", () =>
    Effect.gen(function* () {
      for (const method of ["BREW", "PROPFIND"]) {
        yield* HttpClient.execute(Object.assign(HttpClientRequest.get(`${host}/nothing`), { method }))
      }
      assert.strictEqual(count(yield* scrape, "mfg_mock_requests_total", { method: "other" }), 2)
    }).pipe(fresh)
  )

  it.effect("sorts durations into buckets from 0.1 ms to 10 s", () =>
    Effect.gen(function* () {
      yield* ask("GET", "/rest/holiday")
      const families = yield* scrape
      const bounds = (family: string, labels: object) =>
        (families.get(family)?.samples ?? [])
          .filter(({ labels: { le, ...rest } }) => le !== undefined && isDeepStrictEqual({ ...rest }, labels))
          .map(({ labels }) => labels["le"])
      const expected = "0.0001 0.00025 0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf".split(
        " "
      )
      assert.deepStrictEqual(bounds("mfg_mock_request_duration_seconds", { method: "GET" }), expected)
      assert.deepStrictEqual(bounds("mfg_mock_commit_duration_seconds", {}), expected)
    }).pipe(fresh)
  )

  it.effect("counts the requests of each service by themselves", () =>
    Effect.gen(function* () {
      yield* ask("GET", "/rest/holiday")
      const other = yield* scrape.pipe(fresh)
      assert.strictEqual(count(other, "mfg_mock_requests_total"), 0)
      assert.strictEqual(count(yield* scrape, "mfg_mock_requests_total", { resource: "holiday" }), 1)
    }).pipe(fresh)
  )
})
