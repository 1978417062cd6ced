/**
 * Continues effects without a fiber if they have already completed, or complete by a callback: on the hot path a fiber
 * costs more than the work, and what it refers to survives several garbage collections.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Callback from "../store/Callback.ts"

/** The exit of an effect that has already completed. */
const exitOf = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> | undefined =>
  // The guard forgets what the effect could succeed or fail with.
  Exit.isExit(effect) ? (effect as Exit.Exit<A, E>) : undefined

/** Continues with the exit of an effect, immediately when it has already completed. */
export const andThen = <A, E, B, E2>(
  effect: Effect.Effect<A, E>,
  next: (exit: Exit.Exit<A, E>) => Effect.Effect<B, E2>
): Effect.Effect<B, E2> => {
  const exit = exitOf(effect)
  if (exit !== undefined) return next(exit)
  const start = Callback.startOf(effect)
  if (start !== undefined) {
    return Callback.make((done) =>
      start((completed) => {
        let continued: Effect.Effect<B, E2>
        try {
          continued = andThen(completed, next)
        } catch (defect) {
          continued = Exit.die(defect)
        }
        done(continued)
      })
    )
  }
  return Effect.matchCauseEffect(effect, {
    onFailure: (cause) => next(Exit.failCause(cause)),
    onSuccess: (value) => next(Exit.succeed(value))
  })
}

/** Calls `done` with the exit of an effect. One that needs a fiber is given to `fork`. */
export const observe = <A, E>(
  effect: Effect.Effect<A, E>,
  done: (exit: Exit.Exit<A, E>) => void,
  fork: (effect: Effect.Effect<A, E>) => void
): void => {
  const exit = exitOf(effect)
  if (exit !== undefined) return done(exit)
  const start = Callback.startOf(effect)
  return start === undefined ? fork(effect) : start((completed) => observe(completed, done, fork))
}
