/**
 * How long something took, counted by bounds: cheap enough for every request and every commit.
 */

/** What was counted. */
export interface Distribution {
  /** Upper bounds in seconds, ascending. */
  readonly bounds: ReadonlyArray<number>
  /** How many fell under each bound and above the one before; the last number is for what lies above all bounds. */
  readonly counts: ReadonlyArray<number>
  /** Seconds altogether. */
  readonly sum: number
}

export interface Histogram {
  readonly observe: (seconds: number) => void
  readonly read: () => Distribution
}

/** From a tenth of a millisecond, which is what a read in memory takes, to what a client gives up at. */
const bounds: ReadonlyArray<number> = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
]

/** One that has counted nothing yet. */
export const make = (): Histogram => {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  let sum = 0
  return {
    observe: (seconds) => {
      let place = 0
      while (place < bounds.length && seconds > (bounds[place] ?? 0)) place++
      counts[place] = (counts[place] ?? 0) + 1
      sum += seconds
    },
    read: () => ({ bounds, counts: Array.from(counts), sum })
  }
}
