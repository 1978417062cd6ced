/**
 * Schedules the attempts of a delivery: the first immediately, and seven retries at growing intervals.
 */

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/** The delays after each failed attempt, in milliseconds. The last attempt has none. */
export const delays: ReadonlyArray<number> = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  10 * hours
]

/** A webhook that has failed for this time without a success is disabled. */
export const disableAfterMillis = 5 * 24 * hours

/** The longest delay that a receiver can request with `Retry-After`. */
const longest = 24 * hours

/** The part of a delay by which a retry may come early, so that deliveries that failed together are retried apart. */
const jitter = 0.1

/** Hashes a text to a number from 0 to 1, so that runs are reproducible. */
const hashToUnit = (seed: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

export interface Failure {
  /** Attempts so far, including the failed one. */
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly now: number
  /** A text that is unique to the delivery. */
  readonly seed: string
  /** The earliest moment that the receiver asked for. */
  readonly notBefore?: number | undefined
}

/** The moment of the next attempt, or `undefined` after the last. */
export const next = ({ attempts, notBefore = 0, now, seed }: Failure): number | undefined => {
  const delay = delays[attempts - 1]
  if (delay === undefined) return undefined
  const due = now + Math.round(delay * (1 - jitter * hashToUnit(`${seed}/${attempts}`)))
  return Math.max(due, Math.min(notBefore, now + longest))
}
