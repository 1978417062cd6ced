/**
 * Continues effects that have already completed without a fiber, which on the hot path would cost more than the work.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** The exit of an effect that has already completed. */
export const exitOf = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> | undefined =>
  // The guard forgets what the effect could succeed or fail with.
  Exit.isExit(effect) ? (effect as Exit.Exit<A, E>) : undefined

/** Continues with the exit of an effect, immediately when it has already completed. */
export const andThen = <A, E, B, E2>(
  effect: Effect.Effect<A, E>,
  next: (exit: Exit.Exit<A, E>) => Effect.Effect<B, E2>
): Effect.Effect<B, E2> => {
  const exit = exitOf(effect)
  if (exit !== undefined) return next(exit)
  return Effect.matchCauseEffect(effect, {
    onFailure: (cause) => next(Exit.failCause(cause)),
    onSuccess: (value) => next(Exit.succeed(value))
  })
}
