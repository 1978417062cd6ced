/**
 * The row interface as OpenAPI says it: a path for each resource.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
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
  Select: query(
    "select",
    "The columns to answer, separated by commas; all of them when left out",
    text,
    "id,createdAt"
  ),
  Order: query("order", "Columns with their directions; the key decides what is left open", text, "createdAt.desc"),
  Limit: query("limit", `The maximum number of rows, honoured up to ${PageLimit.largest}`, count, 10),
  Offset: query("offset", "How many rows to skip", count, 0),
  OnConflict: query("on_conflict", "The columns by which a row counts as there already", text, "id"),
  Columns: query("columns", "The only columns to take from the body", text, "name"),
  Prefer: inHeader(
    "Prefer",
    "What the caller prefers: return, count, resolution, missing, handling, tx, max-affected",
    "return=representation"
  ),
  IfMatch: inHeader("If-Match", "The ETag that the row must have for the request to be carried out", "*"),
  IfNoneMatch: inHeader("If-None-Match", "An ETag; 304 when the row still has it", '"0"'),
  IdempotencyKey: inHeader(
    "Idempotency-Key",
    "A text of the caller's, under which the request is carried out once in 24 hours",
    "8e03978e-40d5-43dd-bc93-6894a57f9324"
  )
}

const parameter = (name: keyof typeof parameters & string): Node => ({ $ref: `#/components/parameters/${name}` })

const key = ({ key, resource }: Resource.Any, example: unknown): Node => ({
  ...query(key, `The row whose ${key} this is, after \`eq.\``, text, `eq.${String(example)}`),
  required: true,
  description: `Which ${resource}, in the form \`eq.<value>\``
})

const filter = ({ name, reference, type }: Column.Column, example: unknown): Node =>
  query(
    name,
    `Rows by ${name} (${reference === undefined ? type : `the ${reference.field} of a ${reference.resource}`})`,
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
  const operation = (verb: string, summary: string, rest: Node): Node => ({
    operationId: `${name}.${verb}`,
    summary,
    tags: [name],
    security: [{ bearerAuth: [] }],
    ...rest
  })
  const rest = Column.fromResource(resource).map((column) => filter(column, row[column.name]))

  return {
    servers: [{ url: "/rest", description: "The row interface" }],
    get: operation("list", `Lists rows of ${name}, or retrieves one by its ${resource.key}`, {
      parameters: [...["Select", "Order", "Limit", "Offset", "Prefer", "IfNoneMatch"].map(parameter), ...rest],
      responses: {
        "200": {
          description: `Rows; one row where the only filter is \`${resource.key}=eq.<value>\``,
          headers: {
            "Content-Range": RowErrorResponses.header(
              "Which rows these are, and of how many where a count was asked for"
            )
          },
          content: { ...rows, ...csv }
        },
        "304": { description: "The row still has the ETag of If-None-Match" },
        "206": {
          description: "Some of the rows, where a count was asked for",
          headers: { "Content-Range": RowErrorResponses.header("Which rows these are, and of how many") },
          content: { ...rows, ...csv }
        },
        ...RowErrorResponses.byStatus(400, 404, 406, 412, 416)
      }
    }),
    post: operation("create", `Creates a ${name}, or several`, {
      parameters: ["Select", "Columns", "OnConflict", "Prefer", "IdempotencyKey"].map(parameter),
      requestBody: body(creates, create),
      responses: {
        "200": {
          description: "Nothing was created: the rows were there, and are changed",
          content: { ...one, ...csv }
        },
        "201": {
          description: "The row as it is stored, unless `return=minimal` is preferred",
          headers: { Location: RowErrorResponses.header("Where the row is") },
          content: { ...one, ...csv }
        },
        ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
      }
    }),
    put: operation("replace", `Creates the ${name} of a ${resource.key}, or replaces it`, {
      parameters: [named, ...["Select", "Prefer", "IfMatch", "IdempotencyKey"].map(parameter)],
      requestBody: body(
        { allOf: [creates, { type: "object", required: [resource.key], properties: { [resource.key]: text } }] },
        { ...create, [resource.key]: row[resource.key] }
      ),
      responses: {
        "200": { description: "The row, where it was asked for", content: { ...one, ...csv } },
        "201": { description: "The row, which is new, where it was asked for", content: { ...one, ...csv } },
        "204": { description: "It is done" },
        ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
      }
    }),
    patch: operation("update", `Changes a ${name}`, {
      parameters: [named, ...["Select", "Prefer", "IfMatch", "IdempotencyKey"].map(parameter)],
      requestBody: body(updates, change),
      responses: {
        "200": { description: "The changed row", content: { ...one, ...csv } },
        "204": { description: "It is changed, and `return=minimal` was preferred" },
        ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
      }
    }),
    delete: operation("delete", `Deletes a ${name}`, {
      parameters: [named, ...["Select", "Prefer", "IfMatch", "IdempotencyKey"].map(parameter)],
      responses: {
        "200": { description: "The deleted row, where it was asked for", content: { ...one, ...csv } },
        "204": { description: "It is deleted" },
        ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 422)
      }
    })
  }
}

/** The paths, and what they refer to. */
export const make = (rules: RuleSet) => ({
  paths: Object.fromEntries(Catalogue.resources.map((resource) => [`/${resource.resource}`, path(resource)])),
  components: { parameters, responses: RowErrorResponses.make(), schemas: RowSchemas.make(rules) },
  tags: Catalogue.resources.map(({ key, resource }) => ({
    name: resource,
    description: `Rows of \`${resource}\`, each named by its \`${key}\``
  }))
})
