/**
 * Checks every request and response against the service's own OpenAPI document, as a validating proxy does: the
 * document has the parameters and the body of each request that succeeds, and the status, the media type and the body of
 * each response. Where a request does not select columns, rows have all of them and no others.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Query from "@mfgdata/domain/Query"
import * as Either from "effect/Either"
import type * as Exchange from "../../src/Exchange.ts"
import * as MediaType from "../../src/rows/request/MediaType.ts"
import * as RowShape from "../../src/rows/request/RowRequest.ts"
import * as Description from "./Description.ts"

export type Asked = Pick<Exchange.Request, "method" | "target" | "headers" | "body">

export interface Answered {
  readonly status: number
  readonly contentType: string | undefined
  readonly text: string
}

const schemas = ["components", "schemas"]

/** Requests whose rows have other fields than the resource's schema. */
const isPartial = ({ search }: Description.Operation, { headers }: Asked): boolean =>
  search.has("select") || search.has("columns") || (headers["accept"] ?? "").includes("nulls=stripped")

type Item = Query.Query["select"][number]

const nameOf = ({ aggregate, alias, path }: Extract<Item, { readonly _tag: "Field" }>): string =>
  // A value of a list has the name of the list.
  alias ?? aggregate?.function ?? String(path.json.findLast(({ key }) => typeof key === "string")?.key ?? path.column)

/** All fields of a row that an item of `select` makes, except those of `*`. */
const made = (item: Item): ReadonlyArray<string> => {
  switch (item._tag) {
    case "All":
      return []
    case "Count":
      return [item.alias ?? "count"]
    case "Field":
      return [nameOf(item)]
    case "Embed": {
      if (!item.spread) return [item.alias ?? item.resource]
      const resource = Catalogue.find(item.resource)
      const isAll = item.query.select.some(({ _tag }) => _tag === "All")
      const columns = isAll && resource !== undefined ? Column.fromResource(resource).map(({ name }) => name) : []
      return [...columns, ...item.query.select.flatMap(made)]
    }
  }
}

const isColumn = (item: Item): boolean =>
  item._tag === "Field" &&
  item.aggregate === undefined &&
  item.cast === undefined &&
  item.path.json.length === 0 &&
  nameOf(item) === item.path.column

/** A value without the fields that casts and aliases make, whose types the document does not describe. */
const withoutRemade = (value: unknown, { search }: Description.Operation): unknown => {
  const query = Query.parse([["select", search.get("select") ?? ""]])
  const names = new Set(
    Either.isRight(query) ? query.right.select.flatMap((item) => (isColumn(item) ? [] : made(item))) : []
  )
  if (names.size === 0) return value
  const strip = (row: unknown): unknown =>
    Description.isNode(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => !names.has(name))) : row
  return Array.isArray(value) ? value.map(strip) : strip(value)
}

const responseOf = ({ place }: Description.Operation, status: number): Description.Place | undefined =>
  (status >= 400 ? [String(status), "default"] : [String(status)])
    .map((key) => [...place, "responses", key])
    .find((response) => Description.part(...response) !== undefined)

/** The deviation of a response from the document, if any. */
const responseFlawOf = (
  operation: Description.Operation,
  asked: Asked,
  { contentType, status, text }: Answered
): string | undefined => {
  if (!operation.known && status < 400) return `${status} is no answer to ${asked.method} ${asked.target}`
  const place = operation.known ? responseOf(operation, status) : undefined
  if (operation.known && place === undefined) return `status ${status} is not described`
  if (text === "" && asked.method === "HEAD") return undefined
  const media = MediaType.essence(contentType ?? "")
  if (status >= 400 && media !== "application/json") return `a refusal is JSON, not ${media}`
  const value: unknown = text !== "" && /[/+]json$/.test(media) ? JSON.parse(text) : text
  if (place === undefined) {
    // Unknown paths and methods get the common error body of their interface.
    if (operation.interface === "rows") return Description.flaw([...schemas, "RowError"], value, "closed")
    const known = Description.isNode(value) ? { ...value, code: "BAD_REQUEST", status: 400 } : value
    return Description.flaw([...schemas, "BadRequest"], known, "closed")
  }
  const response = Description.resolved(place)
  if (contentType === undefined) {
    const isBare = Description.part(...response, "content") === undefined
    // The document says of responses to writes that some have no body.
    return text === "" && (isBare || String(Description.part(...response, "description")).includes("no body"))
      ? undefined
      : `a body of ${status} has no media type`
  }
  const content = [...response, "content", media]
  if (Description.part(...content) === undefined) return `${media} is not described for ${status}`
  const schema = [...content, "schema"]
  const isRows = status < 400 && operation.interface === "rows"
  if (isRows && isPartial(operation, asked)) return Description.flaw(schema, withoutRemade(value, operation), "open")
  // The closed schemas accept less than the document does.
  return Description.flaw(schema, value, "closed")
}

