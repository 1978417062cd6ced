/**
 * Serves the OpenAPI document and the reference page. Each is generated on the first request for it, and cached.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { hash } from "node:crypto"
import type * as Exchange from "../../Exchange.ts"

interface Document {
  readonly body: string
  readonly headers: Exchange.Headers
}

/** A document with an ETag, so that a client with the current version receives 304. */
const document = (body: string, headers: Exchange.Headers): Document => ({
  body,
  headers: { "Cache-Control": "no-cache", ETag: `"${hash("sha256", body).slice(0, 32)}"`, ...headers }
})

const respond = ({ body, headers }: Document, request: Exchange.Request): Exchange.Response =>
  request.headers["if-none-match"] === headers["ETag"]
    ? { status: 304, headers, body: "" }
    : { status: 200, headers, body }

/** Responds with a document that is generated once. */
const lazyHandler = (make: () => Promise<Document>): Exchange.Handler => {
  let cached: Document | undefined
  return (request) =>
    cached === undefined
      ? Effect.map(Effect.promise(make), (document) => respond((cached = document), request))
      : Exit.succeed(respond(cached, request))
}

/** The handlers of a document by rule set. */
type Documents = { readonly [R in RuleSet]: Exchange.Handler }

const perRuleSet = (make: (rules: RuleSet) => Promise<Document>): Documents => ({
  contract: lazyHandler(() => make("contract")),
  public: lazyHandler(() => make("public"))
})

/** The handlers of `/openapi.json`. */
export const openApi = perRuleSet(async (rules) => {
  const OpenApiDocument = await import("./OpenApiDocument.ts")
  return document(JSON.stringify(OpenApiDocument.make(rules)), { "Content-Type": "application/json" })
})

/** The handlers of `/docs`. */
export const reference = perRuleSet(async (rules) => {
  const [OpenApiDocument, ReferencePage] = await Promise.all([
    import("./OpenApiDocument.ts"),
    import("./ReferencePage.ts")
  ])
  const { body, headers } = ReferencePage.make(OpenApiDocument.make(rules))
  return document(body, headers)
})
