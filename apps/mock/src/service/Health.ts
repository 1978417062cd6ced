/**
 * Responds to health checks: liveness of the process, and readiness to commit a write.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../Exchange.ts"
import type { StoreUnavailable } from "../store/Store.ts"

const response = (status: number, body: object, headers: Exchange.Headers = {}): Exchange.Response => ({
  status,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  body: JSON.stringify(body)
})

/** Liveness: a process that responds is alive. */
export const live: Effect.Effect<Exchange.Response> = Exit.succeed(response(200, { status: "live" }))

const ready = response(200, { status: "ready" })

/** The response of a service that stops: its store is ready, but a balancer has to send requests elsewhere. */
export const draining: Effect.Effect<Exchange.Response> = Exit.succeed(
  response(503, { status: "draining", reason: "The service is stopping" }, { "Retry-After": "1" })
)

/** Readiness: the store can commit a write. */
export const readiness = (store: {
  readonly ready: Effect.Effect<void, StoreUnavailable>
}): Effect.Effect<Exchange.Response> =>
  Effect.match(store.ready, {
    onSuccess: () => ready,
    onFailure: ({ message, reason, retryAfterSeconds }) =>
      response(503, { status: "unready", reason, message }, { "Retry-After": String(retryAfterSeconds) })
  })
