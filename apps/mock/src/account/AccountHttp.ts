/**
 * Adapts the `AccountApi` to a function from an operation's body to its response, for an authenticated caller.
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { AccountApi, Authorization } from "@mfgdata/client/AccountApi"
import type * as Operation from "@mfgdata/domain/Operation"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import type * as Exchange from "../Exchange.ts"
import type { Member, World } from "../world/World.ts"
import * as AccountLive from "./AccountLive.ts"

/** Calls an operation with a checked body. */
export interface AccountHttp {
  (operation: Operation.Any, body: string, caller: Member): Effect.Effect<Exchange.Response>
}

/** The caller that was authenticated before the API is called. */
class AuthenticatedCaller extends Context.Reference<AuthenticatedCaller>()("@mfgdata/mock/AuthenticatedCaller", {
  defaultValue: (): Member | undefined => undefined
}) {}

const authorization = Layer.succeed(Authorization, {
  bearerAuth: () =>
    Effect.flatMap(AuthenticatedCaller, (caller) =>
      caller === undefined
        ? Effect.fail(OperationError.make("UNAUTHORIZED", "An API key is required"))
        : Effect.succeed(caller)
    )
})

const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse): Exchange.Response["body"] => {
  switch (body._tag) {
    case "Uint8Array":
      return body.body
    case "Raw":
      return String(body.body)
    default:
      throw new Error(`an operation responds with JSON, not ${body._tag}`)
  }
}

/** A response of the API, which has one media type. */
const toResponse = (response: HttpServerResponse.HttpServerResponse): Exchange.Response => {
  const { "content-length": _, "content-type": __, ...headers } = response.headers
  return {
    status: response.status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
    body: bodyOf(response)
  }
}

/** The operations of a world, until the scope ends. */
export const make = (world: World["Type"]): Effect.Effect<AccountHttp, never, Scope> =>
  Effect.gen(function* () {
    const api = HttpApiBuilder.api(AccountApi).pipe(
      Layer.provide(AccountLive.layer(world)),
      Layer.provide(authorization)
    )
    const context = yield* Layer.build(
      Layer.mergeAll(api, HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer, HttpServer.layerContext)
    )
    const app = yield* Effect.provide(HttpApiBuilder.httpApp, context)

    return ({ path }, body, caller) => {
      const headers = { "content-type": "application/json" }
      const request = HttpServerRequest.fromWeb(new Request(`http://api${path}`, { method: "POST", headers, body }))
      return app.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request),
        Effect.provideService(AuthenticatedCaller, caller),
        Effect.provide(context),
        Effect.scoped,
        Effect.map(toResponse)
      )
    }
  })
