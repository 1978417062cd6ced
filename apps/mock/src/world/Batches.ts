/**
 * Repeats small pieces of work with pauses between them, so that others work most of the time.
 */
import * as Effect from "effect/Effect"
import * as RealTime from "./RealTime.ts"

/** The pause, as a multiple of the duration of the piece before it: a slow store gets long pauses. */
const pauseFactor = 2
const leastPauseMillis = 5

/** Repeats an effect until it succeeds with `false`. */
export const run = <E, R>(piece: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    for (;;) {
      const begin = performance.now()
      if (!(yield* piece)) return
      yield* RealTime.pause(Math.max(leastPauseMillis, pauseFactor * (performance.now() - begin)))
    }
  })
