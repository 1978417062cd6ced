/**
 * Measures the delay of timers by the event loop, from the first reading: a process that nobody reads has no timer for it.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks"

/** The time between two samples, which the histogram includes. */
const resolutionMillis = 20

interface Quantile {
  readonly name: "p50" | "p99" | "max"
  readonly seconds: number
}

export interface EventLoopLag {
  /** The delays since the last call; zero in the first one. */
  readonly take: () => ReadonlyArray<Quantile>
}

/** The delays for one reader. */
export const make = (): EventLoopLag => {
  let histogram: IntervalHistogram | undefined
  return {
    take: () => {
      const monitor = (histogram ??= monitorEventLoopDelay({ resolution: resolutionMillis }))
      monitor.enable()
      const seconds = (nanos: number) => (monitor.count === 0 ? 0 : Math.max(0, nanos / 1e9 - resolutionMillis / 1e3))
      const quantiles: ReadonlyArray<Quantile> = [
        { name: "p50", seconds: seconds(monitor.percentile(50)) },
        { name: "p99", seconds: seconds(monitor.percentile(99)) },
        { name: "max", seconds: seconds(monitor.max) }
      ]
      monitor.reset()
      return quantiles
    }
  }
}
