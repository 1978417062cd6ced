/**
 * Responds to the paths that need no key of a user: documents, the console, health checks and metrics. The port for
 * metrics serves a part of them.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { World } from "../world/World.ts"
import * as AddressList from "./AddressList.ts"
import * as Admission from "./Admission.ts"
import * as ConsoleAssets from "./console/ConsoleAssets.ts"
import * as Destination from "./Destination.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import * as Health from "./Health.ts"
import * as Metrics from "./metrics/Metrics.ts"
import type { Pairs } from "./metrics/Pair.ts"
import * as Documents from "./openapi/Documents.ts"

export interface Options {
  readonly world: World["Type"]
  /** The handler of the console; if undefined, its path is unknown. */
  readonly console: Exchange.Handler | undefined
  readonly documents: Documents.Handlers
  readonly metrics: () => Effect.Effect<Pairs>
  readonly isDraining: () => boolean
}

export interface PublicPaths {
  /** The response to a request for a path. */
  readonly respond: (request: Exchange.Request, path: string) => Effect.Effect<Exchange.Response>
  /** Handles the requests of the port for metrics. */
  readonly monitoring: Admission.RequestHandler
}

/** The paths of the port for metrics. */
const monitored = new Set([Destination.metrics, "/health/live", "/health/ready"])

const refusal = ({ target }: Exchange.Request, error: RowError) => ErrorResponse.toResponse(target, error)
const refuse = (request: Exchange.Request, error: RowError) => Exit.succeed(refusal(request, error))

export const make = ({ console, documents, isDraining, metrics, world: { rules, store } }: Options): PublicPaths => {
  const reference = documents.reference[console === undefined ? "withoutConsole" : "withConsole"]
  const responseOf = (request: Exchange.Request, path: string): Effect.Effect<Exchange.Response> | undefined => {
    switch (path) {
      case "/":
        return console === undefined ? AddressList.response : AddressList.withConsole
      case "/health/live":
        return Health.live
      case "/health/ready":
        return isDraining() ? Health.draining : Health.readiness(store)
      case "/openapi.json":
        return documents.openApi[rules()](request)
      case Documents.operationsPath:
        return Documents.operations(request)
      case "/docs":
        return reference[rules()](request)
      case Destination.metrics:
        return Effect.map(metrics(), Metrics.toResponse)
      default:
        return undefined
    }
  }

  const respond: PublicPaths["respond"] = (request, path) => {
    if (console !== undefined && ConsoleAssets.isWithin(path)) return console(request)
    const response = responseOf(request, path)
    if (response === undefined) return refuse(request, { _tag: "PathUnknown" })
    return request.method === "GET" || request.method === "HEAD"
      ? response
      : refuse(request, { _tag: "MethodUnsupported", method: request.method, allowed: ["GET", "HEAD"] })
  }

  return {
    respond,
    monitoring: {
      handle: (request) => {
        const { path } = Destination.fromRequest(request)
        const response = monitored.has(path) ? respond(request, path) : refuse(request, { _tag: "PathUnknown" })
        return SyncEffect.andThen(response, (exit) =>
          Exit.isSuccess(exit) ? exit : refuse(request, { _tag: "Defect" })
        )
      },
      admit: () => Admission.ignored,
      refuse: refusal
    }
  }
}
