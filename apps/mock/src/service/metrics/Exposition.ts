/**
 * Formats metrics as the text that Prometheus scrapes (version 0.0.4).
 */
import type * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"

type Pair = MetricPair.MetricPair.Untyped

type Labels = ReadonlyArray<readonly [name: string, value: string]>

/** The metrics of one name, which share its description and differ in their labels. */
interface Family {
  readonly type: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly samples: ReadonlyArray<string>
}

// The values of labels are names and numbers of the service, so they need no escapes.
const sample = (name: string, labels: Labels, value: number | bigint): string => {
  const text = labels.map(([label, value]) => `${label}="${value}"`).join(",")
  return `${name}${text === "" ? "" : `{${text}}`} ${value}`
}

const histogram = (name: string, labels: Labels, { buckets, count, sum }: MetricState.MetricState.Histogram) => [
  ...buckets.map(([bound, cumulative]) =>
    sample(`${name}_bucket`, [...labels, ["le", bound === Infinity ? "+Inf" : String(bound)]], cumulative)
  ),
  sample(`${name}_sum`, labels, sum),
  sample(`${name}_count`, labels, count)
]

/** The family of one metric; undefined for a type that the service does not use. */
const familyOf = ({ metricKey, metricState: state }: Pair): Family | undefined => {
  const { description, name } = metricKey
  const labels = metricKey.tags.map(({ key, value }) => [key, value] as const)
  const help = description._tag === "Some" ? description.value : name
  if (MetricState.isCounterState(state)) return { type: "counter", help, samples: [sample(name, labels, state.count)] }
  if (MetricState.isGaugeState(state)) return { type: "gauge", help, samples: [sample(name, labels, state.value)] }
  if (MetricState.isHistogramState(state)) return { type: "histogram", help, samples: histogram(name, labels, state) }
  return undefined
}

/** The text of metrics, grouped by their names. */
export const format = (pairs: ReadonlyArray<Pair>): string => {
  const families = new Map<string, Family>()
  for (const pair of pairs) {
    const { name } = pair.metricKey
    const family = familyOf(pair)
    if (family === undefined) continue
    const samples = [...(families.get(name)?.samples ?? []), ...family.samples]
    families.set(name, { ...family, samples })
  }
  return Array.from(families, ([name, { help, samples, type }]) =>
    [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ""].join("\n")
  ).join("")
}
