/**
 * Runs recurring maintenance, such as the removal of expired rows. Tasks become due on the world's clock and are started
 * by requests, not by a timer: an idle world is still, and a clock that jumps by days has nothing to catch up with. A
 * failed task is repeated in real time. Tasks are independent: a slow or failing one delays no other.
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

/** The pause in real time after a failure, doubled for each further one up to a maximum. */
const retry = { firstMillis: 5000, longestMillis: 300_000 }

/** Runs a task, logs its failure, and returns whether it succeeded. */
const attempt = ({ name, work }: Task): Effect.Effect<boolean> =>
  Effect.matchCauseEffect(work, {
    onSuccess: () => Effect.succeed(true),
    onFailure: (cause) => Effect.as(Effect.logError(`${name} failed`, cause), false)
  })

interface State {
  readonly task: Task
  due: number
  isRunning: boolean
  failures: number
  timer: NodeJS.Timeout | undefined
}

/** A janitor on a clock in milliseconds, until the scope ends. */
export const make = (
  now: () => number,
  tasks: ReadonlyArray<Task>,
  { firstMillis: pauseMillis, longestMillis } = retry
): Effect.Effect<Janitor, never, Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime()
    const scope = yield* Effect.scope
    const states = tasks.map((task): State => {
      const due = now() + Math.min(task.everyMillis, firstMillis)
      return { task, due, isRunning: false, failures: 0, timer: undefined }
    })
    let next = -Infinity
    let last = now()
    let isClosed = false
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isClosed = true
        for (const { timer } of states) clearTimeout(timer)
      })
    )

    /** A running task is due again when it has ended. */
    const plan = () => void (next = Math.min(...states.map(({ due, isRunning }) => (isRunning ? Infinity : due))))

    const start = (state: State) => {
      state.isRunning = true
      clearTimeout(state.timer)
      const end = (isSuccess: boolean) => {
        state.isRunning = false
        state.failures = isSuccess ? 0 : state.failures + 1
        plan()
        if (isSuccess || isClosed) return
        const millis = Math.min(longestMillis, pauseMillis * 2 ** (state.failures - 1))
        state.timer = setTimeout(() => start(state), millis).unref()
      }
      Runtime.runFork(runtime, Effect.map(attempt(state.task), end), { scope })
    }

    return {
      poll: () => {
        const millis = now()
        // A clock that has gone back leaves moments far ahead of it.
        if (millis < last) {
          for (const state of states) state.due = Math.min(state.due, millis + state.task.everyMillis)
          plan()
        }
        last = millis
        if (millis < next) return
        for (const state of states) {
          if (state.isRunning || state.due > millis) continue
          state.due = millis + state.task.everyMillis
          start(state)
        }
        plan()
      }
    }
  })
