/**
 * The health of the service over time: points between two readings of the metrics, in bounded number.
 */
import * as Exposition from "./Exposition.ts"

export interface Reading {
  /** Milliseconds of the clock of the page. */
  readonly at: number
  readonly samples: ReadonlyArray<Exposition.Sample>
}

/** The health between two readings. A value is undefined where nothing was measured. */
export interface Point {
  readonly at: number
  /** Requests a second. */
  readonly requests: number
  /** Milliseconds below which this part of the requests was. */
  readonly p50: number | undefined
  readonly p95: number | undefined
  readonly p99: number | undefined
  /** Error responses a second, all and by status. */
  readonly errors: number
  readonly errorsByStatus: ReadonlyMap<string, number>
  /** Commits a second. */
  readonly commits: number
  /** Accepted changes that are not durable yet. */
  readonly queue: number
  /** Deliveries that wait; undefined where the service does not measure them. */
  readonly backlog: number | undefined
}

/** The points that the page keeps. */
export const most = 150

/** The least upper bound in milliseconds of a part of the observations, interpolated within its bucket. */
const quantile = (buckets: ReadonlyMap<number, number>, part: number): number | undefined => {
  const sorted = [...buckets].toSorted(([one], [other]) => one - other)
  const total = sorted.at(-1)?.[1] ?? 0
  if (total <= 0) return undefined
  const wanted = part * total
  let [below, lower] = [0, 0]
  for (const [bound, count] of sorted) {
    if (count >= wanted) {
      const width = bound === Infinity ? 0 : bound - lower
      return 1000 * (lower + (count === below ? width : (width * (wanted - below)) / (count - below)))
    }
    below = count
    lower = bound
  }
  return undefined
}

const duration = "mfg_mock_request_duration_seconds"
const requests = "mfg_mock_requests_total"

const isError = ({ status = "" }: Exposition.Sample["labels"]): boolean => status >= "400"

const errorsOf = ({ samples }: Reading): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { labels, name, value } of samples) {
    const { status = "" } = labels
    if (name === requests && isError(labels)) counts.set(status, (counts.get(status) ?? 0) + value)
  }
  return counts
}

/** The health between two readings; undefined where the service was started between them. */
export const between = (from: Reading, to: Reading): Point | undefined => {
  const seconds = (to.at - from.at) / 1000
  const grown = (name: string, accepts?: (labels: Exposition.Sample["labels"]) => boolean) =>
    Exposition.sum(to.samples, name, accepts) - Exposition.sum(from.samples, name, accepts)
  const count = grown(requests)
  if (seconds <= 0 || count < 0) return undefined
  const old = Exposition.buckets(from.samples, duration)
  const buckets = new Map(
    [...Exposition.buckets(to.samples, duration)].map(([bound, count]) => [bound, count - (old.get(bound) ?? 0)])
  )
  const oldErrors = errorsOf(from)
  const errorsByStatus = new Map(
    [...errorsOf(to)]
      .map(([status, count]) => [status, (count - (oldErrors.get(status) ?? 0)) / seconds] as const)
      .filter(([, rate]) => rate > 0)
  )
  const pending = to.samples.filter(({ name }) => name === "mfg_mock_deliveries_pending")
  return {
    at: to.at,
    requests: count / seconds,
    p50: quantile(buckets, 0.5),
    p95: quantile(buckets, 0.95),
    p99: quantile(buckets, 0.99),
    errors: grown(requests, isError) / seconds,
    errorsByStatus,
    commits: grown("mfg_mock_commit_duration_seconds_count") / seconds,
    queue: Exposition.sum(to.samples, "mfg_mock_queue_depth"),
    backlog: pending.length === 0 ? undefined : pending.reduce((sum, { value }) => sum + value, 0)
  }
}
