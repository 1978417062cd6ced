/**
 * The service's description of itself: OpenAPI 3.1.1, made of the catalogue and the `AccountApi`.
 */
import * as OpenApi from "@effect/platform/OpenApi"
import { AccountApi } from "@mfgdata/client/AccountApi"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import type { Json } from "@mfgdata/domain/Json"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as OperationExamples from "./OperationExamples.ts"
import * as RowPaths from "./RowPaths.ts"
import type { Node } from "./RowSchemas.ts"

const description = `The manufacturing data service has two interfaces, and one kind of key for both.

**Rows**: a path for each resource, whose method lists, retrieves, creates, updates or deletes. Its address ends in
\`/rest\`; what PostgREST understands beyond this page is understood at \`/rest/v1\` as well.

**Operations**: a POST with a JSON object to \`/account/<operation>\`. Its address ends in \`/api/v1\`.

Every request carries \`Authorization: Bearer <key>\`.`

const withExample = (described: OpenApi.OpenApiSpecContent | undefined, example: Json): Node => ({
  ...described,
  "application/json": { ...described?.["application/json"], example }
})

/** What is answered with each status, with an instance of it. */
const responses = (
  described: OpenApi.OpenAPISpecResponses,
  { errorCodes }: (typeof Operations.all)[number],
  response: Json
): Node => {
  const codes = new Map(errorCodes.map((code) => [String(OperationError.statuses[code]), code]))
  return Object.fromEntries(
    Object.entries(described).map(([status, { content, ...rest }]) => {
      const code = codes.get(status)
      const example = code === undefined ? response : { ...OperationError.make(code, OperationError.meanings[code]) }
      return [status, { ...rest, content: withExample(content, example) }]
    })
  )
}

const operationPaths = (paths: OpenApi.OpenAPISpecPaths): Node =>
  Object.fromEntries(
    Operations.all.map((operation) => {
      const described = paths[operation.path]?.post
      // The table has an example under each name.
      const { request, response } = OperationExamples.examples[operation.name as Operations.Name]
      const post = described && {
        ...described,
        ...(operation.extension ? { description: "An extension: the contract does not list it." } : {}),
        requestBody: { required: true, content: withExample(described.requestBody?.content, request) },
        responses: responses(described.responses, operation, response)
      }
      return [operation.path, { post }]
    })
  )

/** The description under a rule set. */
export const make = (rules: RuleSet) => {
  const api = OpenApi.fromApi(AccountApi, { additionalPropertiesStrategy: "allow" })
  const rows = RowPaths.make(rules)
  return {
    openapi: api.openapi,
    info: { ...api.info, description, license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" } },
    servers: [{ url: "/api/v1", description: "The operation interface" }],
    tags: [...api.tags, ...rows.tags],
    paths: { ...operationPaths(api.paths), ...rows.paths },
    components: {
      securitySchemes: api.components.securitySchemes,
      parameters: rows.components.parameters,
      responses: rows.components.responses,
      schemas: { ...api.components.schemas, ...rows.components.schemas }
    }
  }
}
