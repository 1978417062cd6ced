/**
 * Serves the administrator's operations over HTTP: authentication, routing, and JSON bodies.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Audit } from "../access/Audit.ts"
import * as Credentials from "../access/Credentials.ts"
import * as KeyCache from "../access/KeyCache.ts"
import * as PublishedKeys from "../access/PublishedKeys.ts"
import type * as Exchange from "../Exchange.ts"
import * as AdminRequest from "./AdminRequest.ts"
import * as AdminDocument from "./AdminDocument.ts"
import * as AuditedAdmin from "./AuditedAdmin.ts"
import * as RowErrorBody from "../rows/RowErrorBody.ts"
import type { AdminRefused } from "./AdminRefused.ts"
import * as WorldAdmin from "./WorldAdmin.ts"

const json = (status: number, body: unknown, headers: Exchange.Headers = {}): Exchange.Response => ({
  status,
  headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
  body: JSON.stringify(body)
})

const errorResponse = (
  code: OperationError.KnownCode,
  message: string,
  {
    headers,
    issues
  }: { readonly headers?: Exchange.Headers; readonly issues?: ReadonlyArray<OperationError.Issue> } = {}
): Exchange.Response => {
  const error = OperationError.make(code, message, issues === undefined ? undefined : { issues: issues.map(toJson) })
  return json(error.status, error, headers)
}

const toJson = ({ message, path }: OperationError.Issue) => ({ message, path })

const unauthorized = errorResponse("UNAUTHORIZED", "the administrator's key is required", {
  headers: { "WWW-Authenticate": "Bearer" }
})

const published = (exposure: Exchange.Exposure) => {
  const { hint, message } = RowErrorBody.make({ _tag: "KeyPublished", exposure })
  return errorResponse("UNAUTHORIZED", `${message}. ${hint}`, { headers: { "WWW-Authenticate": "Bearer" } })
}

const description = (): Exchange.Response => ({
  status: 200,
  headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" },
  body: AdminDocument.text()
})

const malformed = errorResponse("BAD_REQUEST", "the body is not a JSON object")

const invalid = (error: ParseResult.ParseError) =>
  errorResponse("BAD_REQUEST", "the request does not match the operation's schema", {
    issues: ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) => ({
      path: path.map((part) => (typeof part === "number" ? part : String(part))),
      message
    }))
  })

/** Decodes a segment of a path; a malformed one is left as it is, and names nothing. */
const decodeSegment = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The parameters of a path that matches a pattern, or undefined. */
const match = (pattern: string, path: string): { readonly [name: string]: string } | undefined => {
  const [names, segments] = [pattern.split("/"), path.split("/")]
  if (names.length !== segments.length) return undefined
  const parameters: { [name: string]: string } = {}
  for (const [index, part] of names.entries()) {
    const text = segments[index] ?? ""
    if (part.startsWith(":") && text !== "") parameters[part.slice(1)] = decodeSegment(text)
    else if (part !== text) return undefined
  }
  return parameters
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parse = ({ body }: Exchange.Request): object | undefined => {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  if (text === "") return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const refusal = ({ code, issues, message }: AdminRefused): Exchange.Response =>
  errorResponse(code, message, issues === undefined ? {} : { issues })

type Admin = AdminApi.Service<AdminRefused>

/** The response of an operation: a file, JSON, or nothing. */
const success = <N extends AdminApi.Name>(name: N, result: AdminApi.Response<N>): Exchange.Response => {
  const { download, status }: AdminApi.Operation = AdminApi.operations[name]
  if (download !== undefined && result instanceof Uint8Array) {
    return { status, headers: { "Content-Type": download, "Cache-Control": "no-store" }, body: result }
  }
  return status === 204
    ? { status, headers: { "Cache-Control": "no-store" }, body: "" }
    : json(status, Schema.encodeSync(AdminApi.schemas(name).response)(result))
}

/** The response of an operation that the client follows live. */
const following = (stream: Exchange.BodyStream): Exchange.Response => ({
  status: 200,
  headers: {
    "Content-Type": `${AdminRequest.mediaType}; charset=utf-8`,
    "Cache-Control": "no-store",
    // Proxies of nginx would hold the events back otherwise.
    "X-Accel-Buffering": "no"
  },
  body: "",
  stream
})

const perform = <N extends AdminApi.Name>(admin: Admin, name: N, fields: object): Effect.Effect<Exchange.Response> => {
  const { request } = AdminApi.schemas(name)
  return Either.match(Schema.decodeUnknownEither(request, { errors: "all", onExcessProperty: "error" })(fields), {
    onLeft: (error) => Effect.succeed(invalid(error)),
    onRight: (request) =>
      Effect.match(admin[name](request), {
        onSuccess: (result) => success(name, result),
        onFailure: refusal
      })
  })
}

const bytesOf = ({ body }: Exchange.Request): Uint8Array =>
  typeof body === "string" ? new TextEncoder().encode(body) : body

/** The first bytes of files that no JSON begins with: compressed ones, and databases. */
const fileStarts = [[0x1f, 0x8b], Array.from(new TextEncoder().encode("SQLite format 3"))]

/** Reports whether the body of a request is a file, which clients such as curl send with any type. */
const isFile = (request: Exchange.Request, mediaType: string): boolean => {
  const bytes = bytesOf(request)
  return (
    request.headers["content-type"]?.startsWith(mediaType) === true ||
    fileStarts.some((start) => start.every((byte, index) => bytes[index] === byte))
  )
}

/** The address that the request was sent to. */
const originOf = ({ headers: { host } }: Exchange.Request): string =>
  host === undefined || host === "" ? "http://mock.test" : `http://${host}`

export interface AdminHttp {
  /** Handles a request below the mount. */
  readonly handle: Exchange.Handler
  /** The response to a request without the administrator's key. */
  readonly refuse: (request: Exchange.Request) => Exchange.Response | undefined
}

/** The administrator's interface; each request needs the administrator's key. `use` selects the world of `?world=`. */
export const make = (
  admin: Admin,
  adminKey: string,
  audit?: Audit,
  use: WorldAdmin.Worlds["use"] = WorldAdmin.ofCommand.use
): AdminHttp => {
  const expected = KeyCache.toBytes(KeyCache.digest(adminKey))
  const isAdministrator = (key: string | undefined) =>
    key !== undefined && KeyCache.isSame(expected, KeyCache.digest(key))

  const refuse = ({ exposure, headers, peer }: Exchange.Request) => {
    const key = Credentials.fromHeaders(headers)
    const isPublished = exposure !== undefined && PublishedKeys.has(key)
    if (!isPublished && isAdministrator(key)) return undefined
    if (peer !== undefined) audit?.refused(isPublished ? "KeyPublished" : "NotAdministrator", { peer })
    return isPublished ? published(exposure) : unauthorized
  }

  const audited = ({ peer }: Exchange.Request, admin: Admin, world?: string) =>
    audit === undefined || peer === undefined
      ? admin
      : AuditedAdmin.make(admin, audit, { peer, ...(world === undefined ? {} : { world }) })

  const handle: Exchange.Handler = (request) => {
    const refused = refuse(request)
    if (refused !== undefined) return Effect.succeed(refused)
    const [path = "", search = ""] = request.target.slice(AdminApi.mount.length).split("?", 2)
    if (path === AdminDocument.path && request.method === "GET") return Effect.sync(description)
    const matches = AdminApi.names.flatMap((name) => {
      const { method, path: pattern, upload }: AdminApi.Operation = AdminApi.operations[name]
      const parts = match(pattern, path)
      return parts === undefined ? [] : [{ name, parts, method, upload }]
    })
    const own = matches.filter(({ method }) => method === request.method)
    const operation =
      own.find(({ upload }) => upload !== undefined && isFile(request, upload)) ??
      own.find(({ upload }) => upload === undefined)
    if (operation !== undefined) {
      const { name, parts, upload } = operation
      const { world: asked, ...query } = Object.fromEntries(new URLSearchParams(search))
      const world = AdminApi.isOnWorlds(name) ? undefined : (parts["world"] ?? asked)
      const body =
        upload !== undefined ? { ...query, file: bytesOf(request) } : request.method === "GET" ? query : parse(request)
      if (body === undefined) return Effect.succeed(malformed)
      const fields = { ...body, ...parts }
      const performed =
        world === undefined || world === AdminApi.main
          ? perform(audited(request, admin), name, fields)
          : Effect.catchAll(
              use(world, (admin) => perform(audited(request, admin, world), name, fields)),
              (refused) => Effect.succeed(refusal(refused))
            )
      const current = AdminRequest.make(request)
      return performed.pipe(
        Effect.locally(WorldAdmin.origin, originOf(request)),
        Effect.locally(AdminRequest.current, current),
        Effect.map((response) => (current.events?.body === undefined ? response : following(current.events.body)))
      )
    }
    const allow = [...new Set(matches.map(({ method }) => method))].join(", ")
    return Effect.succeed(
      matches.length === 0
        ? errorResponse("NOT_FOUND", "there is no operation with this path")
        : errorResponse("METHOD_NOT_ALLOWED", `the path allows ${allow}`, { headers: { Allow: allow } })
    )
  }

  return { handle, refuse }
}
