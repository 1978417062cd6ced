/**
 * Handles every request, independent of the transport: routes it by its path, authenticates the caller, and adds the
 * headers, the metrics and the log line that all responses have in common.
 * One file, because every request passes through all of it.
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
import type { Faults } from "../faults/Faults.ts"
import * as FaultyHandler from "../faults/FaultyHandler.ts"
import type { Caller } from "../access/Caller.ts"
import type { Consistency } from "../access/Consistency.ts"
import * as RootOpenApi from "../rows/response/RootOpenApi.ts"
import type { RowError } from "../rows/RowError.ts"
import * as UnknownPath from "../rows/UnknownPath.ts"
import * as RowRequest from "../rows/request/RowRequest.ts"
import type { RowRoute } from "../rows/RowRoute.ts"
import type { Tracing } from "../telemetry/Telemetry.ts"
import type { Traffic } from "../traffic/Traffic.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { Janitor } from "../world/Janitor.ts"
import type { World } from "../world/World.ts"
import * as Admission from "./Admission.ts"
import * as Authentication from "./Authentication.ts"
import * as ConsoleAssets from "./console/ConsoleAssets.ts"
import * as Cors from "./Cors.ts"
import * as Destination from "./Destination.ts"
import * as Documents from "./openapi/Documents.ts"
import type { Maintenance } from "./Maintenance.ts"
import type { EventLoopLag } from "./metrics/EventLoopLag.ts"
import * as Metrics from "./metrics/Metrics.ts"
import type { Pairs } from "./metrics/Pair.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import * as PublicPaths from "./PublicPaths.ts"
import * as Redaction from "./Redaction.ts"
import type { RequestLog } from "./RequestLog.ts"
import * as WebhookSecretRoute from "../webhooks/WebhookSecretRoute.ts"

export interface Service extends Admission.RequestHandler {
  /** Responds to readiness checks that the service is stopping; it still handles other requests. */
  readonly drain: Effect.Effect<void>
  /** Handles a request without faults, and without recording it. */
  readonly route: Exchange.Handler
  /** Handles the requests of the port for metrics, which need no key. */
  readonly monitoring: Admission.RequestHandler
  /** The metrics, for a reader with its own delays of the event loop. */
  readonly metrics: (lag: EventLoopLag) => Effect.Effect<Pairs>
}

export interface Options {
  readonly world: World["Type"]
  readonly keys: ApiKeys
  /** The rate limit of each key, if there is one. */
  readonly limit: RateLimit | undefined
  readonly consistency: Pick<Consistency, "written" | "writtenByOthers">
  readonly rows: RowRoute
  readonly operations: OperationRoute.OperationRoute
  readonly webhookSecrets: WebhookSecretRoute.WebhookSecretRoute
  readonly faults: Faults
  /** Records the exchanges, except for those of the administrator. */
  readonly traffic?: Traffic | undefined
  /** The administrator's interface; if undefined, its path is unknown. */
  readonly admin: AdminHttp | undefined
  readonly audit?: Audit
  readonly log: RequestLog
  /** Records requests as spans. */
  readonly tracing?: Tracing | undefined
  readonly janitor: Pick<Janitor, "poll">
  /** The documents (default: those of the contract). */
  readonly documents?: Documents.Handlers | undefined
  /** The metrics of the maintenance of the store. */
  readonly maintenance?: Maintenance["metrics"]
  /** The handler of the console; if undefined, its path is unknown. */
  readonly console?: Exchange.Handler | undefined
}

const isRead = ({ method }: Exchange.Request): boolean => method === "GET" || method === "HEAD"

const requestIdForm = /^[\x21-\x7e]{1,128}$/

