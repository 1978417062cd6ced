/**
 * Routes requests of the operation interface: finds the operation of a path, checks the body and calls the API. Bodies
 * are checked here, so that errors have the service's own form.
 */
import * as Decoder from "@mfgdata/domain/Decoder"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type * as Operation from "@mfgdata/domain/Operation"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import * as DomainScope from "@mfgdata/domain/Scope"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Scope from "effect/Scope"
import type { Caller } from "../access/Caller.ts"
import type * as Exchange from "../Exchange.ts"
import type { World } from "../world/World.ts"
import * as MediaType from "../rows/request/MediaType.ts"
import * as OperationErrorResponse from "./OperationErrorResponse.ts"

/** Handles an authenticated request for a path below the base address. */
export interface OperationRoute {
  (request: Exchange.Request, caller: Caller, path: string): Effect.Effect<Exchange.Response>
}

/** The methods that an operation's path accepts. */
export const methods = ["POST", "OPTIONS"] as const

const operations = new Map(Operations.all.map((operation) => [operation.path, operation]))

const unknown = (path: string): Exchange.Response => {
  const id = path.slice(1).replaceAll("/", ".")
  const nearest = Suggestion.find(
    id,
    Operations.all.map(({ id }) => id)
  )
  const hint = nearest === undefined ? "" : `; perhaps you meant ${nearest}`
  return OperationErrorResponse.toResponse(OperationError.make("NOT_FOUND", `There is no operation ${id}${hint}`))
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

type Read = Either.Either<string, Exchange.Response>

const refused = (error: OperationError.OperationError): Either.Either<never, Exchange.Response> =>
  Either.left(OperationErrorResponse.toResponse(error))

const malformed = (message: string) => refused(OperationErrorResponse.invalid({ path: [], message }))

/** The text of a body that matches the operation's schema. */
const read = ({ name, request }: Operation.Any, { body, headers }: Exchange.Request): Read => {
  const contentType = headers["content-type"]
  if (!MediaType.isJson(contentType)) {
    const message = `The body must be JSON, sent with Content-Type: application/json, not ${contentType}`
    return refused(OperationError.make("UNSUPPORTED_MEDIA_TYPE", message))
  }
  let text: string
  let value: unknown
  try {
    text = typeof body === "string" ? body : utf8.decode(body)
    if (text.trim() === "") return malformed("a body is required: {} where there are no parameters")
    value = JSON.parse(text)
  } catch {
    return malformed("the body is not JSON")
  }
  return Either.mapBoth(Decoder.make(name, request)(value), {
    onLeft: (error) => OperationErrorResponse.toResponse(OperationErrorResponse.fromDecodeError(error)),
    onRight: () => text
  })
}

/** Reports whether a caller has the scope of an operation. */
const isAllowed = (scope: Operation.Any["scope"], { scopes }: Pick<Caller, "scopes">): boolean =>
  scope === undefined || DomainScope.allows(scopes, "account", scope === "account:read" ? "read" : "write")

/** The operations of a world, until the scope ends. The API is loaded on its first request, which tests may never send. */
export const make = (world: World["Type"]): Effect.Effect<OperationRoute, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lifetime = yield* Effect.scope
    const ask = yield* Effect.cached(
      Effect.flatMap(
        Effect.promise(() => import("./AccountHttp.ts")),
        (AccountHttp) => Scope.extend(AccountHttp.make(world), lifetime)
      )
    )

    return (request, caller, path) => {
      const operation = operations.get(path)
      if (operation === undefined) return Effect.succeed(unknown(path))
      if (request.method !== "POST") {
        const { method } = request
        const refusal = OperationErrorResponse.fromRowError({ _tag: "MethodUnsupported", method, allowed: methods })
        return Effect.succeed(refusal)
      }
      const { scope } = operation
      if (!isAllowed(scope, caller)) {
        const message = `The API key lacks the scope ${scope}`
        return Effect.succeed(OperationErrorResponse.toResponse(OperationError.make("FORBIDDEN", message)))
      }
      return Either.match(read(operation, request), {
        onLeft: Effect.succeed,
        onRight: (body) => Effect.flatMap(ask, (ask) => ask(operation, body, caller))
      })
    }
  })
