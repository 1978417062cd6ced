/** Exports the telemetry of a service to a collector. */
import { assert, describe, it } from "@effect/vitest"
import type { DeliveryDetail } from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Instance from "../../src/service/Instance.ts"
import * as EventLoopLag from "../../src/service/metrics/EventLoopLag.ts"
import * as Settings from "../../src/Settings.ts"
import * as OtlpTelemetry from "../../src/telemetry/OtlpTelemetry.ts"
import type { Message } from "../../src/webhooks/Sender.ts"
import { newWebhook } from "../webhooks/newWebhook.ts"
import * as prometheusText from "../service/prometheusText.ts"
import * as Otlp from "./otlpCollector.ts"

const apiKey = "mfg_telemetry_test_key"
const adminKey = "mfg_telemetry_test_administrator"
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const clientSpan = "00f067aa0ba902b7"
const traceparent = `00-${traceId}-${clientSpan}-01`

const quick = { OTEL_BSP_SCHEDULE_DELAY: "20", OTEL_BLRP_SCHEDULE_DELAY: "20", OTEL_METRIC_EXPORT_INTERVAL: "50" }

/** A service whose telemetry goes to a collector, and the messages that its webhooks get. */
const serve = (url: string, environment: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const said: Array<string> = []
    const messages: Array<Message> = []
    const telemetry = yield* OtlpTelemetry.make({
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...quick, ...environment },
      version: "1.2.3",
      say: (text) => said.push(text)
    })
    const { events, service, world } = yield* Instance.make({
      settings: {
        ...Settings.defaults,
        store: { _tag: "Sqlite", path: ":memory:" },
        seed: { _tag: "Empty" },
        log: "info",
        apiKey,
        adminKey
      },
      telemetry,
      send: (message) => {
        messages.push(message)
        return Effect.succeed({ _tag: "Answered", status: 204, headers: {}, body: "" })
      },
      write: (line) => telemetry.log?.(line)
    })
    yield* telemetry.readFrom(service.metrics(EventLoopLag.make()))
    const ask = (method: string, target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      service.handle({
        method,
        target,
        headers: {
          authorization: `Bearer ${target.startsWith("/_mock") ? adminKey : apiKey}`,
          "content-type": "application/json",
          ...headers
        },
        body: body === undefined ? "" : JSON.stringify(body),
        peer: "192.0.2.1"
      })
    return { ask, events, messages, said, service, telemetry, companyId: world.home()?.companyId ?? "" }
  })

const holiday = (companyId: string) => ({ name: "Founding day", date: "2027-05-01", companyId })

/** The items of requests in protobuf to a path. */
const itemsOf = (collector: Otlp.OtlpCollector, path: string) =>
  collector.received
    .filter((received) => received.path === path)
    .flatMap(({ body }) =>
      Otlp.inner(Otlp.message(body), 1).flatMap((outer) =>
        Otlp.inner(outer, 2).flatMap((scoped) => Otlp.inner(scoped, 2))
      )
    )

const eventually = <A>(read: () => A | undefined) =>
  Effect.suspend(() => {
    const found = read()
    return found === undefined ? Effect.fail("not yet") : Effect.succeed(found)
  }).pipe(Effect.retry(Schedule.spaced("20 millis")), Effect.timeout("60 seconds"), Effect.orDie)

