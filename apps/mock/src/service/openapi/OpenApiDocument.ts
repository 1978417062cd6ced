/**
 * Generates the OpenAPI 3.1.1 document of the service from the catalogue of resources and from `AccountApi`.
 */
import * as OpenApi from "@effect/platform/OpenApi"
import { AccountApi } from "@mfgdata/client/AccountApi"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import * as Right from "@mfgdata/domain/Right"
import type { Json } from "@mfgdata/domain/Json"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Slices from "../../world/Slices.ts"
import * as Limits from "../Limits.ts"
import * as OperationExamples from "./OperationExamples.ts"
import * as RowPaths from "./RowPaths.ts"
import type { Node } from "./RowSchemas.ts"

const description = `The manufacturing data service has two interfaces, which use the same API keys.

**Rows**: one path for each resource under \`/rest\`. GET lists or retrieves rows, POST creates them, PUT replaces one,
PATCH updates one, and DELETE deletes one. The same paths under \`/rest/v1\` also accept the query syntax of PostgREST
that this page does not describe.

**Operations**: one path for each operation under \`/api/v1\`. Send a POST request with a JSON object to
\`/account/<operation>\`.

**Authentication**: send your API key with every request, in the header \`Authorization: Bearer <key>\`.

**Scopes**: an API key has scopes, such as \`holiday:read\`. A request without a required scope gets a 403.

${Right.markdown}

**Errors**: a response with a status of 400 or more has a JSON body with a stable \`code\` and a \`message\`.

**Limits**: a request or a response past a limit is refused, and the refusal names the limit and a request to send
instead. \`x-limits\` in \`/openapi.json\` lists every limit with its value, or the default of the flag that sets it.`

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

const withExample = (content: OpenApi.OpenApiSpecContent | undefined, example: Json): Node => ({
  ...content,
  "application/json": { ...content?.["application/json"], example }
})

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

const operationPaths = (paths: OpenApi.OpenAPISpecPaths): Node =>
  Object.fromEntries(
    Operations.all.map((operation) => {
      const generated = paths[operation.path]?.post
      // The table has an example under each name.
      const { request, response } = OperationExamples.examples[operation.name as Operations.Name]
      const post = generated && {
        ...generated,
        ...(operation.extension
          ? { description: "An extension of this service: other implementations of the contract may not have it." }
          : {}),
        security: [{ bearerAuth: operation.scope === undefined ? [] : [operation.scope] }],
        requestBody: { required: true, content: withExample(generated.requestBody?.content, request) },
        responses: responses(generated.responses, operation, response)
      }
      return [operation.path, { post }]
    })
  )

/** The document of a rule set, in slices. */
export const slices = function* (rules: RuleSet) {
  const api = OpenApi.fromApi(AccountApi, { additionalPropertiesStrategy: "allow" })
  yield
  const rows = yield* RowPaths.slices(rules)
  return {
    openapi: api.openapi,
    info: { ...api.info, description, license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" } },
    "x-limits": limits,
    servers: [{ url: "/api/v1", description: "Operation interface" }],
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

/** The document of a rule set. */
export const make = (rules: RuleSet) => Slices.run(slices(rules))
