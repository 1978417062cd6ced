/**
 * What the service says of itself: the description for machines and the page for people. Both are made when they are
 * first asked for, and kept.
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

/** A text that changes with the program alone: who has it already is told so. */
const document = (body: string, headers: Exchange.Headers): Document => ({
  body,
  headers: { "Cache-Control": "no-cache", ETag: `"${hash("sha256", body).slice(0, 32)}"`, ...headers }
})

const answer = ({ body, headers }: Document, request: Exchange.Request): Exchange.Response =>
  request.headers["if-none-match"] === headers["ETag"]
    ? { status: 304, headers, body: "" }
    : { status: 200, headers, body }

/** Answers with a document that is made once. */
const lazily = (make: () => Promise<Document>): Exchange.Handler => {
  let made: Document | undefined
  return (request) =>
    made === undefined
      ? Effect.map(Effect.promise(make), (document) => answer((made = document), request))
      : Exit.succeed(answer(made, request))
}

/** A document under each rule set. */
type Documents = { readonly [R in RuleSet]: Exchange.Handler }

const perRuleSet = (make: (rules: RuleSet) => Promise<Document>): Documents => ({
  contract: lazily(() => make("contract")),
  public: lazily(() => make("public"))
})

/** `/openapi.json`. */
export const openApi = perRuleSet(async (rules) => {
  const OpenApiDocument = await import("./OpenApiDocument.ts")
  return document(JSON.stringify(OpenApiDocument.make(rules)), { "Content-Type": "application/json" })
})

/** `/docs`. */
export const reference = perRuleSet(async (rules) => {
  const [OpenApiDocument, ReferencePage] = await Promise.all([
    import("./OpenApiDocument.ts"),
    import("./ReferencePage.ts")
  ])
  const { body, headers } = ReferencePage.make(OpenApiDocument.make(rules))
  return document(body, headers)
})
