/**
 * Lets the readiness of a store follow its writes: after a write for which the store has no space, the store is ready
 * again when a second has passed without another one, and a write that takes space succeeds.
 */
import * as Effect from "effect/Effect"
import type { StoreUnavailable } from "./Store.ts"

export interface WriteOutcome {
  /** Notes the failure of a write that the next ones meet too. */
  readonly failed: (error: StoreUnavailable) => void
  /** Succeeds when writes do, which `probe` finds out after a failure. */
  readonly ready: (probe: Effect.Effect<void, StoreUnavailable>) => Effect.Effect<void, StoreUnavailable>
}

/** The time after a failure in which the probe, which is smaller than other writes, does not count. */
const quietMillis = 1000

export const make = (now: () => number = () => performance.now()): WriteOutcome => {
  let last: { readonly error: StoreUnavailable; readonly millis: number } | undefined
  return {
    failed: (error) => void (last = { error, millis: now() }),
    ready: (probe) =>
      Effect.suspend(() => {
        const failure = last
        if (failure === undefined) return Effect.void
        if (now() - failure.millis < quietMillis) return Effect.fail(failure.error)
        return Effect.zipRight(
          probe,
          Effect.sync(() => {
            if (last === failure) last = undefined
          })
        )
      })
  }
}
