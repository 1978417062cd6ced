/**
 * When a delivery is attempted: at once, and after failures at growing intervals, eight times in all.
 */

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/** How long after each failed attempt the next one follows. Nothing follows the last. */
export const delays: ReadonlyArray<number> = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  10 * hours
]

/** A webhook that has failed for so long without a success is switched off. */
export const patienceMillis = 5 * 24 * hours

/** A receiver can ask for no more patience than this. */
const longest = 24 * hours

/** Attempts come up to a tenth early, so that those that failed together do not come back together. */
const spread = 0.1

/** A number from 0 to 1 that is the same for the same text: two runs of one world are alike. */
const drawn = (seed: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

export interface Failed {
  /** Attempts so far, the failed one included. */
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly now: number
  /** What tells this delivery from others. */
  readonly seed: string
  /** The earliest moment that the receiver asked for. */
  readonly notBefore?: number | undefined
}

/** When the next attempt is due, or nothing after the last. */
export const next = ({ attempts, notBefore = 0, now, seed }: Failed): number | undefined => {
  const delay = delays[attempts - 1]
  if (delay === undefined) return undefined
  const due = now + Math.round(delay * (1 - spread * drawn(`${seed}/${attempts}`)))
  return Math.max(due, Math.min(notBefore, now + longest))
}
