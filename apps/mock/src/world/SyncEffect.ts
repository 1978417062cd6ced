/**
 * Effects that are over before they are run. The hot path continues with these at once, where a fiber would cost more
 * than the work.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** What an effect has come to already, if it has. */
export const exitOf = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> | undefined =>
  // The guard forgets what the effect could succeed or fail with.
  Exit.isExit(effect) ? (effect as Exit.Exit<A, E>) : undefined

/** Continues with what an effect comes to, whichever way: at once when it is over. */
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
