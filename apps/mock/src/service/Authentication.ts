/**
 * Authenticates requests by their API keys, and applies the rate limits of keys and companies.
 */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { ApiKeys } from "../access/ApiKeys.ts"
import type { Audit } from "../access/Audit.ts"
import type { Caller } from "../access/Caller.ts"
import * as Credentials from "../access/Credentials.ts"
import * as PublishedKeys from "../access/PublishedKeys.ts"
import type { RateLimit } from "../access/RateLimit.ts"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"
import * as QueryStopped from "../store/QueryStopped.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import * as ErrorResponse from "./ErrorResponse.ts"

/** The caller of a request, or the response that refuses it. */
type Identity = Either.Either<Caller, Exchange.Response>

export interface Authentication {
  /** Calls `next` with the caller, or responds with an error. */
  readonly authenticate: (
    request: Exchange.Request,
    next: (caller: Caller) => Effect.Effect<Exchange.Response>
  ) => Effect.Effect<Exchange.Response>
  /** Identifies the caller. It does not count towards the rate limit. */
  readonly identify: (request: Exchange.Request) => Effect.Effect<Identity>
}

/** Authentication by the keys of a store, with a rate limit if there is one. */
export const make = (keys: ApiKeys, limit: RateLimit | undefined, audit?: Audit): Authentication => {
  const withinLimit = (
    limit: RateLimit,
    { target }: Exchange.Request,
    caller: Caller,
    next: () => Effect.Effect<Exchange.Response>
  ): Effect.Effect<Exchange.Response> => {
    const { exceeded, headers } = limit.take(caller)
    const result =
      exceeded === undefined
        ? next()
        : Exit.succeed(ErrorResponse.toResponse(target, { _tag: "RateLimited", ...exceeded }))
    return SyncEffect.andThen(
      result,
      Exit.map((response) => ({ ...response, headers: { ...response.headers, ...headers } }))
    )
  }

  const refused = ({ peer, target }: Exchange.Request, denial: RowError): Identity => {
    if (peer !== undefined) audit?.refused(denial._tag, { peer })
    return Either.left(ErrorResponse.toResponse(target, denial))
  }

  const identify = (request: Exchange.Request): Effect.Effect<Identity> => {
    const { exposure, peer } = request
    const key = Credentials.fromHeaders(request.headers)
    if (exposure !== undefined && PublishedKeys.has(key)) {
      return Exit.succeed(refused(request, { _tag: "KeyPublished", exposure }))
    }
    return SyncEffect.andThen(keys.verify(key), (exit): Exit.Exit<Identity> => {
      if (Exit.isSuccess(exit)) {
        if (peer !== undefined) audit?.used(exit.value, peer)
        return Exit.succeed(Either.right(exit.value))
      }
      return Either.match(Cause.failureOrCause(exit.cause), {
        onLeft: (denial) => Exit.succeed(refused(request, denial)),
        onRight: Exit.failCause
      })
    })
  }

  const authenticate: Authentication["authenticate"] = (request, next) =>
    SyncEffect.andThen(identify(request), (exit): Effect.Effect<Exchange.Response> => {
      if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
      if (Either.isLeft(exit.value)) return Exit.succeed(exit.value.left)
      const caller = exit.value.right
      // The clients of the company have to read their responses first.
      if (request.unread?.admitsRequest(caller.companyId) === false) {
        return Exit.succeed(
          ErrorResponse.toResponse(request.target, new QueryStopped.QueryStopped({ reason: QueryStopped.unread }))
        )
      }
      return limit === undefined ? next(caller) : withinLimit(limit, request, caller, () => next(caller))
    })

  return { authenticate, identify }
}
