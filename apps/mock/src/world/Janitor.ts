/**
 * Runs recurring maintenance, such as the removal of expired rows. Tasks become due on the world's clock and are started
 * by requests, not by a timer: an idle world is still, and a clock that jumps by days has nothing to catch up with.
 */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Scope } from "effect/Scope"
import type { StoreUnavailable } from "../store/Store.ts"

export interface Task {
  /** The name in the log. */
  readonly name: string
  readonly everyMillis: number
  readonly work: Effect.Effect<unknown, StoreUnavailable>
}

export interface Janitor {
  /** Starts due tasks without waiting for them. */
  readonly poll: () => void
}

/** The latest first run of a task, so that a process that restarts often runs the daily ones too. */
const firstMillis = 60_000

/** Runs a task; a failure is logged, and the task runs again when it is next due. */
const attempt = ({ name, work }: Task): Effect.Effect<void> =>
  Effect.catchAllCause(Effect.asVoid(work), (cause) => Effect.logError(`${name} failed`, cause))

/** A janitor on a clock in milliseconds, until the scope ends. */
export const make = (now: () => number, tasks: ReadonlyArray<Task>): Effect.Effect<Janitor, never, Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime()
    const scope = yield* Effect.scope
    const due = new Map(tasks.map((task) => [task, now() + Math.min(task.everyMillis, firstMillis)]))
    let next = Math.min(...due.values())
    let isRunning = false

    const start = (millis: number) => {
      const which = tasks.filter((task) => (due.get(task) ?? Infinity) <= millis)
      for (const task of which) due.set(task, millis + task.everyMillis)
      next = Math.min(...due.values())
      isRunning = true
      const done = Effect.sync(() => (isRunning = false))
      Runtime.runFork(runtime, Effect.ensuring(Effect.forEach(which, attempt, { discard: true }), done), { scope })
    }

    return {
      poll: () => {
        const millis = now()
        if (millis >= next && !isRunning) start(millis)
      }
    }
  })
