/**
 * Generates the OpenAPI paths of the row interface: one for each resource.
 */
import * as Right from "@mfgdata/domain/Right"
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as JsonSchema from "./JsonSchema.ts"
import * as RowErrorResponses from "./RowErrorResponses.ts"
import * as RowExamples from "./RowExamples.ts"
import * as RowParameters from "./RowParameters.ts"
import * as RowSchemas from "./RowSchemas.ts"

type Node = JsonSchema.Node

/** The path of the row interface. */
export const mount = "/rest"

const arrayType = "application/vnd.pgrst.array+json"
const objectType = "application/vnd.pgrst.object+json"

const header = RowErrorResponses.header

const range = {
  "Content-Range": header("The range of the returned rows, and the total if a count was requested"),
  "Mfg-Cost": header(
    "The cost of the request: inline or offloaded, the rows looked at if they are known, and milliseconds"
  )
}

const memento = {
  "Memento-Datetime": header("The time of the rows, in a response to a request with Accept-Datetime"),
  Warning: header("Secrets that are not kept were read as null, in a response to a request with Accept-Datetime")
}

const position = {
  "Mfg-Position": header(
    "The position of the write or of the replica that was read, on a service with replicas: a read that sends it sees this write"
  )
}

const etag = { ETag: header("The version of the row, if the response is one row") }

const written = {
  ...etag,
  ...position,
  "Preference-Applied": header("The preferences that had an effect, such as `return=representation`")
}

const example = (name: string): Node => ({ $ref: `#/components/examples/${name}` })

const several = (schema: Node): Node => ({ type: "array", items: schema })

/** The contents of a response with rows. Generators take the type of the first one. */
const responseContents = (resource: Resource.Any) => {
  const names = RowExamples.namesOf(resource)
  const row = JsonSchema.reference(RowSchemas.namesOf(resource).selected)
  const [one, many] = [{ row: example(names.row) }, { rows: example(names.rows) }]
  const array = { [arrayType]: { schema: several(row), examples: many } }
  const object = { [objectType]: { schema: row, examples: one } }
  const csv = { "text/csv": { schema: { type: "string" }, examples: { csv: example(names.csv) } } }
  const json = (examples: Node) => ({ "application/json": { schema: { anyOf: [several(row), row] }, examples } })
  return {
    rows: { ...array, ...json({ ...many, ...one }), ...object, ...csv },
    row: { ...object, ...json(one), ...array, ...csv }
  }
}

/** A request body as JSON, as CSV and as a form. */
const requestBody = (one: Node, body: Node, form: Node, csv?: Node): Node => ({
  required: true,
  content: {
    "application/json": { schema: body, examples: { row: one } },
    "text/csv": { schema: { type: "string" }, ...(csv && { examples: { csv } }) },
    "application/x-www-form-urlencoded": { schema: form }
  }
})

const bodiless = "no body with `Prefer: return=minimal`, `return=headers-only` or in PostgREST's shape"

const unique = (key: string) => `\`${key}=eq.<value>\``

