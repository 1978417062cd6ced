/**
 * Handles every request, independent of the transport: routes it by its path, authenticates the caller, and adds the
 * headers, the metrics and the log line that all responses have in common.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Scope from "@mfgdata/domain/Scope"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as OperationRoute from "../account/OperationRoute.ts"
import type { AdminHttp } from "../admin/AdminHttp.ts"
import type { Audit } from "../access/Audit.ts"
import type { ApiKeys } from "../access/ApiKeys.ts"
import * as Credentials from "../access/Credentials.ts"
import type { RateLimit } from "../access/RateLimit.ts"
import * as Exchange from "../Exchange.ts"
import type { Caller } from "../access/Caller.ts"
import * as RootOpenApi from "../rows/response/RootOpenApi.ts"
import type { RowError } from "../rows/RowError.ts"
import * as UnknownPath from "../rows/UnknownPath.ts"
import * as RowRequest from "../rows/request/RowRequest.ts"
import type { RowRoute } from "../rows/RowRoute.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { Janitor } from "../world/Janitor.ts"
import type { World } from "../world/World.ts"
import * as AddressList from "./AddressList.ts"
import * as Admission from "./Admission.ts"
import * as Authentication from "./Authentication.ts"
import * as Cors from "./Cors.ts"
import * as Destination from "./Destination.ts"
import * as Documents from "./openapi/Documents.ts"
import * as Health from "./Health.ts"
import type { Maintenance } from "./Maintenance.ts"
import * as Metrics from "./Metrics.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import type { RequestLog } from "./RequestLog.ts"
import * as WebhookSecretRoute from "../webhooks/WebhookSecretRoute.ts"

/** The part of the service that transports use. */
export interface RequestHandler {
  readonly handle: Exchange.Handler
  /** Judges a request with a body by its headers; its body is not looked at. */
  readonly admit: (request: Exchange.Request) => Effect.Effect<Admission.Admission>
  /** Responds to a request that the transport refuses. */
  readonly refuse: (request: Exchange.Request, error: RowError) => Exchange.Response
}

export interface Service extends RequestHandler {
  /** Responds to readiness checks that the service is stopping; it still handles other requests. */
  readonly drain: Effect.Effect<void>
}

export interface Options {
  readonly world: World["Type"]
  readonly keys: ApiKeys
  /** The rate limit of each key, if there is one. */
  readonly limit: RateLimit | undefined
  readonly rows: RowRoute
  readonly operations: OperationRoute.OperationRoute
  readonly webhookSecrets: WebhookSecretRoute.WebhookSecretRoute
  /** The administrator's interface; if undefined, its path is unknown. */
  readonly admin: AdminHttp | undefined
  readonly audit?: Audit
  readonly log: RequestLog
  readonly janitor: Pick<Janitor, "poll">
  /** The metrics of the maintenance of the store. */
  readonly maintenance?: Maintenance["metrics"]
}

/** The response to GET of a path that needs no key. */
const publicResponse = (
  path: string,
  request: Exchange.Request,
  { rules, store }: World["Type"],
  metrics: Metrics.Metrics,
  maintenance: Maintenance["metrics"] | undefined,
  isDraining: boolean
): Effect.Effect<Exchange.Response> | undefined => {
  switch (path) {
    case "/":
      return AddressList.response
    case "/health/live":
      return Health.live
    case "/health/ready":
      return isDraining ? Health.draining : Health.readiness(store)
    case "/openapi.json":
      return Documents.openApi[rules()](request)
    case Documents.operationsPath:
      return Documents.operations(request)
    case "/docs":
      return Documents.reference[rules()](request)
    case "/metrics":
      return metrics.respond(store, maintenance)
    default:
      return undefined
  }
}

const requestIdForm = /^[\x21-\x7e]{1,128}$/

