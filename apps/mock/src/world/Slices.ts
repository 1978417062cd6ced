/**
 * Runs long computations in slices, between which the event loop handles other work. A computation is a generator that
 * yields wherever it may be suspended, and returns its result.
 */

/** A computation that can be suspended. */
export type Slices<A> = Generator<void, A>

/** The duration after which a slice ends at the next yield. */
const sliceMillis = 5

/** Runs a computation to its end without a pause. */
export const run = <A>(slices: Slices<A>): A => {
  for (;;) {
    const next = slices.next()
    if (next.done === true) return next.value
  }
}

/** Runs a computation in slices. */
export const runInBackground = async <A>(slices: Slices<A>): Promise<A> => {
  for (;;) {
    const endMillis = performance.now() + sliceMillis
    do {
      const next = slices.next()
      if (next.done === true) return next.value
    } while (performance.now() < endMillis)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
