/**
 * Waits for a condition in real time. The limit only ends a test whose condition never holds: it measures nothing.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"

const limitMillis = 60_000
const pause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))

/** Repeats an effect until its result is as expected, and returns the result. */
export const until = <A, E, R>(ask: Effect.Effect<A, E, R>, isSo: (answer: A) => boolean) =>
  Effect.gen(function* () {
    const end = performance.now() + limitMillis
    let answer = yield* ask
    while (!isSo(answer) && performance.now() < end) {
      yield* pause
      answer = yield* ask
    }
    assert.isTrue(isSo(answer), `not within ${limitMillis} ms: ${JSON.stringify(answer)?.slice(0, 1000)}`)
    return answer
  })

/** Waits until a condition holds. */
export const untilTrue = (holds: () => boolean) => until(Effect.sync(holds), (isSo) => isSo)
