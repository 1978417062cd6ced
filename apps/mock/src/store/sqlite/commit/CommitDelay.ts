/**
 * Delays a commit for the next changes of the callers that continue after the commit before it. Without a delay, callers
 * that send one change after another divide into two groups, whose commits alternate and are half as large; a commit
 * takes as long as dozens of changes.
 */

export interface CommitDelay {
  /** Notes a commit: its duration, and the numbers of callers that continue after it and of changes that wait. */
  readonly committed: (commit: {
    readonly millis: number
    readonly continued: number
    readonly waiting: number
    readonly nowMillis: number
  }) => void
  /** The milliseconds for which this number of changes waits for others. */
  readonly delay: (waiting: number, nowMillis: number) => number
}

/** The longest delay. No change waits longer for others than the commit before it took. */
const mostMillis = 3
/** The shortest delay, because timers have no shorter ones. */
const leastMillis = 1

/** `most` is the number of changes of a full commit. */
export const make = (most: number): CommitDelay => {
  let expected = 0
  let end = 0
  return {
    committed: ({ continued, millis, nowMillis, waiting }) => {
      expected = Math.min(most, waiting + continued)
      end = nowMillis + (millis < leastMillis ? 0 : Math.min(mostMillis, millis))
    },
    delay: (waiting, nowMillis) => (waiting >= expected ? 0 : Math.max(0, end - nowMillis))
  }
}
