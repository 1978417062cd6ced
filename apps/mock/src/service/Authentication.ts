/**
 * Authenticates requests by their API keys, and applies the rate limit of a key.
 */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { ApiKeys } from "../access/ApiKeys.ts"
import type { Caller } from "../access/Caller.ts"
import * as Credentials from "../access/Credentials.ts"
import type { RateLimit } from "../access/RateLimit.ts"
import type * as Exchange from "../Exchange.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import * as ErrorResponse from "./ErrorResponse.ts"

/** Calls `next` with the caller, or responds with an error. */
export interface Authentication {
  (
    request: Exchange.Request,
    next: (caller: Caller) => Effect.Effect<Exchange.Response>
  ): Effect.Effect<Exchange.Response>
}

/** Authentication by the keys of a store, with a rate limit if there is one. */
export const make = (keys: ApiKeys, limit: RateLimit | undefined): Authentication => {
  const withinLimit = (
    limit: RateLimit,
    { target }: Exchange.Request,
    caller: Caller,
    next: () => Effect.Effect<Exchange.Response>
  ): Effect.Effect<Exchange.Response> => {
    const { headers, isWithin, secondsLeft } = limit.take(caller.keyId)
    const result = isWithin
      ? next()
      : Exit.succeed(ErrorResponse.toResponse(target, { _tag: "RateLimited", secondsLeft }))
    return SyncEffect.andThen(
      result,
      Exit.map((response) => ({ ...response, headers: { ...response.headers, ...headers } }))
    )
  }

  return (request, next) =>
    SyncEffect.andThen(keys.verify(Credentials.fromHeaders(request.headers)), (exit) => {
      if (Exit.isSuccess(exit)) {
        return limit === undefined ? next(exit.value) : withinLimit(limit, request, exit.value, () => next(exit.value))
      }
      return Either.match(Cause.failureOrCause(exit.cause), {
        onLeft: (denial) => Exit.succeed(ErrorResponse.toResponse(request.target, denial)),
        onRight: Exit.failCause
      })
    })
}
