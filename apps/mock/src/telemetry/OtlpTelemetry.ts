/**
 * Exports spans, metrics and log records to a collector over OTLP, away from the requests. Loaded only if the environment
 * names a collector.
 */
import * as Effect from "effect/Effect"
import type * as MetricPair from "effect/MetricPair"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Attributes from "./Attributes.ts"
import * as BatchExporter from "./BatchExporter.ts"
import * as Collector from "./Collector.ts"
import * as LogRecord from "./LogRecord.ts"
import * as MetricData from "./MetricData.ts"
import type { Signal, Value } from "./OtlpMessage.ts"
import * as OtlpSettings from "./OtlpSettings.ts"
import * as Sampler from "./Sampler.ts"
import * as SpanTracing from "./SpanTracing.ts"
import type { Exported, Telemetry } from "./Telemetry.ts"

/** The time that a stop waits for the last requests. */
const stopMillis = 1000

/** The time that a stop waits for the last metrics. */
const readMillis = 300

type Pairs = ReadonlyArray<MetricPair.MetricPair.Untyped>

export interface Options {
  readonly environment: { readonly [variable: string]: string | undefined }
  readonly version: string
  /** Receives a sentence when the collector goes away or comes back. */
  readonly say: (text: string, isFailure: boolean) => void
}

const resourceOf = (settings: OtlpSettings.OtlpSettings, version: string): Value => {
  const attributes = settings.OTEL_RESOURCE_ATTRIBUTES ?? {}
  return {
    attributes: Attributes.toKeyValues({
      "service.version": version,
      "service.instance.id": randomUUID(),
      "host.name": hostname(),
      "process.pid": process.pid,
      "process.runtime.name": "nodejs",
      "process.runtime.version": process.version,
      ...attributes,
      "service.name": settings.OTEL_SERVICE_NAME ?? attributes["service.name"] ?? "mfg-mock"
    })
  }
}

/** Telemetry until the scope ends, and for at most a second longer. */
export const make = ({
  environment,
  say,
  version
}: Options): Effect.Effect<Telemetry, OtlpSettings.OtlpInvalid, Scope.Scope> =>
  Effect.gen(function* () {
    const settings = yield* OtlpSettings.resolve(environment)
    const stop = new AbortController()
    const collector = Collector.make({
      settings,
      say,
      head: { resource: resourceOf(settings, version), scope: { name: "mfg-mock", version } },
      signal: stop.signal
    })
    const spans = BatchExporter.make({
      toValue: SpanTracing.toValue,
      send: (items) => collector.send("traces", items),
      delayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
      queueSize: settings.OTEL_BSP_MAX_QUEUE_SIZE,
      batchSize: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE
    })
    const records = BatchExporter.make({
      toValue: LogRecord.toValue,
      send: (items) => collector.send("logs", items),
      delayMillis: settings.OTEL_BLRP_SCHEDULE_DELAY,
      queueSize: settings.OTEL_BLRP_MAX_QUEUE_SIZE,
      batchSize: settings.OTEL_BLRP_MAX_EXPORT_BATCH_SIZE
    })
    const points = { exported: 0, dropped: 0 }
    let last: Promise<void> | undefined

    // A collector that is away gets the next values: those of counters include what was not sent.
    const sendMetrics = async (pairs: Pairs) => {
      const values = MetricData.toValues(pairs, performance.timeOrigin, Date.now())
      const { _tag } = await collector.send("metrics", values)
      points[_tag === "Accepted" ? "exported" : "dropped"] += values.length
    }

    const readFrom: Telemetry["readFrom"] = (metrics) =>
      Effect.gen(function* () {
        if (settings.endpoints.metrics === undefined) return
        const wait = Effect.sleep(settings.OTEL_METRIC_EXPORT_INTERVAL)
        const send = Effect.flatMap(metrics, (pairs) => Effect.promise(() => sendMetrics(pairs)))
        yield* Effect.forkScoped(Effect.forever(Effect.zipRight(wait, send)))
        yield* Effect.addFinalizer(() =>
          metrics.pipe(
            Effect.timeoutOption(readMillis),
            Effect.map(Option.map((pairs) => void (last = sendMetrics(pairs))))
          )
        )
      })

    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        const timer = setTimeout(() => stop.abort(), stopMillis)
        await Promise.allSettled([spans.flush(), records.flush(), last])
        clearTimeout(timer)
      })
    )

    const counts = (): { readonly [S in Signal]: Omit<Exported, "failures"> } => ({
      traces: spans.counts(),
      metrics: { ...points, waiting: 0 },
      logs: records.counts()
    })

    const { endpoints } = settings
    return {
      tracing:
        endpoints.traces === undefined
          ? undefined
          : SpanTracing.make(Sampler.make(settings.OTEL_TRACES_SAMPLER, settings.OTEL_TRACES_SAMPLER_ARG), spans.push),
      log: endpoints.logs === undefined ? undefined : records.push,
      readFrom,
      counts: () =>
        Object.entries(counts()).flatMap(([name, counts]) => {
          // The keys are those of the signals.
          const signal = name as Signal
          return endpoints[signal] === undefined ? [] : [{ signal, ...counts, failures: collector.failures(signal) }]
        })
    }
  })
