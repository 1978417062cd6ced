/**
 * Generates the OpenAPI paths of the row interface: one for each resource.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Right from "@mfgdata/domain/Right"
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as PageLimit from "../../rows/plan/PageLimit.ts"
import * as RowExamples from "./RowExamples.ts"
import * as RowErrorResponses from "./RowErrorResponses.ts"
import * as RowSchemas from "./RowSchemas.ts"

type Node = RowSchemas.Node

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

const query = (name: string, description: string, schema: Node, example: unknown): Node => ({
  name,
  in: "query",
  description,
  schema,
  example
})

const inHeader = (name: string, description: string, example: string): Node => ({
  name,
  in: "header",
  description,
  schema: text,
  example
})

const parameters: { readonly [name: string]: Node } = {
  Select: query("select", "Columns to return, separated by commas; all columns by default", text, "id,createdAt"),
  Order: query(
    "order",
    "Columns to sort by, each with `.asc` or `.desc`; rows with equal values are sorted by key. Default: the order of creation",
    text,
    "createdAt.desc"
  ),
  Limit: query("limit", `Maximum number of rows to return, up to ${PageLimit.largest}`, count, 10),
  Offset: query("offset", "Number of rows to skip", count, 0),
  OnConflict: query(
    "on_conflict",
    "Columns whose values identify an existing row, for `Prefer: resolution`",
    text,
    "id"
  ),
  Columns: query("columns", "Columns to read from the body; other fields are ignored", text, "name"),
  Prefer: inHeader(
    "Prefer",
    "Preferences for the request: `return`, `count`, `resolution`, `missing`, `handling`, `tx` and `max-affected`",
    "return=representation"
  ),
  IfMatch: inHeader("If-Match", "Apply the change only if the row has this ETag; `*` matches any existing row", "*"),
  IfNoneMatch: inHeader("If-None-Match", "Return 304 without a body if the row still has this ETag", '"0"'),
  IdempotencyKey: inHeader(
    "Idempotency-Key",
    "Unique key of the request: a retry with the same key within 24 hours returns the first response",
    "8e03978e-40d5-43dd-bc93-6894a57f9324"
  )
}

const parameter = (name: keyof typeof parameters & string): Node => ({ $ref: `#/components/parameters/${name}` })

const key = ({ key, resource }: Resource.Any, example: unknown): Node => ({
  ...query(key, `The ${key} of the ${resource}, as \`eq.<${key}>\``, text, `eq.${String(example)}`),
  required: true
})

const filter = ({ name, reference, type }: Column.Column, example: unknown): Node =>
  query(
    name,
    `Filter by ${name} (${reference === undefined ? type : `references ${reference.resource}.${reference.field}`}), as \`<operator>.<value>\``,
    text,
    example === null || typeof example === "object" ? "is.null" : `eq.${String(example)}`
  )

const content = (schema: Node, examples: Node): Node => ({ "application/json": { schema, examples } })

const csv = { "text/csv": { schema: { type: "string" } } }

const path = (resource: Resource.Any): Node => {
  const { resource: name } = resource
  const { create, row } = RowExamples.make(resource)
  const names = RowSchemas.namesOf(resource)
  const whole = RowSchemas.reference(names.row)
  const creates = RowSchemas.reference(names.create)
  const updates = RowSchemas.reference(names.update)
  const oneOrMany = (schema: Node) => ({ anyOf: [{ type: "array", items: schema }, schema] })
  const rows = content(oneOrMany(whole), { rows: { value: [row] }, row: { value: row } })
  const one = content(oneOrMany(whole), { row: { value: row } })
  const body = (schema: Node, value: unknown) => ({
    required: true,
    content: { ...content(oneOrMany(schema), { row: { value } }), ...csv }
  })
  const changed = Object.entries(create).find(([column]) => column !== resource.key)
  const change = changed === undefined ? {} : Object.fromEntries([changed])
  const named = key(resource, row[resource.key])
  const operation = (verb: string, use: Right.Use, summary: string, rest: Node): Node => ({
    operationId: `${name}.${verb}`,
    summary,
    tags: [name],
    security: [{ bearerAuth: Right.rows[use].actions.map((action) => `${name}:${action}`) }],
    ...rest
  })
  const rest = Column.fromResource(resource).map((column) => filter(column, row[column.name]))

  return {
    servers: [{ url: "/rest", description: "Row interface" }],
    get: operation("list", "read", `Lists rows of ${name}, or retrieves one row by its ${resource.key}`, {
      parameters: [...["Select", "Order", "Limit", "Offset", "Prefer", "IfNoneMatch"].map(parameter), ...rest],
      responses: {
        "200": {
          description: `The rows; a single object if the only filter is \`${resource.key}=eq.<value>\``,
          headers: {
            "Content-Range": RowErrorResponses.header(
              "The range of the returned rows, and the total if a count was requested"
            ),
            "Mfg-Cost": RowErrorResponses.header(
              "The cost of the request: inline or offloaded, the rows looked at if they are known, and milliseconds"
            )
          },
          content: { ...rows, ...csv }
        },
        "304": { description: "The row still has the ETag in If-None-Match" },
        "206": {
          description: "A part of the rows, if a count was requested",
          headers: { "Content-Range": RowErrorResponses.header("The range of the returned rows, and the total") },
          content: { ...rows, ...csv }
        },
        ...RowErrorResponses.byStatus(400, 404, 406, 412, 413, 416)
      }
    }),
    post: operation("create", "create", `Creates one or more rows of ${name}`, {
      parameters: ["Select", "Columns", "OnConflict", "Prefer", "IdempotencyKey"].map(parameter),
      requestBody: body(creates, create),
      responses: {
        "200": {
          description: "The rows already existed and were updated (`Prefer: resolution=merge-duplicates`)",
          content: { ...one, ...csv }
        },
        "201": {
          description: "The created rows; no body with `Prefer: return=minimal`",
          headers: { Location: RowErrorResponses.header("URL of the created row") },
          content: { ...one, ...csv }
        },
        ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
      }
    }),
    put: operation("replace", "merge", `Creates or replaces the row of ${name} with a ${resource.key}`, {
      parameters: [named, ...["Select", "Prefer", "IfMatch", "IdempotencyKey"].map(parameter)],
      requestBody: body(
        { allOf: [creates, { type: "object", required: [resource.key], properties: { [resource.key]: text } }] },
        { ...create, [resource.key]: row[resource.key] }
      ),
      responses: {
        "200": { description: "The replaced row, with `Prefer: return=representation`", content: { ...one, ...csv } },
        "201": { description: "The created row, with `Prefer: return=representation`", content: { ...one, ...csv } },
        "204": { description: "The row was created or replaced" },
        ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
      }
    }),
    patch: operation("update", "update", `Updates a row of ${name}`, {
      parameters: [named, ...["Select", "Prefer", "IfMatch", "IdempotencyKey"].map(parameter)],
      requestBody: body(updates, change),
      responses: {
        "200": { description: "The updated row", content: { ...one, ...csv } },
        "204": { description: "The row was updated (`Prefer: return=minimal`)" },
        ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
      }
    }),
    delete: operation("delete", "delete", `Deletes a row of ${name}`, {
      parameters: [named, ...["Select", "Prefer", "IfMatch", "IdempotencyKey"].map(parameter)],
      responses: {
        "200": { description: "The deleted row, with `Prefer: return=representation`", content: { ...one, ...csv } },
        "204": { description: "The row was deleted" },
        ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 422)
      }
    })
  }
}

/** The paths, with the components that they reference, in slices. */
export const slices = function* (rules: RuleSet) {
  const paths: { [path: string]: Node } = {}
  for (const resource of Catalogue.resources) {
    paths[`/${resource.resource}`] = path(resource)
    yield
  }
  return {
    paths,
    components: { parameters, responses: RowErrorResponses.make(), schemas: yield* RowSchemas.slices(rules) },
    tags: Catalogue.resources.map(({ key, resource }) => ({
      name: resource,
      description: `Rows of \`${resource}\`, identified by \`${key}\``
    }))
  }
}
