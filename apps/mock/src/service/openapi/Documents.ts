/**
 * Serves the OpenAPI documents and the reference page.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type * as Exchange from "../../Exchange.ts"
import * as PreparedDocument from "../../rows/response/PreparedDocument.ts"
import type { Described } from "./OpenApiDocument.ts"
import type * as ReferencePage from "./ReferencePage.ts"
import * as Slices from "../../world/Slices.ts"

/** The handlers of a document by rule set. */
type Documents = { readonly [R in RuleSet]: Exchange.Handler }

const perRuleSet = (make: (rules: RuleSet) => Promise<PreparedDocument.Content>): Documents => ({
  contract: PreparedDocument.handler(() => make("contract")),
  public: PreparedDocument.handler(() => make("public"))
})

/** The OpenAPI document. Its modules are loaded on demand, so that the service starts faster. */
const describe = async (rules: RuleSet, described?: Describe) => {
  const OpenApiDocument = await import("./OpenApiDocument.ts")
  return Slices.runInBackground(OpenApiDocument.slices(rules, described?.(rules)))
}

/** The resources of a document, where they differ from those of the contract. */
export interface Describe {
  (rules: RuleSet): Described
}

/** The documents of a service. */
export interface Handlers {
  /** The handlers of `/openapi.json`. */
  readonly openApi: Documents
  /** The handlers of `/docs`, with links to the console and without. */
  readonly reference: { readonly withConsole: Documents; readonly withoutConsole: Documents }
}

const reference = (described: Describe | undefined, options: ReferencePage.Options): Documents =>
  perRuleSet(async (rules) => {
    const ReferencePage = await import("./ReferencePage.ts")
    return Slices.runInBackground(ReferencePage.slices(await describe(rules, described), options))
  })

/** The documents of a service whose resources differ from those of the contract. */
export const make = (described?: Describe): Handlers => ({
  openApi: perRuleSet(async (rules) => ({
    body: JSON.stringify(await describe(rules, described)),
    headers: { "Content-Type": "application/json" }
  })),
  reference: {
    withConsole: reference(described, { hasConsole: true }),
    withoutConsole: reference(described, { hasConsole: false })
  }
})

/** The documents of the contract, which all services without facts share. */
export const contract: Handlers = make()

/** The path of the description of the operation interface. */
export const operationsPath = "/api/v1/openapi.json"

/** The handler of {@link operationsPath}. */
export const operations = PreparedDocument.handler(async () => {
  const OpenApiDocument = await import("./OpenApiDocument.ts")
  return { body: JSON.stringify(OpenApiDocument.operations()), headers: { "Content-Type": "application/json" } }
})
