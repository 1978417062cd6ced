/**
 * Decides how often and when a failed request is retried.
 */
import * as Duration from "effect/Duration"
import type * as Schedule from "effect/Schedule"
import type { Failure } from "./ClientError.ts"

export interface RetryPolicy {
  /** The maximum number of retries; 0 means none. */
  readonly times: number
  /** The first delay; each further one is twice as long. A random part of up to half of each delay is left out. */
  readonly first: Duration.Duration
  /** The longest delay. A response with a longer `Retry-After` is not retried. */
  readonly longest: Duration.Duration
}

/** Options of a policy, with the {@link defaults}. */
export interface Options {
  readonly times?: number | undefined
  readonly first?: Duration.DurationInput | undefined
  readonly longest?: Duration.DurationInput | undefined
}

/** An attempt that failed, as a schedule receives it. */
export interface FailedAttempt {
  /** 1 for the first attempt. */
  readonly attempt: number
  /** `Status` for a response with the status of a temporary error. */
  readonly reason: Failure | "Status"
  readonly status: number | undefined
  /** The time to wait, where the service names one; the client waits at least this long. */
  readonly retryAfter: Duration.Duration | undefined
}

/** A schedule that decides when a failed attempt is repeated, and ends the retries when it ends. */
export type RetrySchedule = Schedule.Schedule<unknown, FailedAttempt>

/** The retries of a call: the options of a policy, or a schedule. */
export type Retry = Options | RetrySchedule

/** Four retries, after at most 0.2, 0.4, 0.8 and 1.6 seconds, or after `Retry-After`. */
export const defaults: RetryPolicy = {
  times: 4,
  first: Duration.millis(200),
  longest: Duration.seconds(30)
}

/** A policy from options. */
export const make = ({ first, longest, times }: Options = {}): RetryPolicy => ({
  times: times ?? defaults.times,
  first: first === undefined ? defaults.first : Duration.decode(first),
  longest: longest === undefined ? defaults.longest : Duration.decode(longest)
})

/** The codes of a query that exceeded the time or the memory of the service, and would again. */
const costly: ReadonlySet<string | undefined> = new Set(["57014", "53200", "54000"])

/** Reports whether a request that failed with this status, and with this error code, may succeed when it is retried. */
export const isTransient = (status: number, code?: string): boolean =>
  (status === 429 || (status >= 502 && status <= 504)) && !costly.has(code)

/** The delay before the next attempt; `random` is from 0 to 1. */
export const delayMillis = (
  { first, longest }: RetryPolicy,
  retries: number,
  retryAfter: Duration.Duration | undefined,
  random: number
): number => {
  const step = Math.min(Duration.toMillis(first) * 2 ** retries, Duration.toMillis(longest))
  const jittered = step * (0.5 + random / 2)
  // `Retry-After` is the least: the random part on top spreads the retries of clients that were rejected together.
  return retryAfter === undefined ? jittered : Duration.toMillis(retryAfter) + jittered / 2
}
