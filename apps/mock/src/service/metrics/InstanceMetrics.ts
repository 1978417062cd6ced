/**
 * The metrics of an instance besides those of its requests and its store: versions, deliveries, worlds and telemetry.
 */
import type { Telemetry } from "../../telemetry/Telemetry.ts"
import type { Counts } from "../../webhooks/AttemptCounts.ts"
import * as BuildInfo from "../BuildInfo.ts"
import type { Replicas } from "../../store/Store.ts"
import * as ReplicaMetrics from "./ReplicaMetrics.ts"
import { counter, gauge, type Pairs, tagged } from "./Pair.ts"

/** The metrics of attempts to deliver events. */
const fromAttempts = ({ dead, delivered, failed }: Counts): Pairs => [
  ...Object.entries({ delivered, failed }).map(([outcome, count]) =>
    tagged(
      counter(
        "mfg_mock_delivery_attempts_total",
        "Attempts of this process to deliver events to webhooks, by outcome.",
        count
      ),
      { outcome }
    )
  ),
  counter("mfg_mock_deliveries_dead_total", "Deliveries whose last attempt failed.", dead)
]

/** The versions and the kind of the store, as labels of the value 1. */
const buildInfo = (store: string): Pairs => [
  tagged(gauge("mfg_mock_build_info", "1, with the versions of the service and of Node and the store as labels.", 1), {
    version: BuildInfo.version(),
    node: process.version,
    store
  })
]

/** The metrics of worlds besides main. */
const fromWorlds = (worlds: { readonly open: number; readonly idle: number } | undefined): Pairs =>
  worlds === undefined
    ? []
    : Object.entries(worlds).map(([state, count]) =>
        tagged(gauge("mfg_mock_worlds", "Worlds besides main, by state: open, or idle without memory.", count), {
          state
        })
      )

/** The metrics of what is exported over OTLP. */
const fromTelemetry = (counts: ReturnType<Telemetry["counts"]>): Pairs =>
  counts.flatMap(({ dropped, exported, failures, signal, waiting }) =>
    [
      counter("mfg_mock_telemetry_exported_total", "Items that the OTLP collector has accepted, by signal.", exported),
      counter("mfg_mock_telemetry_dropped_total", "Items that were not exported, by signal.", dropped),
      counter("mfg_mock_telemetry_failures_total", "Requests to the OTLP collector without success.", failures),
      gauge("mfg_mock_telemetry_waiting", "Items that wait for the OTLP collector, by signal.", waiting)
    ].map((pair) => tagged(pair, { signal }))
  )

export interface Parts {
  /** The kind of the store. */
  readonly store: string
  readonly attempts: Counts
  readonly worlds: { readonly open: number; readonly idle: number } | undefined
  readonly replicas: Replicas | undefined
  readonly telemetry: Telemetry | undefined
}

/** The metrics now. */
export const read = ({ attempts, replicas, store, telemetry, worlds }: Parts): Pairs => [
  ...buildInfo(store),
  ...fromAttempts(attempts),
  ...fromWorlds(worlds),
  ...ReplicaMetrics.read(replicas),
  ...fromTelemetry(telemetry?.counts() ?? [])
]