/** Assembles the service. */
export const make = ({
  admin,
  audit,
  janitor,
  keys,
  limit,
  log,
  maintenance,
  operations,
  rows,
  webhookSecrets,
  world
}: Options): Service => {
  const metrics = Metrics.make()
  const { authenticate, identify } = Authentication.make(keys, limit, audit)
  const start = Date.now().toString(36)
  let count = 0
  let isDraining = false
  const requestIdOf = ({ headers }: Exchange.Request): string => {
    const requestId = headers["x-request-id"]
    return requestId !== undefined && requestIdForm.test(requestId) ? requestId : `${start}-${count++}`
  }

  /** Reports whether a path is one of an operation, of a user or of an administrator. */
  const isOperation = (path: string): boolean =>
    path.startsWith(ErrorResponse.operations) || (path.startsWith(Destination.adminMount) && admin !== undefined)

  const callerOf = ({ headers }: Exchange.Request) => keys.peek(Credentials.fromHeaders(headers))

  const refuse = (request: Exchange.Request, error: RowError) =>
    Exit.succeed(ErrorResponse.toResponse(request.target, error))

  const toRows = (
    request: Exchange.Request,
    { mount, shape }: Destination.RowMount,
    { path, search }: Destination.Destination
  ) => {
    const name = path.slice(mount.length + 1)
    if (request.method !== "OPTIONS") {
      return authenticate(request, (caller) => rows(request, caller, name, { mount, search, shape }))
    }
    const methods = name === "" ? RootOpenApi.methods : RowRequest.methods
    return name !== "" && Catalogue.find(name) === undefined
      ? refuse(request, UnknownPath.toError(name))
      : Exit.succeed({ status: 200, headers: { Allow: methods.join(", ") }, body: "" })
  }

  const toOperations = (request: Exchange.Request, path: string) =>
    request.method === "OPTIONS"
      ? Exit.succeed({ status: 204, headers: { Allow: OperationRoute.methods.join(", ") }, body: "" })
      : authenticate(request, (caller) => operations(request, caller, path))

  const route = (request: Exchange.Request, to: Destination.Destination): Effect.Effect<Exchange.Response> => {
    const { path } = to
    if (Cors.isPreflight(request) && Cors.isOffered(path))
      return Exit.succeed(Cors.preflight(request, RowRequest.methods.join(", ")))
    const mount = Destination.rowMountOf(path)
    if (mount !== undefined) return toRows(request, mount, to)
    if (isOperation(path) && Exchange.bytesOf(request.body) > Admission.operationBytes)
      return refuse(request, Admission.tooLarge)
    if (path.startsWith(ErrorResponse.operations) && path !== Documents.operationsPath)
      return toOperations(request, path.slice(ErrorResponse.operations.length - 1))
    if (path.startsWith(Destination.adminMount) && admin !== undefined) return admin.handle(request)
    const webhookId = path.startsWith(WebhookSecretRoute.mount) ? WebhookSecretRoute.idOf(path) : undefined
    if (webhookId !== undefined) return authenticate(request, (caller) => webhookSecrets(request, caller, webhookId))
    const response = publicResponse(path, request, world, metrics, maintenance, isDraining)
    if (response === undefined) return refuse(request, { _tag: "PathUnknown" })
    return request.method === "GET" || request.method === "HEAD"
      ? response
      : refuse(request, { _tag: "MethodUnsupported", method: request.method, allowed: ["GET", "HEAD"] })
  }

  const finish = (
    request: Exchange.Request,
    { path }: Destination.Destination,
    startMillis: number,
    exit: Exit.Exit<Exchange.Response>
  ): Exchange.Response => {
    const requestId = requestIdOf(request)
    const cause = Exit.isFailure(exit) ? exit.cause : undefined
    const { body, headers, status } = Exit.isSuccess(exit)
      ? exit.value
      : ErrorResponse.toResponse(request.target, { _tag: "Defect" })
    const millis = performance.now() - startMillis
    const code = status < 400 ? undefined : ErrorResponse.codeOf(status, headers)
    metrics.record({ resource: Destination.resourceOf(path), method: request.method, status, millis, code })
    if (log.isEnabled(status)) log.record({ request, status, requestId, cause, millis, caller: callerOf(request) })
    const exposed =
      request.headers["origin"] === undefined || !Cors.isOffered(path) ? headers : { ...headers, ...Cors.exposed }
    return { status, headers: Exchange.withHeader(exposed, "X-Request-Id", requestId), body }
  }

  const tryRoute = (request: Exchange.Request, to: Destination.Destination): Effect.Effect<Exchange.Response> => {
    try {
      return route(request, to)
    } catch (defect) {
      return Exit.die(defect)
    }
  }

  const ignored: Exit.Exit<Admission.Admission> = Exit.succeed({ _tag: "BodyIgnored" })
  /** The company of the administrator, who belongs to none. */
  const administration: Exit.Exit<Admission.Admission> = Exit.succeed({
    _tag: "Admitted",
    companyId: "",
    most: Admission.operationBytes
  })

  /** Judges a request of a caller by the scopes of its key. */
  const allow = (
    { method, target }: Exchange.Request,
    { companyId, scopes }: Caller,
    mount: Destination.RowMount | undefined,
    { path }: Destination.Destination
  ): Either.Either<Admission.Admission, Exchange.Response> => {
    const resource = mount === undefined ? undefined : Catalogue.find(path.slice(mount.mount.length + 1))
    const action = RowRequest.actionOf(method)
    // The resource is one of the catalogue; the generic type does not name it.
    return resource === undefined ||
      action === undefined ||
      Scope.allows(scopes, resource.resource as Catalogue.Name, action)
      ? Either.right({
          _tag: "Admitted",
          companyId,
          ...(mount === undefined && { most: Admission.operationBytes })
        })
      : Either.left(ErrorResponse.toResponse(target, { _tag: "ScopeMissing", resource: resource.resource, action }))
  }

  const admit = (request: Exchange.Request): Effect.Effect<Admission.Admission> => {
    const startMillis = performance.now()
    const to = Destination.fromRequest(request)
    const refused = (response: Exit.Exit<Exchange.Response>): Exit.Exit<Admission.Admission> =>
      Exit.succeed({ _tag: "Refused", response: finish(request, to, startMillis, response) })
    const mount = Destination.rowMountOf(to.path)
    if (request.method === "OPTIONS") return ignored
    if (to.path.startsWith(Destination.adminMount) && admin !== undefined) {
      const response = admin.refuse(request)
      return response === undefined ? administration : refused(Exit.succeed(response))
    }
    if (mount === undefined && !isOperation(to.path)) return ignored
    return SyncEffect.andThen(identify(request), (exit) => {
      if (Exit.isFailure(exit)) return refused(Exit.failCause(exit.cause))
      const admission = Either.flatMap(exit.value, (caller) => allow(request, caller, mount, to))
      return Either.isRight(admission) ? Exit.succeed(admission.right) : refused(Exit.succeed(admission.left))
    })
  }

  return {
    admit,
    handle: (request) => {
      janitor.poll()
      const startMillis = performance.now()
      const to = Destination.fromRequest(request)
      return SyncEffect.andThen(tryRoute(request, to), (exit) => Exit.succeed(finish(request, to, startMillis, exit)))
    },
    drain: Effect.sync(() => void (isDraining = true)),
    refuse: (request, error) =>
      finish(request, Destination.fromRequest(request), performance.now(), refuse(request, error))
  }
}
