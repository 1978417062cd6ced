/**
 * Generates the OpenAPI 3.1.1 document of the service from the catalogue of resources and from `AccountApi`.
 */
import * as OpenApi from "@effect/platform/OpenApi"
import { AccountApi } from "@mfgdata/client/AccountApi"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Fact } from "@mfgdata/domain/Fact"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Right from "@mfgdata/domain/Right"
import type { Json } from "@mfgdata/domain/Json"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Slices from "../../world/Slices.ts"
import * as Limits from "../Limits.ts"
import * as JsonSchema from "./JsonSchema.ts"
import * as OperationExamples from "./OperationExamples.ts"
import * as RowEvents from "./RowEvents.ts"
import * as RowPaths from "./RowPaths.ts"

type Node = JsonSchema.Node

/** The path of the operation interface. */
export const operationMount = "/api/v1"

const description = `The manufacturing data service has two interfaces, which use the same API keys.

**Rows**: one path for each resource under \`/rest\`. GET lists or retrieves rows, POST creates them, PUT replaces one,
PATCH updates one, and DELETE deletes one. The same paths under \`/rest/v1\` also accept the query syntax of PostgREST
that this page does not describe. A cast in \`select\`, such as \`year::text\`, and an alias that is the name of
another column change the type of a field; the schemas do not describe that.

**Operations**: one path for each operation under \`/api/v1\`. Send a POST request with a JSON object to
\`/account/<operation>\`.

**Authentication**: send your API key with every request, in the header \`Authorization: Bearer <key>\`.

**Scopes**: an API key has scopes, such as \`holiday:read\`. A request without a required scope gets a 403.

${Right.markdown}

**Errors**: a response with a status of 400 or more has a JSON body with a stable \`code\` and a \`message\`.

**Limits**: a request or a response past a limit is refused, and the refusal names the limit and a request to send
instead. \`x-limits\` in \`/openapi.json\` lists every limit with its value, or the default of the flag that sets it.`

const operationsDescription = `The operations of the manufacturing data service: send a POST request with a JSON object to
\`/account/<operation>\`, with your API key in the header \`Authorization: Bearer <key>\`. \`/openapi.json\` describes the
whole service, with its rows.`

/** The limits as they are described, one object each. */
const limits = Object.entries(Limits.groups).flatMap(([group, limits]) =>
  limits.map(({ flag, instead, refusal, subject, value }) => ({
    group,
    limit: subject,
    value,
    ...(flag !== undefined && { flag }),
    ...(refusal && { status: refusal[0], code: refusal[1] }),
    instead
  }))
)

/** Responses and requests of operations have inline schemas too. */
const withExample = (content: OpenApi.OpenApiSpecContent | undefined, example: Json): Node => {
  const media = content?.["application/json"]
  return { "application/json": { ...media, schema: JsonSchema.simplify({ ...media?.schema }), example } }
}

/** The responses of an operation by status, with an example of each. */
const responses = (
  specified: OpenApi.OpenAPISpecResponses,
  { errorCodes }: (typeof Operations.all)[number],
  response: Json
): Node => {
  const codes = new Map(errorCodes.map((code) => [String(OperationError.statuses[code]), code]))
  return Object.fromEntries(
    Object.entries(specified).map(([status, { content, ...rest }]) => {
      const code = codes.get(status)
      const example = code === undefined ? response : { ...OperationError.make(code, OperationError.meanings[code]) }
      return [status, { ...rest, content: withExample(content, example) }]
    })
  )
}

const scopeOf = ({ scope }: (typeof Operations.all)[number]): string =>
  scope === undefined ? "Any valid API key may send it." : `Requires the scope \`${scope}\`.`

const descriptionOf = (operation: (typeof Operations.all)[number]): string => {
  const parameters = Object.keys(operation.parameters)
  const body =
    parameters.length === 0
      ? "The body is an empty object."
      : `The body has ${parameters.map((name) => `\`${name}\``).join(", ")}.`
  const extension = operation.extension
    ? " An extension of this service: other implementations of the contract may not have it."
    : ""
  return `${body} ${scopeOf(operation)}${extension}`
}

/** The paths of the operations below a mount. */
const operationPaths = (mount: string, paths: OpenApi.OpenAPISpecPaths): Node =>
  Object.fromEntries(
    Operations.all.map((operation) => {
      const generated = paths[operation.path]?.post
      // The table has an example under each name.
      const { request, response } = OperationExamples.examples[operation.name as Operations.Name]
      const post = generated && {
        ...generated,
        description: descriptionOf(operation),
        security: [{ bearerAuth: operation.scope === undefined ? [] : [operation.scope] }],
        requestBody: { required: true, content: withExample(generated.requestBody?.content, request) },
        responses: responses(generated.responses, operation, response)
      }
      return [`${mount}${operation.path}`, { post }]
    })
  )

const infoOf = (info: OpenApi.OpenAPISpecInfo, description: string) => ({
  ...info,
  description,
  contact: { name: "Maintainers of mfgdata" },
  license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" }
})

const specified = () => {
  const api = OpenApi.fromApi(AccountApi, { additionalPropertiesStrategy: "allow" })
  return { ...api, schemas: JsonSchema.simplifyAll({ ...api.components.schemas }) }
}

/** The document of the operation interface alone. */
export const operations = () => {
  const { components, info, openapi, paths, schemas, tags } = specified()
  return {
    openapi,
    info: infoOf(info, operationsDescription),
    servers: [{ url: operationMount, description: "Operation interface" }],
    tags,
    paths: operationPaths("", paths),
    components: { securitySchemes: components.securitySchemes, schemas }
  }
}

/** The resources that a document describes, and the facts that made them differ from the contract. */
export interface Described {
  readonly resources: ReadonlyArray<Resource.Any>
  readonly facts?: ReadonlyArray<Fact>
}

/** The document of a rule set, in slices. */
export const slices = function* (rules: RuleSet, { facts, resources }: Described = Catalogue) {
  const { components, info, openapi, paths, schemas, tags } = specified()
  yield
  const rows = yield* RowPaths.slices(rules, resources)
  yield
  const events = yield* RowEvents.slices(resources)
  return {
    openapi,
    info: infoOf(info, description),
    "x-limits": limits,
    ...(facts === undefined ? {} : { "x-facts": facts }),
    servers: [{ url: "/", description: "This service" }],
    tags: [...tags, ...rows.tags],
    paths: { ...operationPaths(operationMount, paths), ...rows.paths, ...events.paths },
    webhooks: events.webhooks,
    components: {
      ...rows.components,
      securitySchemes: components.securitySchemes,
      schemas: { ...schemas, ...rows.components.schemas, ...events.schemas }
    }
  }
}

/** The document of a rule set. */
export const make = (rules: RuleSet) => Slices.run(slices(rules))
