/**
 * A clock that can be stopped and moved. Everything in the world goes by it: timestamps, schedules, expiry and rate
 * windows. It begins at the machine's time and runs as that does until it is told otherwise.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface VirtualClock extends Clock.Clock {
  readonly isFrozen: () => boolean
  readonly freeze: () => void
  readonly resume: () => void
  /** Moves to a moment, in milliseconds since 1970, and wakes whoever slept until then. */
  readonly set: (millis: number) => void
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** What a timer of the system can count. */
const longest = 2 ** 31 - 1

export const make = (): VirtualClock => {
  let moment = Date.now()
  let mark = performance.now()
  let isFrozen = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const sleepers = new Set<Sleeper>()

  const exact = () => (isFrozen ? moment : moment + performance.now() - mark)
  const now = () => Math.floor(exact())

  const wait = () => {
    clearTimeout(timer)
    if (isFrozen || sleepers.size === 0) return
    const first = Array.from(sleepers).reduce((least, { at }) => Math.min(least, at), Infinity)
    timer = setTimeout(wakeThose, Math.min(longest, Math.max(0, Math.ceil(first - exact()))))
  }

  const wakeThose = () => {
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
    moment = millis
    mark = performance.now()
    wakeThose()
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
