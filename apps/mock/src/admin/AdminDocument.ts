/**
 * Describes the administrator's interface as an OpenAPI document, from the declarations of its operations.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Arr from "effect/Array"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import * as AdminRequest from "./AdminRequest.ts"

/** An object of the document. */
interface Node {
  readonly [name: string]: unknown
}

/** The path of the document below the mount. */
export const path = "/openapi.json"

/** An object schema, of which some properties are parts of the path or of the query. */
interface ObjectSchema extends Node {
  readonly properties: { readonly [name: string]: Node }
  readonly required: ReadonlyArray<string>
}

/** A request without its file, which has no schema in JSON. */
const withoutFile = (schema: Schema.Schema.AnyNoContext): Schema.Schema.AnyNoContext =>
  // Every request with a file is a struct that has it.
  (schema as Schema.Schema<{ readonly file: unknown }>).pipe(Schema.omit("file"))

/** The words of a name: `Create world snapshot` for `createWorldSnapshot`. */
const summaryOf = (name: string): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const parameterNames = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => name)

const parameter = (place: "path" | "query", name: string, schema: Node, isRequired: boolean): Node => ({
  name,
  in: place,
  ...(isRequired ? { required: true } : {}),
  schema
})

const world = parameter(
  "query",
  "world",
  { type: "string", default: AdminApi.main, description: "The world that the operation acts on." },
  false
)

const binary: Node = { type: "string", format: "binary" }

const json = (schema: Node): Node => ({ "application/json": { schema } })

/** The operations that a client follows live if it accepts events. */
const followed: ReadonlySet<AdminApi.Name> = new Set(["listHistory", "listTraffic"])

const events: Node = { [AdminRequest.mediaType]: { schema: { type: "string" } } }

const build = (): Node => {
  const definitions: { [name: string]: JSONSchema.JsonSchema7 } = {}
  const toNode = (ast: AST.AST): Node => ({
    ...JSONSchema.fromAST(ast, {
      definitions,
      definitionPath: "#/components/schemas/",
      target: "openApi3.1",
      topLevelReferenceStrategy: "skip"
    })
  })
  /** The schema of a request, whose file is the body and no property. */
  const objectOf = (schema: Schema.Schema.AnyNoContext): ObjectSchema => {
    // Every request is a struct.
    const { properties = {}, required = [] } = toNode(schema.ast) as Partial<ObjectSchema>
    return { type: "object", properties, required }
  }

  /** The parts of one operation; the path and the query come before the body. */
  const partsOf = (name: AdminApi.Name) => {
    const { download, method, path, request, response, status, upload }: AdminApi.Operation = AdminApi.operations[name]
    const inPath = parameterNames(path)
    // A file has no schema.
    const { properties, required } = objectOf(upload === undefined ? request : withoutFile(request))
    const rest = Object.entries(properties).filter(([name]) => !inPath.includes(name))
    const isInQuery = method !== "POST" || upload !== undefined
    const parameters = [
      ...inPath.map((name) => parameter("path", name, properties[name] ?? { type: "string" }, true)),
      ...(isInQuery ? rest.map(([name, schema]) => parameter("query", name, schema, required.includes(name))) : []),
      ...(AdminApi.isOnWorlds(name) || inPath.includes("world") ? [] : [world])
    ]
    const body: Node =
      upload !== undefined
        ? { [upload]: { schema: binary } }
        : isInQuery
          ? {}
          : json({
              type: "object",
              properties: Object.fromEntries(rest),
              required: required.filter((name) => !inPath.includes(name)),
              additionalProperties: false
            })
    const content: Node | undefined =
      download !== undefined
        ? { [download]: { schema: binary } }
        : status === 204
          ? undefined
          : { ...json(toNode(response.ast)), ...(followed.has(name) ? events : {}) }
    return { method: method.toLowerCase(), path, parameters, body, status, content }
  }

  const described = AdminApi.names.map((name) => ({ name, ...partsOf(name) }))
  const pathOf = (path: string) => AdminApi.mount + path.replaceAll(/:(\w+)/g, "{$1}")
  const paths = Object.fromEntries(
    Object.entries(Arr.groupBy(described, ({ path }) => pathOf(path))).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(Arr.groupBy(operations, ({ method }) => method)).map(([method, same]) => {
          const [{ content, name, status }] = same
          const body = Object.assign({}, ...same.map(({ body }) => body)) as Node
          return [
            method,
            {
              operationId: name,
              summary: summaryOf(name),
              parameters: Arr.dedupeWith(
                same.flatMap(({ parameters }) => parameters),
                (one, other) => one["name"] === other["name"]
              ),
              ...(Object.keys(body).length === 0 ? {} : { requestBody: { content: body } }),
              responses: {
                [status]: { description: "Success", ...(content === undefined ? {} : { content }) },
                default: {
                  description: "A refusal, with a code and a sentence",
                  content: json({ $ref: "#/components/schemas/OperationError" })
                }
              }
            }
          ]
        })
      )
    ])
  )
  const error = toNode(OperationError.OperationError.ast)
  return {
    openapi: "3.1.1",
    info: { title: "Administration of the manufacturing data service", version: "1.0.0" },
    security: [{ administrator: [] }],
    paths,
    components: {
      securitySchemes: {
        administrator: { type: "http", scheme: "bearer", description: "The administrator's key of the service" }
      },
      schemas: { ...definitions, OperationError: error }
    }
  }
}

let document: string | undefined

/** The document as JSON, built at its first request. */
export const text = (): string => (document ??= JSON.stringify(build()))
