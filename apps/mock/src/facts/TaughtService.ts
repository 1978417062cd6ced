/**
 * Changes the requests and responses of the row interface as facts describe: order, status, shape, headers, errors, and the
 * form of values. It wraps the service when there are facts, so that a service without facts does not ask for them.
 */
import * as JsonText from "@mfgdata/client/contract/JsonText"
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Fact from "@mfgdata/domain/Fact"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Exchange from "../Exchange.ts"
import * as Preferences from "../rows/request/Preferences.ts"
import * as AnswerFacts from "./AnswerFacts.ts"
import * as ErrorTemplate from "./ErrorTemplate.ts"
import * as RequestKind from "./RequestKind.ts"
import * as RowForm from "./RowForm.ts"

/** A request for the rows of a resource, as the facts see it. */
interface Subject {
  /** The name in the path, which may be unknown. */
  readonly name: string
  readonly resource: Resource.Any | undefined
  readonly kind: Fact.Request
  /** The value of `return` in the `Prefer` header. */
  readonly prefer: string | undefined
  /** Set when the request names the shape of the response by its media type. */
  readonly isShaped: boolean
  readonly path: string
}

export interface TaughtService {
  /** The request that the service handles. */
  readonly toRequest: (request: Exchange.Request) => Exchange.Request
  /** The response that the client receives. */
  readonly toResponse: (request: Exchange.Request, response: Exchange.Response) => Exchange.Response
}

const objectType = "application/vnd.pgrst.object+json"

const contractMount = "/rest/"
const postgrestMount = "/rest/v1/"

const textOf = (body: Exchange.Response["body"]): string =>
  typeof body === "string" ? body : Buffer.from(body).toString()

const isJson = ({ headers }: Pick<Exchange.Response, "headers">): boolean =>
  Object.entries(headers).some(([name, value]) => name.toLowerCase() === "content-type" && /json/.test(value ?? ""))

/** Sets headers by names in lower case, or removes those whose value is null. */
const withHeaders = (headers: Exchange.Headers, changes: ReadonlyMap<string, string | null>): Exchange.Headers => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !changes.has(name.toLowerCase()))),
  ...Object.fromEntries(Array.from(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
})

const withPath = (target: string, from: string, to: string): string => to + target.slice(from.length)

const withParameter = (target: string, name: string, value: string): string =>
  `${target}${target.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`

/** Converts the rows of a body to a shape. */
const reshape = (body: string, shape: Fact.Of<"shape">["shape"]): string => {
  const start = body.trimStart()[0]
  switch (shape) {
    case "array":
      return start === "{" ? `[${body}]` : body
    case "object": {
      const rows = start === "[" ? JsonText.parse(body) : undefined
      return Array.isArray(rows) && rows.length === 1 ? JSON.stringify(rows[0]) : body
    }
    case "null":
      return "null"
    case "empty":
      return ""
  }
}

/** The key of a created row, which its address ends in. */
const keyOf = (headers: Exchange.Headers): string => /=eq\.([^&]+)$/.exec(headers["Location"] ?? "")?.[1] ?? ""

/** The body of a response that finds no row. */
const emptyBodies = { array: "[]", null: "null", empty: "" } as const

