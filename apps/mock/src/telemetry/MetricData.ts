/**
 * Converts metrics to those of OTLP, under their names in `/metrics`.
 */
import type * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"
import * as Option from "effect/Option"
import * as Attributes from "./Attributes.ts"
import type { Value } from "./OtlpMessage.ts"

type Pair = MetricPair.MetricPair.Untyped

const cumulative = 2

const unitOf = (name: string): string => (/_seconds(_total)?$/.test(name) ? "s" : name.endsWith("_bytes") ? "By" : "1")

/** The data of one series by the name of its kind, and what all series of the kind share. */
const pointOf = ({ metricState: state }: Pair): readonly [kind: string, shared: Value, point: Value] | undefined => {
  if (MetricState.isCounterState(state)) {
    return ["sum", { aggregationTemporality: cumulative, isMonotonic: true }, { asDouble: Number(state.count) }]
  }
  if (MetricState.isGaugeState(state)) return ["gauge", {}, { asDouble: Number(state.value) }]
  if (!MetricState.isHistogramState(state)) return undefined
  const counts = state.buckets.map(([, count]) => count)
  return [
    "histogram",
    { aggregationTemporality: cumulative },
    {
      count: String(state.count),
      sum: state.sum,
      bucketCounts: counts.map((count, index) => String(count - (counts[index - 1] ?? 0))),
      explicitBounds: state.buckets.map(([bound]) => bound).filter(Number.isFinite)
    }
  ]
}

/** The metrics now; counters count from `startMillis`. */
export const toValues = (pairs: ReadonlyArray<Pair>, startMillis: number, nowMillis: number): ReadonlyArray<Value> => {
  const metrics = new Map<string, { readonly metric: Value; readonly dataPoints: Array<Value> }>()
  for (const pair of pairs) {
    const found = pointOf(pair)
    if (found === undefined) continue
    const [kind, shared, point] = found
    const { description, name, tags } = pair.metricKey
    let family = metrics.get(name)
    if (family === undefined) {
      const dataPoints: Array<Value> = []
      const metric = {
        name,
        description: Option.getOrElse(description, () => ""),
        unit: unitOf(name),
        [kind]: { dataPoints, ...shared }
      }
      metrics.set(name, (family = { metric, dataPoints }))
    }
    family.dataPoints.push({
      attributes: Attributes.toKeyValues(Object.fromEntries(tags.map(({ key, value }) => [key, value]))),
      startTimeUnixNano: Attributes.toNanos(startMillis),
      timeUnixNano: Attributes.toNanos(nowMillis),
      ...point
    })
  }
  return Array.from(metrics.values(), ({ metric }) => metric)
}
