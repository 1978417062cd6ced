/**
 * Declares histograms of durations on Effect's metrics.
 */
import * as MetricBoundaries from "effect/MetricBoundaries"
import type * as MetricHook from "effect/MetricHook"
import * as MetricKey from "effect/MetricKey"
import * as MetricRegistry from "effect/MetricRegistry"

/** Upper bounds in seconds, from the time of a read in memory to a common timeout of clients. */
const boundaries = MetricBoundaries.fromIterable([
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
])

/** The key of a histogram of seconds. */
export const key = (name: string, description: string): MetricKey.MetricKey.Histogram =>
  MetricKey.histogram(name, boundaries, description)

/** The key of the duration of commits. */
export const commitSeconds = key("mfg_mock_commit_duration_seconds", "Duration of commits in seconds.")

/** The histogram of the commits of one store. */
export const commits = (): MetricHook.MetricHook.Histogram => MetricRegistry.make().getHistogram(commitSeconds)