export const make = (facts: ReadonlyArray<Fact.Fact>, { find, resources }: Catalogue.Resources): TaughtService => {
  const answers = AnswerFacts.make(facts)
  const isPostgrest = facts.some(({ fact }) => fact === "style")
  const printRows = RowForm.make(resources, facts)

  const subjectOf = (request: Exchange.Request): Subject | undefined => {
    const { headers, target } = request
    const end = target.indexOf("?")
    const path = end === -1 ? target : target.slice(0, end)
    const mount = path.startsWith(postgrestMount) ? postgrestMount : contractMount
    if (!path.startsWith(mount)) return undefined
    const name = path.slice(mount.length).replace(/\/$/, "")
    const resource = find(name)
    const search = end === -1 ? "" : target.slice(end + 1)
    const kind = resource === undefined ? "any" : RequestKind.of(request, search, resource)
    const isShaped = /vnd\.pgrst|text\/csv/.test(headers["accept"] ?? "")
    return { name, resource, kind, prefer: Preferences.parse(headers["prefer"]).return, isShaped, path }
  }

  /** The body without the columns that do not exist. */
  const withoutUnknown = (resource: Resource.Any, body: Exchange.Request["body"]): Exchange.Request["body"] => {
    const given = JsonText.parse(textOf(body))
    const columns = Column.byName(resource)
    const known = (row: Json): Json =>
      row === null || typeof row !== "object" || Array.isArray(row)
        ? row
        : Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name)))
    return given === undefined ? body : JSON.stringify(Array.isArray(given) ? given.map(known) : known(given))
  }

  /** The service returns the row where the client receives one, even if the client did not ask for it. */
  const needsRow = ({ isShaped, kind, name, prefer }: Subject): boolean => {
    const shape = answers.shape(name, kind, prefer)
    const isWrite = kind !== "list" && kind !== "retrieve" && kind !== "options" && kind !== "any"
    return isWrite && !isShaped && prefer !== "representation" && (shape === "array" || shape === "object")
  }

  const toRequest = (request: Exchange.Request): Exchange.Request => {
    const subject = subjectOf(request)
    if (subject === undefined) return request
    const { kind, name, resource } = subject
    let { body, headers, target } = request
    if (isPostgrest && !target.startsWith(postgrestMount)) target = withPath(target, contractMount, postgrestMount)
    const order = kind === "list" ? answers.order(name) : undefined
    if (order !== undefined && !/[?&]order=/.test(target)) target = withParameter(target, "order", order)
    if (needsRow(subject)) {
      const others = (headers["prefer"] ?? "").split(",").filter((part) => !/^\s*(return=|$)/.test(part))
      headers = {
        ...headers,
        prefer: [...others, "return=representation"].join(","),
        // By key, the service returns a deleted row only as an object.
        ...(kind === "delete" && { accept: objectType })
      }
    }
    const isWrite = request.method === "POST" || request.method === "PUT" || request.method === "PATCH"
    if (isWrite && resource !== undefined && answers.ignoresUnknownColumns(name)) body = withoutUnknown(resource, body)
    return { ...request, body, headers, target }
  }

  const partsOf = (subject: Subject, error: JsonObject): ErrorTemplate.Parts => ({
    ...error,
    path: subject.path,
    resource: subject.name,
    column: ErrorTemplate.columnOf([error["message"], error["details"], error["hint"]], subject.resource),
    value: ErrorTemplate.valueOf(error["message"])
  })

  /** The response in place of one that found no row, if a fact describes it. */
  const absent = (subject: Subject, response: Exchange.Response): Exchange.Response | undefined => {
    const { isShaped, kind, name, prefer } = subject
    if (isShaped) return undefined
    const missing = RequestKind.missingOf(kind)
    const status = answers.status(name, missing, prefer)
    const shape = answers.shape(name, missing, prefer)
    if (missing === kind || (status === undefined && shape === undefined)) return undefined
    const body = shape === undefined || shape === "object" ? response.body : emptyBodies[shape]
    return { status: status ?? response.status, headers: withHeaders(response.headers, gone), body }
  }

  const gone = new Map([["proxy-status", null]])

  const refused = (subject: Subject, response: Exchange.Response): Exchange.Response => {
    const error = JsonText.parse(textOf(response.body))
    if (error === undefined || error === null || typeof error !== "object" || Array.isArray(error)) return response
    // An array is not an object with a code.
    const parts = partsOf(subject, error as JsonObject)
    const { kind, name } = subject
    const isAbsent = parts["code"] === "PGRST116"
    const found = isAbsent ? absent(subject, response) : undefined
    if (found !== undefined) return found
    const requests = isAbsent ? [RequestKind.missingOf(kind), kind] : [kind]
    const fact = answers.error(name, requests, String(parts["code"]), response.status)
    if (fact === undefined) return response
    const body = ErrorTemplate.fill(fact.body, parts)
    const isText = typeof fact.body === "string"
    const contentType = fact.contentType ?? (isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8")
    return {
      status: fact.status,
      headers: withHeaders(response.headers, new Map([["content-type", body === "" ? null : contentType]])),
      body: isText ? String(body) : JSON.stringify(body)
    }
  }

  const succeeded = (subject: Subject, request: Exchange.Request, response: Exchange.Response): Exchange.Response => {
    const { isShaped, kind, name, prefer, resource } = subject
    const status = answers.status(name, kind, prefer) ?? response.status
    const shape = isShaped ? undefined : answers.shape(name, kind, prefer)
    let { body, headers } = response
    if (request.method === "HEAD") return { status, headers, body }
    if (printRows !== undefined && resource !== undefined && body.length > 0 && isJson(response)) {
      const rows = JsonText.parse(textOf(body))
      if (rows !== undefined) body = JSON.stringify(printRows(resource, rows))
    }
    if (shape !== undefined) body = reshape(textOf(body), shape)
    if (body.length === 0) headers = withHeaders(headers, noContent)
    if (needsRow(subject)) headers = withHeaders(headers, kind === "delete" ? ofDeletion : notAsked)
    return { status, headers, body }
  }

  const noContent = new Map([["content-type", null]])
  const notAsked = new Map([["preference-applied", null]])
  const ofDeletion = new Map([...notAsked, ["content-type", "application/json; charset=utf-8"] as const])

  const toResponse = (request: Exchange.Request, response: Exchange.Response): Exchange.Response => {
    const subject = subjectOf(request)
    if (subject === undefined) return response
    const isRefused = response.status >= 400
    const { body, headers, status } = isRefused ? refused(subject, response) : succeeded(subject, request, response)
    const changes = answers.headers(subject.name, isRefused ? "error" : subject.kind)
    if (changes.size === 0) return { status, headers, body }
    const parts = { path: subject.path, resource: subject.name, key: keyOf(response.headers) }
    const filled = new Map(
      Array.from(changes, ([name, value]) => [name, value === null ? null : String(ErrorTemplate.fill(value, parts))])
    )
    return { status, headers: withHeaders(headers, filled), body }
  }

  return { toRequest, toResponse }
}
