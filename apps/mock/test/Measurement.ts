/**
 * Compares measurements with a bound. The machine stops a test at any moment, for a garbage collection or for another
 * program, and longer than most bounds; a defect is in every attempt, so one measurement within the bound is enough.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"

/** Asserts that one of a number of attempts measures less than a bound. */
export const isBelow = <E, R>(bound: number, measure: Effect.Effect<number, E, R>, attempts = 5) =>
  Effect.gen(function* () {
    const measured: Array<number> = []
    do measured.push(yield* measure)
    while (measured.length < attempts && Math.min(...measured) >= bound)
    assert.isBelow(Math.min(...measured), bound, `the least of ${measured.join(", ")}`)
  })

/** The milliseconds of an effect, and its result. */
export const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const start = performance.now()
    return Effect.map(effect, (result) => ({ result, millis: performance.now() - start }))
  })

/** Repeats a whole test, whose short timeouts a stall of the machine exceeds and which has nothing to repeat inside. */
export const retried = { retry: 3 }
