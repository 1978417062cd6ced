/**
 * The telemetry that a service uses. It needs none of the implementation, which is loaded on demand.
 */
import type * as Effect from "effect/Effect"
import type * as MetricPair from "effect/MetricPair"
import type * as Scope from "effect/Scope"
import type { NamedCaller } from "../access/ApiKeys.ts"
import type * as Exchange from "../Exchange.ts"
import type { Sender } from "../webhooks/Sender.ts"

/** The facts of a completed request that its span shows. */
interface Handled {
  readonly status: number
  readonly millis: number
  readonly requestId: string
  /** The path, without keys and secrets. */
  readonly path: string
  /** The path with a small number of values, if the request has one. */
  readonly route: string | undefined
  /** The header `Mfg-Cost` of the response. */
  readonly cost: string | undefined
  readonly bytesIn: number
  readonly bytesOut: number | undefined
  readonly caller: NamedCaller | undefined
}

export interface Tracing {
  /** Begins the span of a request, which its deliveries continue. */
  readonly begin: (request: Exchange.Request) => Exchange.Request
  /** Ends the span of a request. */
  readonly end: (request: Exchange.Request, handled: Handled) => void
  /** Sends each message in a span of its own, which the receiver can continue. */
  readonly around: (send: Sender) => Sender
}

/** The counts of one signal: `traces`, `metrics` or `logs`. */
export interface Exported {
  readonly exported: number
  readonly dropped: number
  readonly waiting: number
  /** The number of requests to the collector without success. */
  readonly failures: number
}

export interface Telemetry {
  readonly tracing: Tracing | undefined
  /** Takes a line of the log. */
  readonly log: ((line: string) => void) | undefined
  /** Exports metrics until the scope ends, when they are read for the last time. */
  readonly readFrom: (
    metrics: Effect.Effect<ReadonlyArray<MetricPair.MetricPair.Untyped>>
  ) => Effect.Effect<void, never, Scope.Scope>
  readonly counts: () => ReadonlyArray<Exported & { readonly signal: string }>
}

/** Reports whether the environment names a collector. */
export const isRequested = (environment: { readonly [variable: string]: string | undefined }): boolean =>
  environment["OTEL_SDK_DISABLED"]?.toLowerCase() !== "true" &&
  ["", "TRACES_", "METRICS_", "LOGS_"].some((signal) => Boolean(environment[`OTEL_EXPORTER_OTLP_${signal}ENDPOINT`]))
