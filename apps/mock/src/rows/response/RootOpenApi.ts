/**
 * The OpenAPI 2.0 document at the root of the row interface, which describes every resource as PostgREST does.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../../Exchange.ts"
import * as Coercion from "../plan/Coercion.ts"
import * as MediaType from "../request/MediaType.ts"
import type { RowError } from "../RowError.ts"
import * as RowErrorBody from "../RowErrorBody.ts"
import * as PreparedDocument from "./PreparedDocument.ts"
import * as RowRequest from "../request/RowRequest.ts"

const contentType = "application/openapi+json; charset=utf-8"

const types: { readonly [T in Column.Type]: JsonObject } = {
  text: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "string" },
  timestamp: { type: "string" },
  object: {},
  array: { type: "array", items: { type: "string" } }
}

/** The notes that mark keys in a document of PostgREST. */
const noteOf = (resource: Resource.Any, { name, reference }: Column.Column): JsonObject => {
  const key = name === resource.key ? ["Note:\nThis is a Primary Key.<pk/>"] : []
  const foreign =
    reference === undefined || Catalogue.find(reference.resource) === undefined
      ? []
      : [
          `Note:\nThis is a Foreign Key to \`${reference.resource}.${reference.field}\`.<fk table='${reference.resource}' column='${reference.field}'/>`
        ]
  const notes = [...key, ...foreign]
  return notes.length === 0 ? {} : { description: notes.join("\n\n") }
}

const property = (resource: Resource.Any, column: Column.Column, rules: RuleSet): JsonObject => ({
  ...types[column.type],
  ...(column.type === "array" && rules === "contract" ? { items: {} } : {}),
  format: Coercion.typeNames[column.type],
  ...noteOf(resource, column),
  ...(column.vocabulary === undefined ? {} : { "x-known-values": column.vocabulary.known })
})

const definition = (resource: Resource.Any, rules: RuleSet): JsonObject => {
  const columns = Column.fromResource(resource)
  return {
    type: "object",
    required: columns.filter(({ nullable }) => !nullable).map(({ name }) => name),
    properties: Object.fromEntries(columns.map((column) => [column.name, property(resource, column, rules)]))
  }
}

const ref = (name: string): JsonObject => ({ $ref: `#/parameters/${name}` })

const inQuery = (name: string, description: string): JsonObject => ({ name, in: "query", type: "string", description })

const shared: JsonObject = {
  select: inQuery("select", "Columns, their paths and casts, and embedded resources"),
  order: inQuery("order", "Columns and their direction (default: order of creation)"),
  limit: inQuery("limit", "Maximum number of rows"),
  offset: inQuery("offset", "Number of rows to skip"),
  columns: inQuery("columns", "The only keys of the body that are read"),
  on_conflict: inQuery("on_conflict", "The unique columns that find duplicates"),
  prefer: { name: "Prefer", in: "header", type: "string", description: "Preferences, joined with commas" },
  range: { name: "Range", in: "header", type: "string", description: "The first and the last row, from zero" }
}

const path = (resource: Resource.Any): JsonObject => {
  const filters = Column.fromResource(resource).map(({ name }) => inQuery(name, "operator.value"))
  const body = { name: "body", in: "body", schema: { $ref: `#/definitions/${resource.resource}` } }
  const tags = [resource.resource]
  return {
    get: {
      tags,
      parameters: [...filters, ...["select", "order", "limit", "offset", "range", "prefer"].map(ref)],
      responses: {
        "200": {
          description: "OK",
          schema: { type: "array", items: { $ref: `#/definitions/${resource.resource}` } }
        },
        "206": { description: "Partial Content" }
      }
    },
    post: {
      tags,
      parameters: [body, ...["select", "columns", "on_conflict", "prefer"].map(ref)],
      responses: { "201": { description: "Created" } }
    },
    patch: {
      tags,
      parameters: [...filters, body, ...["select", "columns", "prefer"].map(ref)],
      responses: { "200": { description: "OK" }, "204": { description: "No Content" } }
    },
    delete: {
      tags,
      parameters: [...filters, ...["select", "prefer"].map(ref)],
      responses: { "200": { description: "OK" }, "204": { description: "No Content" } }
    }
  }
}

const named = (
  resources: ReadonlyArray<Resource.Any>,
  toObject: (resource: Resource.Any) => JsonObject,
  name: (resource: Resource.Any) => string
) => Object.fromEntries(resources.map((resource) => [name(resource), toObject(resource)]))

const print = (mount: string, rules: RuleSet, resources: ReadonlyArray<Resource.Any>): string =>
  JSON.stringify({
    swagger: "2.0",
    info: {
      title: "Manufacturing data service",
      description: "The row interface. The whole service is described at /openapi.json.",
      version: "1.0.0"
    },
    basePath: mount,
    consumes: ["application/json", "text/csv", "application/x-www-form-urlencoded"],
    produces: ["application/json", "application/vnd.pgrst.object+json", "text/csv"],
    securityDefinitions: { key: { type: "apiKey", in: "header", name: "Authorization" } },
    security: [{ key: [] }],
    paths: named(resources, path, ({ resource }) => `/${resource}`),
    definitions: named(
      resources,
      (resource) => definition(resource, rules),
      ({ resource }) => resource
    ),
    parameters: shared
  })

/** The handlers of the documents of resources. */
const handlersOf = Memo.make<ReadonlyArray<Resource.Any>, Map<string, Exchange.Handler>>(() => new Map())

/** The handler of the document of a mount and a rule set. */
const documentOf = (mount: string, rules: RuleSet, resources: ReadonlyArray<Resource.Any>): Exchange.Handler => {
  const handlers = handlersOf(resources)
  const key = `${rules} ${mount}`
  const known = handlers.get(key)
  if (known !== undefined) return known
  const handler = PreparedDocument.handler(() =>
    Promise.resolve({
      body: print(mount, rules, resources),
      headers: { "Content-Type": contentType },
      vary: RowErrorBody.vary
    })
  )
  handlers.set(key, handler)
  return handler
}

/** The methods of the root. */
export const methods: ReadonlyArray<string> = ["OPTIONS", "GET", "HEAD"]

/** Responds to a request for the root of a mount. */
export const respond = (
  request: Exchange.Request,
  mount: string,
  rules: RuleSet,
  resources: ReadonlyArray<Resource.Any>
): Effect.Effect<Exchange.Response> => {
  const { headers, method } = request
  const refuse = (error: RowError) => Exit.succeed(RowErrorBody.toResponse(error))
  if (method !== "GET" && method !== "HEAD") return refuse({ _tag: "MethodUnsupported", method, allowed: methods })
  const profile = headers["accept-profile"]
  if (profile !== undefined && profile !== RowRequest.profile) return refuse({ _tag: "ProfileUnknown", name: profile })
  const accept = headers["accept"]
  return MediaType.acceptsOpenApi(accept)
    ? documentOf(mount, rules, resources)(request)
    : refuse({ _tag: "MediaTypeUnavailable", accept: accept ?? "" })
}