/** Assembles the service. */
export const make = ({
  admin,
  audit,
  consistency,
  console,
  documents = Documents.contract,
  faults,
  janitor,
  keys,
  limit,
  log,
  maintenance,
  operations,
  rows,
  tracing,
  traffic,
  webhookSecrets,
  world
}: Options): Service => {
  const metrics = Metrics.make()
  const collect = (lag?: EventLoopLag) => metrics.collect(world.store, maintenance, lag)
  const { authenticate, identify } = Authentication.make(keys, limit, audit)
  const start = Date.now().toString(36)
  let count = 0
  let isDraining = false
  const publicPaths = PublicPaths.make({ world, console, documents, metrics: collect, isDraining: () => isDraining })
  const requestIdOf = ({ headers }: Exchange.Request): string => {
    const requestId = headers["x-request-id"]
    return requestId !== undefined && requestIdForm.test(requestId) ? requestId : `${start}-${count++}`
  }

  /** Reports whether a path is one of an operation, of a user or of an administrator. */
  const isOperation = (path: string): boolean =>
    path.startsWith(ErrorResponse.operations) || (path.startsWith(Destination.adminMount) && admin !== undefined)

  const callerOf = ({ headers }: Exchange.Request) => keys.peek(Credentials.fromHeaders(headers))

  const refusal = ({ target }: Exchange.Request, error: RowError) => ErrorResponse.toResponse(target, error)
  const refuse = (request: Exchange.Request, error: RowError) => Exit.succeed(refusal(request, error))

  const toRows = (
    request: Exchange.Request,
    { mount, shape }: Destination.RowMount,
    { path, search }: Destination.Destination
  ) => {
    const name = path.slice(mount.length + 1)
    if (request.method !== "OPTIONS") {
      return authenticate(request, (caller) => {
        const response = rows(request, caller, name, { mount, search, shape })
        return isRead(request) ? response : consistency.written(caller, response)
      })
    }
    const methods = name === "" ? RootOpenApi.methods : RowRequest.methods
    return name !== "" && Catalogue.find(name) === undefined
      ? refuse(request, UnknownPath.toError(name))
      : Exit.succeed({ status: 200, headers: { Allow: methods.join(", ") }, body: "" })
  }

  const toOperations = (request: Exchange.Request, path: string) =>
    request.method === "OPTIONS"
      ? Exit.succeed({ status: 204, headers: { Allow: OperationRoute.methods.join(", ") }, body: "" })
      : authenticate(request, (caller) => consistency.written(caller, operations(request, caller, path)))

  const route = (request: Exchange.Request, to: Destination.Destination): Effect.Effect<Exchange.Response> => {
    const { path } = to
    if (Cors.isPreflight(request) && Cors.isOffered(path))
      return Exit.succeed(Cors.preflight(request, RowRequest.methods.join(", ")))
    const mount = Destination.rowMountOf(path)
    if (mount !== undefined) return toRows(request, mount, to)
    if (
      isOperation(path) &&
      !Admission.isImport(request, path) &&
      Exchange.bytesOf(request.body) > Admission.operationBytes
    )
      return refuse(request, Admission.tooLarge)
    if (path.startsWith(ErrorResponse.operations) && path !== Documents.operationsPath)
      return toOperations(request, path.slice(ErrorResponse.operations.length - 1))
    if (path.startsWith(Destination.adminMount) && admin !== undefined) {
      return isRead(request)
        ? admin.handle(request)
        : SyncEffect.andThen(admin.handle(request), (exit) =>
            SyncEffect.andThen(consistency.writtenByOthers, () => exit)
          )
    }
    const webhookId = path.startsWith(WebhookSecretRoute.mount) ? WebhookSecretRoute.idOf(path) : undefined
    if (webhookId !== undefined) return authenticate(request, (caller) => webhookSecrets(request, caller, webhookId))
    if (path !== Destination.metrics) return publicPaths.respond(request, path)
    if (admin === undefined) return refuse(request, { _tag: "PathUnknown" })
    const refused = admin.refuse(request)
    return refused === undefined ? publicPaths.respond(request, path) : Exit.succeed(refused)
  }

  const finish = (
    request: Exchange.Request,
    { path }: Destination.Destination,
    startMillis: number,
    exit: Exit.Exit<Exchange.Response>,
    at?: number
  ): Exchange.Response => {
    const { requestId = requestIdOf(request) } = request
    const cause = Exit.isFailure(exit) ? exit.cause : undefined
    const { body, headers, sending, status, stream } = Exit.isSuccess(exit)
      ? exit.value
      : ErrorResponse.toResponse(request.target, { _tag: "Defect" })
    const millis = performance.now() - startMillis
    const code = status < 400 ? undefined : ErrorResponse.codeOf(status, headers)
    const label = Destination.resourceOf(path)
    metrics.record({ resource: label, method: request.method, status, millis, code })
    const isLogged = log.isEnabled(status)
    if (isLogged || tracing !== undefined) {
      const sizes = {
        bytesIn: Exchange.bytesOf(request.body),
        bytesOut: stream === undefined ? Exchange.bytesOf(body) : undefined
      }
      const entry = { status, requestId, millis, caller: callerOf(request), ...sizes }
      if (isLogged) log.record({ ...entry, request, cause })
      if (tracing !== undefined) {
        const route = Destination.routeOf(path, status)
        const shown = route === path ? path : Redaction.line(path)
        tracing.end(request, { ...entry, path: shown, route, cost: headers["Mfg-Cost"] })
      }
    }
    const exposed =
      request.headers["origin"] === undefined || !Cors.isOffered(path) ? headers : { ...headers, ...Cors.exposed }
    const response = { status, headers: Exchange.withHeader(exposed, "X-Request-Id", requestId), body, stream }
    const sent = sending === undefined ? response : { ...response, sending }
    if (traffic !== undefined && !path.startsWith(Destination.adminMount) && !ConsoleAssets.isWithin(path)) {
      const resource = Catalogue.find(label)?.resource
      traffic.record({ request, response: sent, at: at ?? world.now(), millis, requestId, resource })
    }
    return sent
  }

  const tryRoute = (request: Exchange.Request, to: Destination.Destination): Effect.Effect<Exchange.Response> => {
    try {
      return route(request, to)
    } catch (defect) {
      return Exit.die(defect)
    }
  }

  /** Routes a request that can have faults. */
  const tryWithFaults = (request: Exchange.Request, to: Destination.Destination): Effect.Effect<Exchange.Response> => {
    const subject = Destination.faultSubject(request, to, () => callerOf(request))
    const handle = (request: Exchange.Request) => tryRoute(request, to)
    if (subject === undefined) return handle(request)
    return FaultyHandler.respond(faults, subject, { handle, refuse: refusal, now: world.now })
  }

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
    if (request.method === "OPTIONS") return Admission.ignored
    if (to.path.startsWith(Destination.adminMount) && admin !== undefined) {
      const response = admin.refuse(request)
      if (response !== undefined) return refused(Exit.succeed(response))
      return Exit.succeed(Admission.ofAdministrator(request, to.path))
    }
    if (mount === undefined && !isOperation(to.path)) return Admission.ignored
    return SyncEffect.andThen(identify(request), (exit) => {
      if (Exit.isFailure(exit)) return refused(Exit.failCause(exit.cause))
      const admission = Either.flatMap(exit.value, (caller) => allow(request, caller, mount, to))
      return Either.isRight(admission) ? Exit.succeed(admission.right) : refused(Exit.succeed(admission.left))
    })
  }

  return {
    monitoring: publicPaths.monitoring,
    metrics: collect,
    admit,
    dropped: metrics.dropped,
    companyOf: (headers) => keys.peek(Credentials.fromHeaders(headers))?.companyId,
    handle: (request) => {
      janitor.poll()
      const startMillis = performance.now()
      const at = traffic === undefined ? undefined : world.now()
      const to = Destination.fromRequest(request)
      const named = world.store.history === undefined ? request : { ...request, requestId: requestIdOf(request) }
      const traced = tracing === undefined ? named : tracing.begin(named)
      const response = faults.applies(traced) ? tryWithFaults(traced, to) : tryRoute(traced, to)
      // The traffic shows the headers as they were sent.
      const sent = tracing === undefined ? named : { ...named, span: traced.span }
      return SyncEffect.andThen(response, (exit) => Exit.succeed(finish(sent, to, startMillis, exit, at)))
    },
    route: (request) => tryRoute(request, Destination.fromRequest(request)),
    drain: Effect.sync(() => void (isDraining = true)),
    refuse: (request, error) =>
      finish(request, Destination.fromRequest(request), performance.now(), refuse(request, error))
  }
}