describe("telemetry", () => {
  it.scopedLive(
    "continues the trace of a request into its deliveries, and has the log and the metrics of both",
    () =>
      Effect.gen(function* () {
        const collector = yield* Otlp.open
        const { ask, companyId, events, messages } = yield* serve(collector.url, {
          OTEL_EXPORTER_OTLP_HEADERS: "x-token=secret",
          OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test"
        })
        yield* ask("POST", "/rest/webhookTable", { module: "Users", name: "holiday" })
        yield* ask("POST", "/rest/webhook", newWebhook({ companyId }))
        const created = yield* ask("POST", `/rest/holiday?select=id`, holiday(companyId), {
          traceparent,
          tracestate: "vendor=1"
        })
        assert.strictEqual(created.status, 201, String(created.body))
        const spanOf = (name: string) => () =>
          itemsOf(collector, "/v1/traces").find(
            (span) => Otlp.text(span, 5) === name && Otlp.text(span, 1, "hex") === traceId
          )
        const server = yield* eventually(spanOf("POST /rest/holiday"))
        const delivery = yield* eventually(spanOf("POST holiday event"))
        assert.strictEqual(Otlp.text(server, 4, "hex"), clientSpan)
        assert.strictEqual(Otlp.text(delivery, 4, "hex"), Otlp.text(server, 2, "hex"))
        assert.deepStrictEqual([server.get(6), delivery.get(6)], [[2], [3]])
        assert.strictEqual(Otlp.text(server, 3), "vendor=1")
        const message = messages.at(-1)
        assert.strictEqual(message?.headers["traceparent"], `00-${traceId}-${Otlp.text(delivery, 2, "hex")}-01`)
        assert.strictEqual(message?.headers["tracestate"], "vendor=1")
        // The log of the delivery has the headers that were sent.
        yield* events.idle
        const listed = yield* ask("GET", "/_mock/deliveries")
        const [{ id }]: [{ readonly id: string }] = JSON.parse(String(listed.body))
        const { log }: Pick<DeliveryDetail, "log"> = JSON.parse(
          String((yield* ask("GET", `/_mock/deliveries/${id}`)).body)
        )
        assert.deepStrictEqual(
          log.map(({ requestHeaders }) => requestHeaders),
          [message?.headers]
        )
        const attributes = Otlp.attributes(server, 9)
        assert.deepInclude(attributes, {
          "http.request.method": "POST",
          "url.path": "/rest/holiday",
          "http.route": "/rest/holiday",
          "http.response.status_code": "201",
          "client.address": "192.0.2.1",
          "mfg.company_id": companyId
        })
        assert.isAbove(Number(attributes["http.request.body.size"]), 40)

        const record = yield* eventually(() =>
          itemsOf(collector, "/v1/logs").find((record) => Otlp.text(record, 9, "hex") === traceId)
        )
        assert.strictEqual(Otlp.text(Otlp.inner(record, 5)[0], 1), "POST /rest/holiday 201")
        assert.strictEqual(Otlp.text(record, 10, "hex"), Otlp.text(server, 2, "hex"))
        assert.deepStrictEqual(record.get(2), [9])

        // An early request has the metrics before the webhook was created.
        const sum = yield* eventually(() =>
          itemsOf(collector, "/v1/metrics")
            .filter((metric) => Otlp.text(metric, 1) === "mfg_mock_requests_total")
            .flatMap((metric) => Otlp.inner(metric, 7))
            .find((sum) =>
              Otlp.inner(sum, 1).some(
                (point) => Otlp.attributes(point, 7)["resource"] === "webhook" && Otlp.double(point.get(4)?.[0]) === 1
              )
            )
        )
        assert.deepStrictEqual([sum.get(2), sum.get(3)], [[2], [1]])

        const [first] = collector.received
        assert.deepInclude(first?.headers, { "x-token": "secret", "content-type": "application/x-protobuf" })
        const resource = Otlp.inner(Otlp.inner(Otlp.message(first?.body ?? Buffer.alloc(0)), 1)[0], 1)[0]
        assert.deepInclude(Otlp.attributes(resource, 1), {
          "service.name": "mfg-mock",
          "service.version": "1.2.3",
          "deployment.environment.name": "test"
        })
        // No request has a key in it, in any form.
        for (const { body } of collector.received) assert.isFalse(body.includes(apiKey))
      }),
    90_000
  )

  it.scopedLive(
    "exports JSON, compressed, of sampled traces alone",
    () =>
      Effect.gen(function* () {
        const collector = yield* Otlp.open
        const { ask, companyId } = yield* serve(collector.url, {
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
          OTEL_TRACES_SAMPLER: "parentbased_always_off",
          OTEL_SERVICE_NAME: "warehouse"
        })
        yield* ask("GET", "/rest/holiday?limit=1")
        yield* ask("GET", "/rest/holiday?name=eq.secret%20name", undefined, { traceparent })
        const { body, headers } = yield* collector.until(({ path }) => path === "/v1/traces")
        assert.deepInclude(headers, { "content-type": "application/json", "content-encoding": "gzip" })
        const { resourceSpans } = JSON.parse(String(body))
        assert.deepInclude(resourceSpans[0].resource.attributes, {
          key: "service.name",
          value: { stringValue: "warehouse" }
        })
        const { spans } = resourceSpans[0].scopeSpans[0]
        assert.lengthOf(spans, 1)
        assert.deepInclude(spans[0], {
          traceId,
          parentSpanId: clientSpan,
          name: "GET /rest/holiday",
          kind: 2,
          status: {}
        })
        assert.match(spans[0].startTimeUnixNano, /^\d{19}$/)
        assert.deepInclude(spans[0].attributes, { key: "http.response.status_code", value: { intValue: "200" } })
        assert.notInclude(String(body), "secret")
        assert.isAbove(companyId.length, 0)
      }),
    90_000
  )

  it.scopedLive(
    "counts what a collector that is away does not get, reports it once, and goes on when it is back",
    () =>
      Effect.gen(function* () {
        const collector = yield* Otlp.open
        collector.answer(503)
        const { ask, said, service, telemetry } = yield* serve(collector.url, {
          OTEL_BSP_MAX_QUEUE_SIZE: "20",
          OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10",
          OTEL_METRICS_EXPORTER: "none",
          OTEL_LOGS_EXPORTER: "none"
        })
        for (let count = 0; count < 30; count++) yield* ask("GET", "/rest/holiday?limit=1")
        const counts = () => telemetry.counts().find(({ signal }) => signal === "traces")
        yield* eventually(() => ((counts()?.failures ?? 0) > 1 ? true : undefined))
        assert.deepInclude(counts(), { exported: 0, dropped: 10, waiting: 20 })
        assert.lengthOf(said, 1)
        assert.match(said[0] ?? "", /^The OTLP collector http:\/\/127\.0\.0\.1:\d+ does not accept traces: status 503/)
        const families = yield* prometheusText.scrape(service)
        assert.deepStrictEqual(families.get("mfg_mock_telemetry_dropped_total")?.samples, [
          { name: "mfg_mock_telemetry_dropped_total", labels: { signal: "traces" }, value: 10 }
        ])
        collector.answer(200)
        yield* eventually(() => (counts()?.exported === 20 ? true : undefined))
        assert.deepInclude(counts(), { dropped: 10, waiting: 0 })
        assert.lengthOf(said, 2)
        assert.match(said[1] ?? "", /^The OTLP collector accepts telemetry again, after \d+ s/)
      }),
    90_000
  )

  it.scopedLive(
    "gives up what the collector refuses, and counts what it rejects",
    () =>
      Effect.gen(function* () {
        const collector = yield* Otlp.open
        collector.answer(400)
        const { ask, telemetry } = yield* serve(collector.url, { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" })
        yield* ask("GET", "/rest/holiday?limit=1")
        const counts = () => telemetry.counts().find(({ signal }) => signal === "traces")
        yield* eventually(() => (counts()?.dropped === 1 ? true : undefined))
        collector.answer(200, JSON.stringify({ partialSuccess: { rejectedSpans: "1", errorMessage: "no" } }))
        yield* ask("GET", "/rest/holiday?limit=1")
        yield* eventually(() => (counts()?.dropped === 2 ? true : undefined))
        assert.deepInclude(counts(), { exported: 0, waiting: 0 })
      }),
    90_000
  )

  it.scopedLive(
    "sends the last spans at a stop, and waits for a silent collector no longer than a second",
    () =>
      Effect.gen(function* () {
        const slow = { OTEL_BSP_SCHEDULE_DELAY: "600000", OTEL_BLRP_SCHEDULE_DELAY: "600000" }
        const stop = (status: number) =>
          Effect.gen(function* () {
            const collector = yield* Otlp.open
            collector.answer(status)
            const scope = yield* Scope.make()
            const { ask } = yield* Scope.extend(serve(collector.url, slow), scope)
            yield* ask("GET", "/rest/holiday?limit=1", undefined, { traceparent })
            const start = performance.now()
            yield* Scope.close(scope, Exit.void)
            return { millis: performance.now() - start, spans: itemsOf(collector, "/v1/traces") }
          })
        const { spans } = yield* stop(200)
        assert.lengthOf(spans, 1)
        const { millis } = yield* stop(0)
        assert.isBelow(millis, 5000)
      }),
    90_000
  )
})
