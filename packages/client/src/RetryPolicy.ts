/**
 * How often, and after what time, a call is sent again that may be sent again.
 */
import * as Duration from "effect/Duration"

export interface RetryPolicy {
  /** How often at most; 0 means never. */
  readonly times: number
  /** The first wait; each further one is twice as long, and a random half of it is left out. */
  readonly first: Duration.Duration
  /** No wait is longer, and a service that asks for a longer one is not asked again. */
  readonly longest: Duration.Duration
}

/** A policy as one writes it; what is left out is {@link defaults}'s. */
export interface Options {
  readonly times?: number | undefined
  readonly first?: Duration.DurationInput | undefined
  readonly longest?: Duration.DurationInput | undefined
}

/** Four times: after about 0.2, 0.4, 0.8 and 1.6 seconds, or when the service says. */
export const defaults: RetryPolicy = {
  times: 4,
  first: Duration.millis(200),
  longest: Duration.seconds(30)
}

/** The policy that options say. */
export const make = ({ first, longest, times }: Options = {}): RetryPolicy => ({
  times: times ?? defaults.times,
  first: first === undefined ? defaults.first : Duration.decode(first),
  longest: longest === undefined ? defaults.longest : Duration.decode(longest)
})

/** Whether another call may fare better than the one that was answered with this status. */
export const isTransient = (status: number): boolean =>
  status === 429 || status === 502 || status === 503 || status === 504

/** How long to wait, given what the service asks for and a random number from 0 to 1. */
export const delayMillis = (
  { first, longest }: RetryPolicy,
  repeated: number,
  asked: Duration.Duration | undefined,
  random: number
): number => {
  const step = Math.min(Duration.toMillis(first) * 2 ** repeated, Duration.toMillis(longest))
  const jittered = step * (0.5 + random / 2)
  // What the service asks for is the least; callers that were refused together do not come back together.
  return asked === undefined ? jittered : Duration.toMillis(asked) + jittered / 2
}
