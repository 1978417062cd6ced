/** Repeats an effect, in real time, until its result is as expected. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"

/** Returns the result, and fails after `millis`. */
export const within = <A, E>(millis: number, effect: Effect.Effect<A, E>, isExpected: (result: A) => boolean) =>
  Effect.gen(function* () {
    const begin = performance.now()
    let result = yield* effect
    while (!isExpected(result) && performance.now() - begin < millis) {
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, 20)))
      result = yield* effect
    }
    assert.isTrue(isExpected(result), `not within ${millis} ms: ${JSON.stringify(result)}`)
    return result
  })