const path = (resource: Resource.Any): Node => {
  const { key, resource: name } = resource
  const names = RowSchemas.namesOf(resource)
  const examples = RowExamples.namesOf(resource)
  const creates = JsonSchema.reference(names.create)
  const updates = JsonSchema.reference(names.update)
  // The filter is enough for a key that a new row requires; the one such resource has no other required column.
  const replaces = resource.writes[key] === "required" ? updates : creates
  const { row, rows } = responseContents(resource)
  const { byKey, filters, ofAll, own } = RowParameters
  const writes = ([status, description]: readonly [status: number, description: string], headers: Node = written) => ({
    [status]: { description, headers, content: row }
  })
  const operation = (verb: string, use: Right.Use, summary: string, description: string, rest: Node): Node => ({
    operationId: `${name}.${verb}`,
    summary,
    description,
    tags: [name],
    security: [{ bearerAuth: Right.rows[use].actions.map((action) => `${name}:${action}`) }],
    ...rest
  })
  const page = [own(resource, "order"), ofAll("Limit"), ofAll("Offset")]
  const options = [own(resource, "select"), ofAll("PreferWrite"), ofAll("IdempotencyKey")]

  return {
    get: operation(
      "list",
      "read",
      `Lists rows of ${name}, or retrieves one row by its ${key}`,
      `Returns an array of rows; each column is a filter. With ${unique(key)} as the only filter, and without \`order\`, \`limit\` and \`offset\`, returns that row as an object. \`Accept: ${arrayType}\` always returns an array, and \`Accept: ${objectType}\` one object.`,
      {
        parameters: [
          own(resource, "select"),
          ...page,
          ...(["Range", "PreferRead", "IfNoneMatch", "AcceptDatetime", "Position"] as const).map(ofAll),
          ...filters(resource)
        ],
        responses: {
          "200": {
            description: `The rows; a single object if the only filter is ${unique(key)}`,
            headers: { ...range, ...etag, ...memento, ...position },
            content: rows
          },
          "206": { description: "A part of the rows, if a count was requested", headers: range, content: rows },
          "304": { description: "The row still has the ETag in If-None-Match" },
          ...RowErrorResponses.byStatus(400, 404, 406, 410, 412, 413, 416)
        }
      }
    ),
    post: operation(
      "create",
      "create",
      `Creates one or more rows of ${name}`,
      "Returns the created row; an array for an array. All rows are created, or none. With `Prefer: resolution=merge-duplicates` or `ignore-duplicates`, existing rows are updated or kept.",
      {
        parameters: [...options, own(resource, "columns"), own(resource, "on_conflict")],
        requestBody: requestBody(
          example(examples.create),
          { anyOf: [creates, several(creates)] },
          creates,
          example(examples.createCsv)
        ),
        responses: {
          ...writes([
            200,
            `The rows already existed and were updated (\`Prefer: resolution=merge-duplicates\`); ${bodiless}`
          ]),
          ...writes([201, `The created rows; ${bodiless}`], { ...written, Location: header("URL of the created row") }),
          ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
        }
      }
    ),
    put: operation(
      "replace",
      "merge",
      `Creates or replaces the row of ${name} with a ${key}`,
      `Sets every column of the row: those that the body omits get their default. A ${key} in the body is the one of the filter.`,
      {
        parameters: [byKey(resource), ...options, ofAll("IfMatch")],
        requestBody: requestBody(example(examples.replace), replaces, replaces),
        responses: {
          ...writes([200, "The replaced row, with `Prefer: return=representation`"]),
          ...writes([201, "The created row, with `Prefer: return=representation`"]),
          "204": { description: "The row was created or replaced" },
          ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
        }
      }
    ),
    patch: operation(
      "update",
      "update",
      `Updates rows of ${name}`,
      `Changes the columns in the body and keeps the others. A filter is required: with ${unique(key)} as the only one, returns the updated row, otherwise an array.`,
      {
        parameters: [...filters(resource), ...page, ...options, ofAll("IfMatch")],
        requestBody: requestBody(example(examples.update), updates, updates),
        responses: {
          ...writes([200, "The updated rows"]),
          "204": { description: "The rows were updated (`Prefer: return=minimal`)" },
          ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 415, 422)
        }
      }
    ),
    delete: operation(
      "delete",
      "delete",
      `Deletes rows of ${name}`,
      `A filter is required. With ${unique(key)} as the only one, the response is 204; otherwise \`Prefer: return=representation\` returns the deleted rows.`,
      {
        parameters: [...filters(resource), ...page, ...options, ofAll("IfMatch")],
        responses: {
          ...writes([200, "The deleted rows, with `Prefer: return=representation`"]),
          "204": { description: "The rows were deleted" },
          ...RowErrorResponses.byStatus(400, 404, 406, 409, 412, 413, 422)
        }
      }
    )
  }
}

/** The paths, with the components that they reference, in slices. */
export const slices = function* (rules: RuleSet, resources: ReadonlyArray<Resource.Any>) {
  const paths: { [path: string]: Node } = {}
  for (const resource of resources) {
    paths[`${mount}/${resource.resource}`] = path(resource)
    yield
  }
  const parameters = RowParameters.make(resources)
  yield
  const examples = RowExamples.components(resources)
  yield
  const schemas = yield* RowSchemas.slices(rules, resources)
  return {
    paths,
    components: { parameters, responses: RowErrorResponses.make(), examples, schemas },
    tags: resources.map(({ key, resource }) => ({
      name: resource,
      description: `Rows of \`${resource}\`, identified by \`${key}\``
    }))
  }
}
