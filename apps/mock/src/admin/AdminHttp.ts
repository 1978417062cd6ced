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
import * as AuditedAdmin from "./AuditedAdmin.ts"
import * as RowErrorBody from "../rows/RowErrorBody.ts"
import type { AdminRefused } from "./AdminRefused.ts"

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

type Admin = AdminApi.Service<AdminRefused>

const perform = <N extends AdminApi.Name>(admin: Admin, name: N, fields: object): Effect.Effect<Exchange.Response> => {
  const { request, response } = AdminApi.schemas(name)
  return Either.match(Schema.decodeUnknownEither(request, { errors: "all", onExcessProperty: "error" })(fields), {
    onLeft: (error) => Effect.succeed(invalid(error)),
    onRight: (request) =>
      Effect.match(admin[name](request), {
        onSuccess: (result) => json(AdminApi.operations[name].status, Schema.encodeSync(response)(result)),
        onFailure: ({ code, message }) => errorResponse(code, message)
      })
  })
}

export interface AdminHttp {
  /** Handles a request below the mount. */
  readonly handle: Exchange.Handler
  /** The response to a request without the administrator's key. */
  readonly refuse: (request: Exchange.Request) => Exchange.Response | undefined
}

/** The administrator's interface; each request needs the administrator's key. */
export const make = (admin: Admin, adminKey: string, audit?: Audit): AdminHttp => {
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

  const audited = ({ peer }: Exchange.Request) =>
    audit === undefined || peer === undefined ? admin : AuditedAdmin.make(admin, audit, peer)

  const handle: Exchange.Handler = (request) => {
    const refusal = refuse(request)
    if (refusal !== undefined) return Effect.succeed(refusal)
    const [path = "", search = ""] = request.target.slice(AdminApi.mount.length).split("?", 2)
    const matches = AdminApi.names.flatMap((name) => {
      const parts = match(AdminApi.operations[name].path, path)
      return parts === undefined ? [] : [{ name, parts, method: AdminApi.operations[name].method }]
    })
    const operation = matches.find(({ method }) => method === request.method)
    if (operation !== undefined) {
      const body = request.method === "GET" ? Object.fromEntries(new URLSearchParams(search)) : parse(request)
      return body === undefined
        ? Effect.succeed(malformed)
        : perform(audited(request), operation.name, { ...body, ...operation.parts })
    }
    const allow = matches.map(({ method }) => method).join(", ")
    return Effect.succeed(
      matches.length === 0
        ? errorResponse("NOT_FOUND", "there is no operation with this path")
        : errorResponse("METHOD_NOT_ALLOWED", `the path allows ${allow}`, { headers: { Allow: allow } })
    )
  }

  return { handle, refuse }
}
