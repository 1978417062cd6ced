/**
 * Serves the OpenAPI documents and the reference page.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type * as Exchange from "../../Exchange.ts"
import * as PreparedDocument from "../../rows/response/PreparedDocument.ts"
import * as Slices from "../../world/Slices.ts"

/** The handlers of a document by rule set. */
type Documents = { readonly [R in RuleSet]: Exchange.Handler }

const perRuleSet = (make: (rules: RuleSet) => Promise<PreparedDocument.Content>): Documents => ({
  contract: PreparedDocument.handler(() => make("contract")),
  public: PreparedDocument.handler(() => make("public"))
})

/** The OpenAPI document. Its modules are loaded on demand, so that the service starts faster. */
const describe = async (rules: RuleSet) => {
  const OpenApiDocument = await import("./OpenApiDocument.ts")
  return Slices.runInBackground(OpenApiDocument.slices(rules))
}

/** The handlers of `/openapi.json`. */
export const openApi = perRuleSet(async (rules) => ({
  body: JSON.stringify(await describe(rules)),
  headers: { "Content-Type": "application/json" }
}))

/** The path of the description of the operation interface. */
export const operationsPath = "/api/v1/openapi.json"

/** The handler of {@link operationsPath}. */
export const operations = PreparedDocument.handler(async () => {
  const OpenApiDocument = await import("./OpenApiDocument.ts")
  return { body: JSON.stringify(OpenApiDocument.operations()), headers: { "Content-Type": "application/json" } }
})

/** The handlers of `/docs`. */
export const reference = perRuleSet(async (rules) => {
  const ReferencePage = await import("./ReferencePage.ts")
  return Slices.runInBackground(ReferencePage.slices(await describe(rules)))
})
