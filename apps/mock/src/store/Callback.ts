/**
 * An effect that completes by a callback. It starts when it is observed or run, and interruption does not cancel it.
 * `SyncEffect` observes it without a fiber: what a fiber refers to survives several garbage collections, which cost more
 * than a write.
 */
import * as Effect from "effect/Effect"
import * as Effectable from "effect/Effectable"

/** The start of some work, which completes by calling `done` once with an effect to continue with. */
export type Start<A, E> = (done: (effect: Effect.Effect<A, E>) => void) => void

class Callback<A, E> extends Effectable.Class<A, E> {
  readonly start: Start<A, E>
  constructor(start: Start<A, E>) {
    super()
    this.start = start
  }
  commit() {
    return Effect.async<A, E>(this.start)
  }
}

/** Makes an effect of work that completes by a callback. */
export const make = <A, E>(start: Start<A, E>): Effect.Effect<A, E> => new Callback(start)

/** The work of an effect that {@link make} has made. */
export const startOf = <A, E>(effect: Effect.Effect<A, E>): Start<A, E> | undefined =>
  // The guard forgets what the effect could succeed or fail with.
  effect instanceof Callback ? (effect as Callback<A, E>).start : undefined
