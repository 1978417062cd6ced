/**
 * Who may come in: callers whose key is good, as often as it may be used.
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

type Answering = Effect.Effect<Exchange.Answer>

/** Continues with the caller, or refuses. */
export interface Admission {
  (request: Exchange.Request, next: (caller: Caller) => Answering): Answering
}

/** Admission by keys, and within a limit where there is one. */
export const make = (keys: ApiKeys, limit: RateLimit | undefined): Admission => {
  const within = (limit: RateLimit, { target }: Exchange.Request, caller: Caller, next: () => Answering): Answering => {
    const { headers, isWithin, secondsLeft } = limit.take(caller.keyId)
    const answered = isWithin
      ? next()
      : Exit.succeed(ErrorResponse.toAnswer(target, { _tag: "RateLimited", secondsLeft }))
    const told = (answer: Exchange.Answer) => ({ ...answer, headers: { ...answer.headers, ...headers } })
    return SyncEffect.andThen(answered, Exit.map(told))
  }

  return (request, next) =>
    SyncEffect.andThen(keys.verify(Credentials.fromHeaders(request.headers)), (exit) => {
      if (Exit.isSuccess(exit)) {
        return limit === undefined ? next(exit.value) : within(limit, request, exit.value, () => next(exit.value))
      }
      return Either.match(Cause.failureOrCause(exit.cause), {
        onLeft: (denial) => Exit.succeed(ErrorResponse.toAnswer(request.target, denial)),
        onRight: Exit.failCause
      })
    })
}
