/**
 * `/_mock` over HTTP: the administrator's key, and JSON in and out.
 */
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Credentials from "../access/Credentials.ts"
import * as KeyCache from "../access/KeyCache.ts"
import type * as Exchange from "../Exchange.ts"
import * as AdminApi from "./AdminApi.ts"

const json = (status: number, body: unknown, headers: Exchange.Headers = {}): Exchange.Answer => ({
  status,
  headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
  body: JSON.stringify(body)
})

const refusal = (
  code: OperationError.KnownCode,
  message: string,
  {
    headers,
    issues
  }: { readonly headers?: Exchange.Headers; readonly issues?: ReadonlyArray<OperationError.Issue> } = {}
): Exchange.Answer => {
  const error = OperationError.make(code, message, issues === undefined ? undefined : { issues: issues.map(toJson) })
  return json(error.status, error, headers)
}

const toJson = ({ message, path }: OperationError.Issue) => ({ message, path })

const unauthorized = refusal("UNAUTHORIZED", "the administrator's key is needed", {
  headers: { "WWW-Authenticate": "Bearer" }
})

const malformed = refusal("BAD_REQUEST", "the body is not a JSON object")

const invalid = (error: ParseResult.ParseError) =>
  refusal("BAD_REQUEST", "the request is not what the operation takes", {
    issues: ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) => ({
      path: path.map((part) => (typeof part === "number" ? part : String(part))),
      message
    }))
  })

/** A part of a path; one that is not encoded as it should be names nothing, and stays as it is. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The parts of a path that its pattern names, or nothing when it is another path. */
const match = (pattern: string, path: string): { readonly [name: string]: string } | undefined => {
  const [wanted, given] = [pattern.split("/"), path.split("/")]
  if (wanted.length !== given.length) return undefined
  const found: { [name: string]: string } = {}
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? ""
    if (part.startsWith(":") && text !== "") found[part.slice(1)] = decoded(text)
    else if (part !== text) return undefined
  }
  return found
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

type Control = AdminApi.Control<AdminApi.ControlRefused>

const perform = <N extends AdminApi.Name>(control: Control, name: N, given: object): Effect.Effect<Exchange.Answer> => {
  const { request, response } = AdminApi.shapes(name)
  return Either.match(Schema.decodeUnknownEither(request, { errors: "all", onExcessProperty: "error" })(given), {
    onLeft: (error) => Effect.succeed(invalid(error)),
    onRight: (request) =>
      Effect.match(control[name](request), {
        onSuccess: (result) => json(AdminApi.operations[name].status, Schema.encodeSync(response)(result)),
        onFailure: ({ code, message }) => refusal(code, message)
      })
  })
}

/** Answers whoever has the administrator's key. */
export const make = (control: Control, adminKey: string): Exchange.Handler => {
  const expected = KeyCache.kept(KeyCache.digest(adminKey))
  const isAdministrator = (key: string | undefined) =>
    key !== undefined && KeyCache.isSame(expected, KeyCache.digest(key))

  return (request) => {
    if (!isAdministrator(Credentials.fromHeaders(request.headers))) return Effect.succeed(unauthorized)
    const [path = "", search = ""] = request.target.slice(AdminApi.mount.length).split("?", 2)
    const there = AdminApi.names.flatMap((name) => {
      const parts = match(AdminApi.operations[name].path, path)
      return parts === undefined ? [] : [{ name, parts, method: AdminApi.operations[name].method }]
    })
    const found = there.find(({ method }) => method === request.method)
    if (found !== undefined) {
      const body = request.method === "GET" ? Object.fromEntries(new URLSearchParams(search)) : parse(request)
      return body === undefined ? Effect.succeed(malformed) : perform(control, found.name, { ...body, ...found.parts })
    }
    const allow = there.map(({ method }) => method).join(", ")
    return Effect.succeed(
      there.length === 0
        ? refusal("NOT_FOUND", "there is no such operation")
        : refusal("METHOD_NOT_ALLOWED", `the path answers ${allow}`, { headers: { Allow: allow } })
    )
  }
}