/** The fields of a body that the service reads. */
const read = (body: unknown, { search }: Description.Operation): unknown => {
  const columns = search.get("columns")
  if (columns === null) return body
  const names = new Set(columns.split(",").map((name) => name.replaceAll('"', "")))
  const pick = (row: unknown): unknown =>
    Description.isNode(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name))) : row
  return Array.isArray(body) ? body.map(pick) : pick(body)
}

const bodyFlawOf = (operation: Description.Operation, { body, headers }: Asked): string | undefined => {
  const content = [...operation.place, "requestBody", "content"]
  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  if (Description.part(...content) === undefined || text === "") return undefined
  const type = headers["content-type"]
  const media = MediaType.isJson(type) ? "application/json" : MediaType.essence(type ?? "")
  if (Description.part(...content, media) === undefined) return `a body of ${media} is not described`
  if (media !== "application/json") return undefined
  const value = read(JSON.parse(text), operation)
  return Description.flaw([...content, media, "schema"], value, "open")
}

const parameterFlawOf = (operation: Description.Operation, place: Description.Place): string | undefined => {
  const parameter = Description.part(...place)
  if (!Description.isNode(parameter) || parameter["in"] !== "query") return undefined
  const { allowEmptyValue, name, required } = parameter
  const values = operation.search.getAll(String(name))
  const [first] = values
  if (first === undefined) return required === true ? `${String(name)} is required` : undefined
  if (first === "" && allowEmptyValue === true) return undefined
  const isNumber = Description.part(...place, "schema", "type") === "integer"
  const value = values.length > 1 ? values : isNumber ? Number(first) : first
  return Description.flaw([...place, "schema"], value, "open")
}

/** The deviation of a request that succeeded from the document, if any. */
const requestFlawOf = (operation: Description.Operation, asked: Asked): string | undefined => {
  const parameters = Description.part(...operation.place, "parameters")
  const places = Array.isArray(parameters)
    ? parameters.map((_, index) => Description.resolved([...operation.place, "parameters", String(index)]))
    : []
  const flaws = places.map((place) => parameterFlawOf(operation, place))
  return flaws.find((flaw) => flaw !== undefined) ?? bodyFlawOf(operation, asked)
}

/** Requests of PostgREST's shape, of which the document describes the responses only. */
const isPostgrest = ({ headers, target }: Asked): boolean =>
  target.startsWith("/rest/v1") || [headers["accept-profile"], headers["content-profile"]].includes(RowShape.profile)

/** The deviation of a request or its response from the document, if any. */
export const flawOf = (asked: Asked, answered: Answered): string | undefined => {
  const operation = asked.method === "OPTIONS" ? undefined : Description.operationOf(asked.method, asked.target)
  if (operation === undefined) return undefined
  const isDescribed = answered.status < 400 && !isPostgrest(asked)
  return responseFlawOf(operation, asked, answered) ?? (isDescribed ? requestFlawOf(operation, asked) : undefined)
}

/** The deviation of the body of a delivery from the document, if any. Tables without a resource are not described. */
export const eventFlawOf = (event: Description.Node): string | undefined => {
  const operation = ["webhooks", String(event["table"]), "post"]
  const schema = [...operation, "requestBody", "content", "application/json", "schema"]
  if (Description.part(...operation) === undefined) return undefined
  return Description.flaw(schema, event, "closed")
}
