/**
 * Declares the metrics of the service as Effect's metrics, counts requests, and responds to `/metrics`. Each service has
 * a registry of its own, so that several in one process do not add up.
 */
import * as Effect from "effect/Effect"
import type * as MetricHook from "effect/MetricHook"
import * as MetricKey from "effect/MetricKey"
import * as MetricPair from "effect/MetricPair"
import * as MetricRegistry from "effect/MetricRegistry"
import * as MetricState from "effect/MetricState"
import type * as Exchange from "../../Exchange.ts"
import * as Histogram from "../../store/Histogram.ts"
import type { Connections, Statistics } from "../../store/Store.ts"
import * as EventLoopLag from "./EventLoopLag.ts"
import * as Exposition from "./Exposition.ts"
import { counter, gauge, type Pairs } from "./Pair.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"

/** A completed request. */
interface Entry {
  /** One of a fixed set of names, because each adds a series. */
  readonly resource: string
  readonly method: string
  readonly status: number
  readonly millis: number
  /** The code of a response that refuses the request. */
  readonly code: string | undefined
}

export interface Metrics {
  readonly record: (entry: Entry) => void
  /** Counts a connection past the limit. */
  readonly dropped: () => void
  /** The metrics of the service, of its store and of the process. Each reader has its own delays of the event loop. */
  readonly collect: (
    store: { readonly statistics: Effect.Effect<Statistics> },
    others?: Effect.Effect<Pairs>,
    lag?: EventLoopLag.EventLoopLag
  ) => Effect.Effect<Pairs>
}

/** The response to `/metrics`. */
export const toResponse = (pairs: Pairs): Exchange.Response => ({
  status: 200,
  headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" },
  body: Exposition.format(pairs)
})

const requests = MetricKey.counter("mfg_mock_requests_total", {
  description: "Completed requests.",
  incremental: true
})

const refusals = MetricKey.counter("mfg_mock_refused_total", {
  description: "Requests and connections that a limit of the service refused, by reason.",
  incremental: true
})

/** The reasons of {@link refusals} by the code of the response. */
const reasons: { readonly [code: string]: string } = {
  "53200": "memory",
  "53400": "quota",
  "54000": "size",
  "57014": "time",
  P0429: "rate",
  P0503: "queue"
}

const requestSeconds = Histogram.key(
  "mfg_mock_request_duration_seconds",
  "Time in seconds from the complete request to the complete response."
)

const stopped = MetricKey.counter("mfg_mock_queries_stopped_total", {
  description:
    "Queries without a result: past the statement timeout, refused by a full queue or for unread responses, past the memory limit, or of a client that hung up.",
  incremental: true
})

const fromQueries = ({ started, stopped: stoppedBy, waiting }: Statistics["queries"]): Pairs => [
  counter("mfg_mock_queries_total", "Queries of any size that were started off the event loop.", started),
  gauge("mfg_mock_queries_waiting", "Queries that wait for a connection.", waiting),
  ...Object.entries(stoppedBy).map(([reason, count]) =>
    MetricPair.unsafeMake(MetricKey.tagged(stopped, "reason", reason), MetricState.counter(count))
  )
]

/** The metrics of connections by their keys in the statistics. */
const connectionGauges = {
  open: MetricKey.gauge("mfg_mock_connections_open", { description: "Open connections to the database, by class." }),
  inUse: MetricKey.gauge("mfg_mock_connections_in_use", { description: "Connections with a statement, by class." }),
  waiting: MetricKey.gauge("mfg_mock_connections_waiting", {
    description: "Statements and transactions that wait for a connection, by class."
  })
}

const fromConnections = ({ classes, failures }: Connections): Pairs => [
  counter("mfg_mock_connection_failures_total", "Connections to the database that could not be opened.", failures),
  ...Object.entries(connectionGauges).flatMap(([name, key]) =>
    Object.entries(classes).map(([group, usage]) =>
      // `Object.entries` forgets the names of the keys.
      MetricPair.unsafeMake(
        MetricKey.tagged(key, "class", group),
        MetricState.gauge(usage[name as keyof typeof connectionGauges])
      )
    )
  )
]

const failed = MetricKey.counter("mfg_mock_store_failures_total", {
  description: "Failures of the store's driver, by operation and code.",
  incremental: true
})

const fromFailures = (failures: Statistics["failures"]): Pairs =>
  failures.map(({ code, count, operation }) =>
    MetricPair.unsafeMake(
      MetricKey.tagged(MetricKey.tagged(failed, "operation", operation), "code", code),
      MetricState.counter(count)
    )
  )

const fromStore = ({ changes, commitSeconds, connections, failures, queries, waiting }: Statistics): Pairs => [
  MetricPair.unsafeMake(Histogram.commitSeconds, commitSeconds),
  counter("mfg_mock_changes_total", "Committed changes.", changes),
  gauge("mfg_mock_queue_depth", "Accepted changes that are not durable yet.", waiting),
  ...fromQueries(queries),
  ...fromFailures(failures),
  ...fromConnections(connections)
]

/** The delays since the last scrape of the process. */
const scrapes = EventLoopLag.make()

const methods = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"])

/** The metrics of one service. */
export const make = (): Metrics => {
  const registry = MetricRegistry.make()

  // A look-up in the registry costs more than the update, so each series is looked up only once.
  const counters = new Map<string, MetricHook.MetricHook.Counter<number>>()
  const durations = new Map<string, MetricHook.MetricHook.Histogram>()

  const counterOf = (resource: string, method: string, status: number) => {
    const series = `${resource} ${method} ${status}`
    let hook = counters.get(series)
    if (hook === undefined) {
      const labels = { resource, method, status: String(status) }
      const key = Object.entries(labels).reduce((key, [name, value]) => MetricKey.tagged(key, name, value), requests)
      counters.set(series, (hook = registry.getCounter(key)))
    }
    return hook
  }

  const durationOf = (method: string) => {
    let hook = durations.get(method)
    if (hook === undefined) {
      durations.set(method, (hook = registry.getHistogram(MetricKey.tagged(requestSeconds, "method", method))))
    }
    return hook
  }

  const refuse = (reason: string) => registry.getCounter(MetricKey.tagged(refusals, "reason", reason)).update(1)

  return {
    dropped: () => refuse("connections"),
    record: ({ code, method: sent, millis, resource, status }) => {
      // A client can send any method, so unknown ones share a series.
      const method = methods.has(sent) ? sent : "other"
      counterOf(resource, method, status).update(1)
      const reason = code === undefined ? undefined : reasons[code]
      if (reason !== undefined) refuse(reason)
      durationOf(method).update(millis / 1000)
    },
    collect: ({ statistics }, others = Effect.succeed([]), lag = scrapes) =>
      Effect.zipWith(statistics, others, (statistics, others) => [
        ...registry.snapshot(),
        ...fromStore(statistics),
        ...others,
        ...ProcessMetrics.take(lag)
      ])
  }
}
