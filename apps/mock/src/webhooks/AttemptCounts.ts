/**
 * Counts the attempts of this process to deliver events, for its metrics.
 */
import type { Attempt } from "./Attempt.ts"

export interface Counts {
  readonly delivered: number
  readonly failed: number
  /** The deliveries whose last attempt failed. */
  readonly dead: number
}

export interface AttemptCounts {
  readonly add: (attempt: Attempt) => void
  readonly read: () => Counts
}

export const make = (): AttemptCounts => {
  let counts: Counts = { delivered: 0, failed: 0, dead: 0 }
  return {
    add: ({ disposition: { _tag } }) => {
      const { dead, delivered, failed } = counts
      counts =
        _tag === "Delivered"
          ? { ...counts, delivered: delivered + 1 }
          : { ...counts, failed: failed + 1, dead: dead + (_tag === "Dead" ? 1 : 0) }
    },
    read: () => counts
  }
}
