/**
 * What the service has done, counted in memory and told as text in the form that Prometheus reads. Every name stands
 * here once, with what it counts.
 */
import * as Effect from "effect/Effect"
import { readdirSync } from "node:fs"
import type * as Exchange from "../Exchange.ts"
import * as Histogram from "../store/Histogram.ts"
import type { Statistics } from "../store/Store.ts"

/** A request that was answered. */
interface Entry {
  /** One of a few names: each makes a series of its own. */
  readonly resource: string
  readonly method: string
  readonly status: number
  readonly millis: number
}

export interface Metrics {
  readonly record: (entry: Entry) => void
  /** Everything, beside what a store has counted. */
  readonly answer: (store: { readonly statistics: Effect.Effect<Statistics> }) => Effect.Effect<Exchange.Response>
}

type Labels = { readonly [name: string]: string }

const methods = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"])

const labelled = (labels: Labels): string => {
  // No value here holds a quote, a backslash or the end of a line, which would have to be escaped.
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const sample = (name: string, labels: Labels, value: number): string => `${name}${labelled(labels)} ${value}`

const family = (name: string, type: "counter" | "gauge" | "histogram", help: string, samples: ReadonlyArray<string>) =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples].join("\n")

const single = (name: string, type: "counter" | "gauge", help: string, value: number) =>
  family(name, type, help, [sample(name, {}, value)])

/** A histogram's samples: each bound counts what lies under it, those below included. */
const distribution = (name: string, labels: Labels, { bounds, counts, sum }: Histogram.Distribution) => {
  let total = 0
  const under = counts.map((count, place) => {
    total += count
    return sample(`${name}_bucket`, { ...labels, le: String(bounds[place] ?? "+Inf") }, total)
  })
  return [...under, sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, total)]
}

const fromStore = ({ changes, commitSeconds, waiting }: Statistics): ReadonlyArray<string> => [
  family(
    "mfg_mock_commit_duration_seconds",
    "histogram",
    "How long it took to make changes durable, commit by commit.",
    distribution("mfg_mock_commit_duration_seconds", {}, commitSeconds)
  ),
  single("mfg_mock_changes_total", "counter", "Changes that were made durable.", changes),
  single("mfg_mock_queue_depth", "gauge", "Changes that were accepted and are not durable yet.", waiting)
]

/** How many files are open, where the system tells. */
const openFiles = (): ReadonlyArray<string> => {
  try {
    return [single("process_open_fds", "gauge", "Open files and sockets.", readdirSync("/proc/self/fd").length)]
  } catch {
    return []
  }
}

const fromProcess = (): ReadonlyArray<string> => {
  const { system, user } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  const { idle } = performance.eventLoopUtilization()
  return [
    single("process_cpu_seconds_total", "counter", "Processor time.", (system + user) / 1e6),
    single("process_resident_memory_bytes", "gauge", "Memory that is in use.", rss),
    single("process_start_time_seconds", "gauge", "When it began, since 1970.", performance.timeOrigin / 1000),
    ...openFiles(),
    single("nodejs_heap_size_used_bytes", "gauge", "Memory that JavaScript uses.", heapUsed),
    single(
      "nodejs_eventloop_idle_seconds_total",
      "counter",
      "Time in which the event loop had nothing to do.",
      idle / 1000
    )
  ]
}

interface Requests {
  readonly labels: Labels
  count: number
}

/** Begins to count. */
export const make = (): Metrics => {
  const requests = new Map<string, Requests>()
  const durations = new Map<string, Histogram.Histogram>()

  const duration = (method: string): Histogram.Histogram => {
    const found = durations.get(method) ?? Histogram.make()
    durations.set(method, found)
    return found
  }

  const fromRequests = (): ReadonlyArray<string> => [
    family(
      "mfg_mock_requests_total",
      "counter",
      "Requests that were answered.",
      Array.from(requests.values(), ({ count, labels }) => sample("mfg_mock_requests_total", labels, count))
    ),
    family(
      "mfg_mock_request_duration_seconds",
      "histogram",
      "How long an answer took, from the whole request to the answer that is ready to be sent.",
      Array.from(durations).flatMap(([method, histogram]) =>
        distribution("mfg_mock_request_duration_seconds", { method }, histogram.read())
      )
    )
  ]

  return {
    record: ({ method: sent, millis, resource, status }) => {
      // A client makes up methods as it likes.
      const method = methods.has(sent) ? sent : "other"
      const series = `${resource} ${method} ${status}`
      const found = requests.get(series)
      if (found === undefined) requests.set(series, { labels: { resource, method, status: String(status) }, count: 1 })
      else found.count += 1
      duration(method).observe(millis / 1000)
    },
    answer: ({ statistics }) =>
      Effect.map(statistics, (statistics) => ({
        status: 200,
        headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" },
        body: [...fromRequests(), ...fromStore(statistics), ...fromProcess(), ""].join("\n")
      }))
  }
}
