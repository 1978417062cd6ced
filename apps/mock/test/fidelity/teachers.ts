/** Services to learn from: each differs from the contract in its own ways. */
import { isObject } from "@mfgdata/client/contract/JsonText"
import type * as Ask from "@mfgdata/client/contract/Ask"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Effect from "effect/Effect"
import type { ComparedService } from "../../src/fidelity/ComparedService.ts"

const resourceOf = ({ target }: Ask.Request): string => target.split(/[/?]/)[1] ?? ""

const isOfRows = (request: Ask.Request): boolean =>
  request.face === "rows" && Catalogue.find(resourceOf(request)) !== undefined

const parse = (text: string): Json | undefined => {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

/** Changes the rows of a body. */
const ofRows = (body: Json, change: (row: JsonObject) => JsonObject): Json =>
  Array.isArray(body) ? body.map((row) => (isObject(row) ? change(row) : row)) : isObject(body) ? change(body) : body

const numbersAsText: { readonly [resource: string]: string } = {
  paymentTerm: "daysDue",
  holiday: "year",
  nonConformance: "quantity"
}

/** The columns that rows have besides those of the contract. */
const further: { readonly [resource: string]: JsonObject } = {
  holiday: { region: "North", isPublic: true, weights: [1, 2] },
  paymentTerm: { companyGroupId: null, rank: 3 }
}

/** The column that rows of a resource lack. */
const lacking: { readonly [resource: string]: string } = { holiday: "customFields", paymentTerm: "tags" }

/** Arrays, other types, and another form of timestamps and numbers. */
const valueOf = (resource: string, name: string, value: Json): Json => {
  if (value === null) return null
  if (name === "createdAt" || name === "updatedAt") return String(value).replace(/\.?0*Z$/, "+00:00")
  if (resource === "nonConformance" && name === "approvalRequirements") return [value]
  if (resource === "warehouseTransfer" && name === "status") return value === "Draft" ? "On Hold" : value
  return numbersAsText[resource] === name ? String(value) : value
}

/** Error types of a gateway of another vendor. */
const errors: { readonly [code: string]: readonly [status: number, type: string] } = {
  "42703": [422, "unknown_field"],
  PGRST204: [422, "unknown_field"],
  PGRST100: [422, "bad_query"],
  "22P02": [422, "bad_value"],
  "22007": [422, "bad_time"],
  PGRST205: [404, "no_such_collection"],
  PGRST301: [403, "bad_key"],
  PGRST107: [415, "bad_media_type"]
}

const refusal = (code: string, status: number, message: Json): Pick<Ask.Answer, "status" | "text"> => {
  const [other, type] = errors[code] ?? [status, "error"]
  return { status: other, text: JSON.stringify({ error: { type, message }, ok: false }) }
}

const unknownMethod = {
  code: "22P02",
  message: `invalid input value for enum "paymentTermCalculationMethod": "mfg-compare-absent"`
}

/** A request as the service after the gateway understands it, or the message of the gateway's own refusal. */
const forward = (request: Ask.Request): Ask.Request | { readonly code: string; readonly message: string } => {
  const resource = resourceOf(request)
  const [path = "", search = ""] = request.target.split("?")
  const parameters = new URLSearchParams(search)
  const lacked = lacking[resource]
  const selected = parameters.get("select")?.split(",") ?? []
  const isNamed = (name: string) => name === lacked || name.startsWith(`${lacked}-`)
  if (lacked !== undefined && [...selected, ...parameters.keys()].some(isNamed)) {
    return { code: "42703", message: `column ${resource}.${lacked} does not exist` }
  }
  const written = request.method === "POST" || request.method === "PATCH" ? parse(request.body ?? "") : undefined
  if (isObject(written)) {
    if (lacked !== undefined && Object.hasOwn(written, lacked)) {
      const message = `Could not find the '${lacked}' column of '${resource}' in the schema cache`
      return { code: "PGRST204", message }
    }
    if (written["calculationMethod"] === "mfg-compare-absent") return unknownMethod
    // The gateway fills a column that the service requires.
    if (resource === "paymentTerm" && request.method === "POST" && !Object.hasOwn(written, "daysDiscount")) {
      return { ...request, body: JSON.stringify({ ...written, daysDiscount: 7 }) }
    }
  }
  const word = parameters.get("approvalRequirements")
  if (word?.startsWith("eq.") === true) return { code: "22P02", message: `malformed array literal: "${word.slice(3)}"` }
  const method = parameters.get("calculationMethod")
  if (method === "eq.mfg-compare-absent") return unknownMethod
  const known = selected.filter((name) => !Object.hasOwn(further[resource] ?? {}, name))
  if (known.length === selected.length) return request
  parameters.set("select", known.length === 0 ? "id" : known.join(","))
  return { ...request, target: `${path}?${decodeURIComponent(parameters.toString())}` }
}

/** The row of a request: all columns, or those that it selects. */
const rowOf = ({ target }: Ask.Request, resource: string, row: JsonObject): JsonObject => {
  const selected = new URLSearchParams(target.split("?")[1]).get("select")?.split(",")
  const lacked = lacking[resource]
  const more = Object.entries(further[resource] ?? {}).filter(([name]) => selected?.includes(name) ?? true)
  const isExtraOnly = selected !== undefined && more.length === selected.length
  const own = Object.entries(row)
    .filter(([name]) => name !== lacked && !isExtraOnly)
    .map(([name, value]): [string, Json] => [name, valueOf(resource, name, value)])
  return Object.fromEntries([...own, ...more])
}

/**
 * A gateway to a service, which changes requests and responses in more than twenty ways. It is written without the code of
 * facts, so that both cannot make the same mistake.
 */
export const gateway = (service: ComparedService<never>): ComparedService<never> => ({
  ...service,
  name: "gateway",
  ask: (request) => {
    if (request.face !== "rows") return service.ask(request)
    const forwarded = forward(request)
    const own = { "x-api-version": "2026-01" }
    if (!("method" in forwarded)) {
      const headers = { "content-type": "application/json; charset=utf-8", vary: "Accept", ...own }
      return Effect.succeed({ ...refusal(forwarded.code, 400, forwarded.message), headers })
    }
    return Effect.map(service.ask(forwarded), (answer): Ask.Answer => {
      const { status, text } = answer
      const { "content-location": _, "proxy-status": __, location: ___, ...kept } = answer.headers
      const headers: Ask.Answer["headers"] = { ...kept, ...own }
      const body = parse(text)
      const isObjectWanted = /vnd/.test(request.headers?.["accept"] ?? "")
      const isAbsent = status === 404 && /PGRST116/.test(answer.headers["proxy-status"] ?? "")
      if (isAbsent && !isObjectWanted) return { status: 200, headers, text: request.method === "HEAD" ? "" : "null" }
      if (status >= 400) {
        const code = /error=(\w+)/.exec(answer.headers["proxy-status"] ?? "")?.[1] ?? ""
        const changed = refusal(code, status, isObject(body) ? (body["message"] ?? null) : null)
        return { headers, ...changed, text: request.method === "HEAD" || text === "" ? "" : changed.text }
      }
      if (request.method === "DELETE" && status === 204) {
        return { status: 200, headers: { ...headers, "content-type": "application/json" }, text: "null" }
      }
      if (!isOfRows(request) || body === undefined || !/json/.test(headers["content-type"] ?? "")) {
        return { status, headers, text }
      }
      const rows = ofRows(body, (row) => rowOf(request, resourceOf(request), row))
      return {
        status: request.method === "POST" ? 200 : status,
        headers,
        text: JSON.stringify(isObject(rows) && !isObjectWanted ? [rows] : rows)
      }
    })
  }
})

/** The same service with its rows below `/rest/v1`, which answers as PostgREST does. */
export const postgrest = (service: ComparedService<never>): ComparedService<never> => ({
  ...service,
  name: "postgrest",
  restUrl: `${service.restUrl}/v1`,
  ask: (request) =>
    request.face === "rows" ? service.ask({ ...request, target: `/v1${request.target}` }) : service.ask(request)
})
