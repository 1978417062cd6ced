/**
 * Waits in real time, also when the world has a virtual clock.
 */
import * as Effect from "effect/Effect"

export const pause = (millis: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })
