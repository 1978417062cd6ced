/**
 * The duties that come round, such as the removal of what is kept for a time. They fall due by the world's clock and
 * are seen to when a request passes by, not by a timer: an idle world is still, and a clock that jumps by days has
 * nothing to catch up with.
 */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Scope } from "effect/Scope"
import type { StoreUnavailable } from "../store/Store.ts"

export interface Duty {
  /** What the log calls it. */
  readonly name: string
  readonly everyMillis: number
  readonly work: Effect.Effect<unknown, StoreUnavailable>
}

export interface Janitor {
  /** Begins what is due, if anything is, and waits for nothing. */
  readonly pass: () => void
  /** Sees to every duty, due or not. */
  readonly sweep: Effect.Effect<void>
}

/** A process that is started often sees to its duties too. */
const firstMillis = 60_000

/** What fails is logged and tried again when it is due the next time. */
const attempt = ({ name, work }: Duty): Effect.Effect<void> =>
  Effect.catchAllCause(Effect.asVoid(work), (cause) => Effect.logError(`${name} failed`, cause))

/** Sees to duties on a clock of milliseconds until the scope ends. */
export const make = (now: () => number, duties: ReadonlyArray<Duty>): Effect.Effect<Janitor, never, Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime()
    const scope = yield* Effect.scope
    const due = new Map(duties.map((duty) => [duty, now() + Math.min(duty.everyMillis, firstMillis)]))
    let next = Math.min(...due.values())
    let isWorking = false

    const work = (which: ReadonlyArray<Duty>) => Effect.forEach(which, attempt, { discard: true })

    const begin = (millis: number) => {
      const which = duties.filter((duty) => (due.get(duty) ?? Infinity) <= millis)
      for (const duty of which) due.set(duty, millis + duty.everyMillis)
      next = Math.min(...due.values())
      isWorking = true
      const done = Effect.sync(() => (isWorking = false))
      Runtime.runFork(runtime, Effect.ensuring(work(which), done), { scope })
    }

    return {
      pass: () => {
        const millis = now()
        if (millis >= next && !isWorking) begin(millis)
      },
      sweep: work(duties)
    }
  })
