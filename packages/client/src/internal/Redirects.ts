/**
 * Stops `fetch` from following redirects: it sends a redirected write as a GET, whose response looks like a success. The
 * other HTTP clients of the platform follow none.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Runs requests whose redirects are responses, with the other `RequestInit` of the program. */
export const unfollowed = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(effect, (context: Context.Context<R>) =>
    Context.add(context, FetchHttpClient.RequestInit, {
      ...Option.getOrUndefined(Context.getOption(context as Context.Context<never>, FetchHttpClient.RequestInit)),
      redirect: "manual"
    })
  )
