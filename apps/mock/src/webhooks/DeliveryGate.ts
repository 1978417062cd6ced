/**
 * Holds the deliveries of a world while something else must happen first, and sends them afterwards.
 */
import * as Effect from "effect/Effect"
import type { Sender } from "./Sender.ts"

export interface DeliveryGate {
  readonly send: Sender
  /** Runs an effect while no delivery is sent. */
  readonly withoutDeliveries: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** A gate of a sender. */
export const make = (send: Sender): DeliveryGate => {
  const latch = Effect.unsafeMakeLatch(true)
  let holds = 0
  return {
    send: (message) => Effect.zipRight(latch.await, send(message)),
    withoutDeliveries: (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          holds += 1
          latch.unsafeClose()
        }),
        () => effect,
        () =>
          Effect.sync(() => {
            holds -= 1
            if (holds === 0) latch.unsafeOpen()
          })
      )
  }
}
