/**
 * The clock that can be frozen and moved. Timestamps, schedules, expiry and rate windows of the world use it. It starts at
 * the system's time and runs at its speed until it is frozen or set.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ClockState } from "../store/Snapshot.ts"

/** The state of a clock, by which another one continues. */
export type State = ClockState

/** The clock of a new world: that of its source. */
export const running: State = { aheadMillis: 0, frozenAt: null }

export interface VirtualClock extends Clock.Clock {
  readonly isFrozen: () => boolean
  readonly freeze: () => void
  readonly resume: () => void
  /** Sets the time, in milliseconds since 1970, and wakes the sleepers that are due. */
  readonly set: (millis: number) => void
  readonly state: () => State
  /** Continues from a state. */
  readonly restore: (state: State) => void
}

/** The clock whose speed a virtual one has. */
export interface Source {
  /** Milliseconds since 1970, which never go back. */
  readonly now: () => number
  /** Calls back after some milliseconds; the returned function cancels that. */
  readonly schedule: (millis: number, wake: () => void) => () => void
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** The longest delay of a system timer. */
const longest = 2 ** 31 - 1

/** The clock of the machine. */
const system = (): Source => {
  const start = Date.now() - performance.now()
  return {
    now: () => start + performance.now(),
    schedule: (millis, wake) => {
      const timer = setTimeout(wake, Math.min(longest, millis))
      return () => clearTimeout(timer)
    }
  }
}

/** Another clock of Effect, such as that of a test. */
export const sourceOf = (clock: Clock.Clock): Source => ({
  now: () => clock.unsafeCurrentTimeMillis(),
  schedule: (millis, wake) => {
    const fiber = Effect.runFork(Effect.map(clock.sleep(Duration.millis(millis)), wake))
    return () => fiber.unsafeInterruptAsFork(fiber.id())
  }
})

export const make = (
  { aheadMillis, frozenAt }: State = running,
  { now: sourceNow, schedule }: Source = system()
): VirtualClock => {
  let isFrozen = frozenAt !== null
  let base = frozenAt ?? sourceNow() + aheadMillis
  let mark = sourceNow()
  let cancel = () => {}
  const sleepers = new Set<Sleeper>()

  const exact = () => (isFrozen ? base : base + sourceNow() - mark)
  const now = () => Math.floor(exact())

  const wait = () => {
    cancel()
    if (isFrozen || sleepers.size === 0) return
    const first = Array.from(sleepers).reduce((least, { at }) => Math.min(least, at), Infinity)
    cancel = schedule(Math.max(0, Math.ceil(first - exact())), wakeDue)
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
    mark = sourceNow()
    wakeDue()
  }

  const restore = ({ aheadMillis, frozenAt }: State) => {
    isFrozen = frozenAt !== null
    set(frozenAt ?? sourceNow() + aheadMillis)
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
      mark = sourceNow()
      isFrozen = false
      wait()
    },
    set,
    restore,
    state: () => (isFrozen ? { aheadMillis: 0, frozenAt: base } : { aheadMillis: base - mark, frozenAt: null })
  }
}
