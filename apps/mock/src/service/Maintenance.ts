/**
 * Combines what keeps a service small over months: the retention of rows, the return of unused space and the statistics
 * of the store, with their metrics.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as MetricKey from "effect/MetricKey"
import * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"
import * as ExpiredHistory from "../history/ExpiredHistory.ts"
import * as Idempotency from "../rows/Idempotency.ts"
import type { Settings } from "../Settings.ts"
import type { Space } from "../store/Store.ts"
import * as Backlog from "../webhooks/Backlog.ts"
import * as ExpiredEvents from "../webhooks/ExpiredEvents.ts"
import * as Batches from "../world/Batches.ts"
import type { Task } from "../world/Janitor.ts"
import * as Retention from "../world/Retention.ts"
import type { World } from "../world/World.ts"
import { gauge, type Pairs } from "./metrics/Pair.ts"

export interface Maintenance {
  readonly tasks: ReadonlyArray<Task>
  /** The metrics, without those that the store cannot provide at the moment. */
  readonly metrics: Effect.Effect<Pairs>
}

/** The real time for which measurements are kept: anybody can request the metrics. */
const keptMillis = 5000

const deletedRows = MetricKey.counter("mfg_mock_expired_rows_total", {
  description: "Rows that were deleted because they had expired, by table.",
  incremental: true
})

const completed = MetricKey.gauge("mfg_mock_expired_rows_last_success_timestamp_seconds", {
  description: "Time at which this process last found no expired rows left, in seconds since 1970-01-01T00:00:00Z."
})

const fromProgress = ({ completedMillis, deleted, tables }: Retention.Progress): Pairs => [
  ...tables.map((table) =>
    MetricPair.unsafeMake(MetricKey.tagged(deletedRows, "table", table), MetricState.counter(deleted[table] ?? 0))
  ),
  ...(completedMillis === undefined
    ? []
    : tables.map((table) =>
        MetricPair.unsafeMake(MetricKey.tagged(completed, "table", table), MetricState.gauge(completedMillis / 1000))
      ))
]

const fromSpace = ({ databaseBytes, freeBytes, logBytes }: Space): Pairs => [
  gauge("mfg_mock_database_bytes", "Size of the database.", databaseBytes),
  ...(freeBytes === undefined
    ? []
    : [gauge("mfg_mock_database_free_bytes", "Unused space in the file of the SQLite database.", freeBytes)]),
  ...(logBytes === undefined
    ? []
    : [gauge("mfg_mock_log_bytes", "Size of the write-ahead log of the SQLite database.", logBytes)])
]

const fromBacklog = ({ oldestMillis, paused, pending }: Backlog.Backlog, now: number): Pairs => [
  gauge("mfg_mock_deliveries_pending", "Deliveries that active webhooks still have to get.", pending),
  gauge("mfg_mock_deliveries_paused", "Deliveries that wait until their webhook is enabled.", paused),
  gauge(
    "mfg_mock_delivery_oldest_pending_seconds",
    "Age of the oldest event that an active webhook still has to get, 0 if there is none.",
    oldestMillis === undefined ? 0 : Math.max(0, now - oldestMillis) / 1000
  )
]

/** Refreshes the statistics of the store, by which it selects indexes as tables grow. */
const upkeep = ({ store }: World["Type"]): Task => ({
  name: "upkeep of the store",
  everyMillis: 60_000,
  work: store.maintain
})

const space = ({ store }: World["Type"]): Task => ({
  name: "return of unused space",
  everyMillis: 60_000,
  work: Batches.run(store.giveBack)
})

export const make = (
  world: World["Type"],
  { keepDeliveries, keepHistory, keepIdempotency }: Pick<Settings, "keepDeliveries" | "keepHistory" | "keepIdempotency">
): Maintenance => {
  const retention = [
    Retention.make(world.now, ExpiredEvents.make(world, keepDeliveries)),
    Retention.make(world.now, Idempotency.expiry(world, keepIdempotency)),
    ...(world.store.history === undefined ? [] : [Retention.make(world.now, ExpiredHistory.make(world, keepHistory))])
  ]
  let kept: { readonly at: number; readonly pairs: Pairs } | undefined

  // A metric that cannot be measured is left out of the response.
  const measured = Effect.suspend(() => {
    if (kept !== undefined && performance.now() - kept.at < keptMillis) return Exit.succeed(kept.pairs)
    return Effect.all([
      Effect.match(world.store.space, { onSuccess: fromSpace, onFailure: () => [] }),
      Effect.match(Backlog.measure(world), {
        onSuccess: (backlog) => fromBacklog(backlog, world.now()),
        onFailure: () => []
      })
    ]).pipe(
      Effect.map((parts) => {
        kept = { at: performance.now(), pairs: parts.flat() }
        return kept.pairs
      })
    )
  })

  return {
    tasks: [upkeep(world), space(world), ...retention.map(({ task }) => task)],
    metrics: Effect.map(measured, (pairs) => [
      ...pairs,
      ...retention.flatMap(({ progress }) => fromProgress(progress()))
    ])
  }
}
