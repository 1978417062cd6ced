/**
 * The clock whose time passes many times as fast as real time, for latencies and timeouts of minutes in seconds.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export const make = (factor: number): Clock.Clock => {
  const base = Date.now()
  const mark = performance.now()
  const millis = () => Math.floor(base + (performance.now() - mark) * factor)
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    unsafeCurrentTimeNanos: () => BigInt(Math.round(millis() * 1e6)),
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: Effect.sync(() => BigInt(Math.round(millis() * 1e6))),
    sleep: (duration) =>
      Effect.async((resume) => {
        const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration) / factor)
        return Effect.sync(() => clearTimeout(timer))
      })
  }
}
