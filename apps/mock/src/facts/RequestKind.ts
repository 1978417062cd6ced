/**
 * Classifies requests to rows as facts do.
 */
import type * as Fact from "@mfgdata/domain/Fact"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Exchange from "../Exchange.ts"
import * as Preferences from "../rows/request/Preferences.ts"
import * as QueryString from "../rows/request/QueryString.ts"
import * as Either from "effect/Either"

const pageParameters: ReadonlySet<string> = new Set(["order", "limit", "offset"])
const otherParameters: ReadonlySet<string> = new Set(["select", "columns", "on_conflict"])

/** Reports whether a query names one row by its key, and nothing else. */
const isByKey = (search: string, { key }: Resource.Any, headers: Exchange.Headers): boolean => {
  const parameters = Either.getOrElse(QueryString.parse(search), () => [])
  const filters = parameters.filter(([name]) => !otherParameters.has(name))
  const [filter] = filters
  return (
    filters.length === 1 &&
    filter?.[0] === key &&
    filter[1].startsWith("eq.") &&
    headers["range"] === undefined &&
    !parameters.some(([name]) => pageParameters.has(name))
  )
}

const startsWithBracket = (body: Exchange.Request["body"]): boolean => {
  const start = typeof body === "string" ? body.slice(0, 64) : Buffer.from(body.subarray(0, 64)).toString("latin1")
  return start.trimStart().startsWith("[")
}

/** The kind of a request; `any` for a method that the row interface does not have. */
export const of = (
  { body, headers, method }: Pick<Exchange.Request, "body" | "headers" | "method">,
  search: string,
  resource: Resource.Any
): Exclude<Fact.Request, `${string}Missing`> => {
  switch (method) {
    case "GET":
    case "HEAD":
      return isByKey(search, resource, headers) ? "retrieve" : "list"
    case "POST":
      if (Preferences.parse(headers["prefer"]).resolution !== undefined) return "upsert"
      return startsWithBracket(body) ? "createMany" : "create"
    case "PUT":
      return "upsert"
    case "PATCH":
      return isByKey(search, resource, headers) ? "update" : "updateMany"
    case "DELETE":
      return isByKey(search, resource, headers) ? "delete" : "deleteMany"
    case "OPTIONS":
      return "options"
    default:
      return "any"
  }
}

const missing = { retrieve: "retrieveMissing", update: "updateMissing", delete: "deleteMissing" } as const

/** The kind of a request whose key no row has. */
export const missingOf = (kind: Fact.Request): Fact.Request =>
  kind === "retrieve" || kind === "update" || kind === "delete" ? missing[kind] : kind
