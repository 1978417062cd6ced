/**
 * Reads the metrics of the replicas of a store.
 */
import * as MetricKey from "effect/MetricKey"
import * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"
import type { Replicas } from "../../store/Store.ts"
import { gauge, type Pairs, tagged } from "./Pair.ts"

const replicaReads = MetricKey.counter("mfg_mock_replica_reads_total", {
  description: "Reads of rows by the target that was selected for them: replica or primary.",
  incremental: true
})

const replicaFallbacks = MetricKey.counter("mfg_mock_replica_fallbacks_total", {
  description: "Reads of rows that went to the primary because no replica could serve them, by reason.",
  incremental: true
})

/** The metrics now; none without replicas. */
export const read = (replicas: Replicas | undefined): Pairs => {
  if (replicas === undefined) return []
  const { fallbacks, reads, replicas: members } = replicas.counts()
  return [
    ...members.flatMap(({ isUsed, lagSeconds, name: replica }) => [
      tagged(
        gauge(
          "mfg_mock_replica_in_use",
          "1 for a replica that serves reads, 0 for one that is left out.",
          Number(isUsed)
        ),
        {
          replica
        }
      ),
      ...(lagSeconds === undefined
        ? []
        : [
            tagged(
              gauge(
                "mfg_mock_replica_lag_seconds",
                "Time since the primary has passed the position of the replica.",
                lagSeconds
              ),
              {
                replica
              }
            )
          ])
    ]),
    ...Object.entries(reads).map(([target, count]) =>
      MetricPair.unsafeMake(MetricKey.tagged(replicaReads, "target", target), MetricState.counter(count))
    ),
    ...Object.entries(fallbacks).map(([reason, count]) =>
      MetricPair.unsafeMake(MetricKey.tagged(replicaFallbacks, "reason", reason), MetricState.counter(count))
    )
  ]
}
