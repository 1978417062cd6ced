/**
 * The clock that can be frozen and moved. Timestamps, schedules, expiry and rate windows of the world use it. It starts at
 * the system's time and runs at its speed until it is frozen or set.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface VirtualClock extends Clock.Clock {
  readonly isFrozen: () => boolean
  readonly freeze: () => void
  readonly resume: () => void
  /** Sets the time, in milliseconds since 1970, and wakes the sleepers that are due. */
  readonly set: (millis: number) => void
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** The longest delay of a system timer. */
const longest = 2 ** 31 - 1

export const make = (): VirtualClock => {
  let base = Date.now()
  let mark = performance.now()
  let isFrozen = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const sleepers = new Set<Sleeper>()

  const exact = () => (isFrozen ? base : base + performance.now() - mark)
  const now = () => Math.floor(exact())

  const wait = () => {
    clearTimeout(timer)
    if (isFrozen || sleepers.size === 0) return
    const first = Array.from(sleepers).reduce((least, { at }) => Math.min(least, at), Infinity)
    timer = setTimeout(wakeDue, Math.min(longest, Math.max(0, Math.ceil(first - exact()))))
  }

  const wakeDue = () => {
    const due = Array.from(sleepers)
      .filter(({ at }) => at <= exact())
      .toSorted((one, other) => one.at - other.at)
    for (const sleeper of due) {
      sleepers.delete(sleeper)
      sleeper.wake()
    }
    wait()
  }

  const set = (millis: number) => {
    base = millis
    mark = performance.now()
    wakeDue()
  }

  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: () => BigInt(now()) * 1_000_000n,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    sleep: (duration: Duration.Duration) =>
      Effect.async((resume) => {
        const sleeper = { at: now() + Duration.toMillis(duration), wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        wait()
        return Effect.sync(() => {
          sleepers.delete(sleeper)
          wait()
        })
      }),
    isFrozen: () => isFrozen,
    freeze: () => {
      set(exact())
      isFrozen = true
      wait()
    },
    resume: () => {
      mark = performance.now()
      isFrozen = false
      wait()
    },
    set
  }
}
