/**
 * Turns a retry policy or a schedule into the waits between the attempts of one request.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"
import * as RetryPolicy from "../../RetryPolicy.ts"
import * as ClientOptions from "../ClientOptions.ts"

/** The milliseconds until the next attempt; `undefined` after the last one. */
interface Waits {
  (attempt: RetryPolicy.FailedAttempt): Effect.Effect<number | undefined>
}

/** Makes the waits of one request. */
export interface Retry {
  (): Waits
}

const fromPolicy = (policy: RetryPolicy.RetryPolicy): Retry => {
  const waits: Waits = ({ attempt, retryAfter }) =>
    attempt > policy.times || (retryAfter !== undefined && Duration.greaterThan(retryAfter, policy.longest))
      ? Effect.succeed(undefined)
      : Effect.map(Random.next, (random) => RetryPolicy.delayMillis(policy, attempt - 1, retryAfter, random))
  return () => waits
}

const fromSchedule =
  (schedule: RetryPolicy.RetrySchedule): Retry =>
  () => {
    let state: unknown = schedule.initial
    return (attempt) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(schedule.step(now, attempt, state), ([next, , decision]) => {
          state = next
          if (ScheduleDecision.isDone(decision)) return undefined
          const { retryAfter = Duration.zero } = attempt
          return Math.max(ScheduleIntervals.start(decision.intervals) - now, Duration.toMillis(retryAfter))
        })
      )
  }

/** The retries of an option, which may be a policy or a schedule; throws for an invalid one, and names it. */
export const make = (retry: RetryPolicy.Retry = {}): Retry => {
  if (Schedule.isSchedule(retry)) return fromSchedule(retry)
  // The module is never destructured, so that bundles leave out the rest of it.
  const first = retry.first ?? RetryPolicy.defaults.first
  const longest = retry.longest ?? RetryPolicy.defaults.longest
  return fromPolicy({
    times: ClientOptions.count("retry.times", retry.times ?? RetryPolicy.defaults.times),
    first: ClientOptions.duration("retry.first", first),
    longest: ClientOptions.duration("retry.longest", longest)
  })
}
