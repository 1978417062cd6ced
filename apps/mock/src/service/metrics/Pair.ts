/**
 * Makes metrics with their values, outside of a registry.
 */
import * as MetricKey from "effect/MetricKey"
import * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"

export type Pair = MetricPair.MetricPair.Untyped

export type Pairs = ReadonlyArray<Pair>

export const counter = (name: string, description: string, value: number) =>
  MetricPair.unsafeMake(MetricKey.counter(name, { description, incremental: true }), MetricState.counter(value))

export const gauge = (name: string, description: string, value: number) =>
  MetricPair.unsafeMake(MetricKey.gauge(name, { description }), MetricState.gauge(value))

/** Adds labels to a metric. */
export const tagged = ({ metricKey, metricState }: Pair, labels: { readonly [name: string]: string }): Pair =>
  Object.entries(labels).reduce(
    (pair, [name, value]) => MetricPair.unsafeMake(MetricKey.tagged(pair.metricKey, name, value), metricState),
    MetricPair.unsafeMake(metricKey, metricState)
  )
