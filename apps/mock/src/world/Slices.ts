/**
 * Runs long computations in slices, between which the event loop handles other work. A computation is a generator that
 * yields wherever it may be suspended, and returns its result.
 */

import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** A computation that can be suspended. */
export type Slices<A> = Generator<void, A>

/** The duration after which a slice ends at the next yield. */
const sliceMillis = 4

/** Runs a computation to its end without a pause. */
export const run = <A>(slices: Slices<A>): A => {
  for (;;) {
    const next = slices.next()
    if (next.done === true) return next.value
  }
}

/** Runs a computation in slices, of which interruption cancels the rest. */
export const effect = <A>(slices: Slices<A>): Effect.Effect<A> =>
  Effect.async((resume) => {
    let next: NodeJS.Immediate | undefined
    const slice = () => {
      const endMillis = performance.now() + sliceMillis
      try {
        do {
          const step = slices.next()
          if (step.done === true) return resume(Exit.succeed(step.value))
        } while (performance.now() < endMillis)
      } catch (defect) {
        return resume(Exit.die(defect))
      }
      next = setImmediate(slice)
    }
    slice()
    return Effect.sync(() => clearImmediate(next))
  })

/** Runs a computation in slices. */
export const runInBackground = <A>(slices: Slices<A>): Promise<A> => Effect.runPromise(effect(slices))
