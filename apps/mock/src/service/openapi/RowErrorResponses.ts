/**
 * What the row interface refuses, as OpenAPI says it: one response for each status, with an instance as its example.
 */
import type * as RowError from "../../rows/RowError.ts"
import * as RowErrorBody from "../../rows/RowErrorBody.ts"
import * as RowSchemas from "./RowSchemas.ts"

/** A header of text. */
export const header = (description: string): RowSchemas.Node => ({ description, schema: { type: "string" } })

/** Everything that the row interface refuses, by one instance of each status. */
const refusals: ReadonlyArray<readonly [description: string, instance: RowError.RowError]> = [
  [
    "A value, a column, a query or the body is not what the resource takes",
    { _tag: "BodyMalformed", reason: "The body is not JSON." }
  ],
  ["There is no API key, or it is not valid", { _tag: "KeyInvalid" }],
  ["The API key does not allow this", { _tag: "ScopeMissing", resource: "holiday", action: "create" }],
  ["There is no such row, resource or operator", { _tag: "RowAbsent" }],
  [
    "No accepted media type is available, or more rows than the one that was asked for",
    { _tag: "NotSingular", count: 2 }
  ],
  [
    "A referenced row is missing, the row is still referenced, or a unique value is taken",
    {
      _tag: "ParentMissing",
      resource: "warehouseTransferLine",
      column: "transferId",
      parent: "warehouseTransfer",
      field: "id"
    }
  ],
  ["The row is not in the state that If-Match or If-None-Match expects", { _tag: "PreconditionFailed" }],
  ["The body is too large", { _tag: "BodyTooLarge", limit: 10_485_760 }],
  [
    "The body has a media type that is not taken",
    { _tag: "ContentTypeRefused", contentType: "application/xml", hint: null }
  ],
  ["The range begins beyond the last row", { _tag: "RangeBeyond", offset: 100, total: 3 }],
  ["The Idempotency-Key was used for another request", { _tag: "IdempotencyKeyReused" }],
  ["The API key has asked too often", { _tag: "RateLimited", secondsLeft: 30 }],
  ["The service failed", { _tag: "Defect" }],
  ["The service cannot answer now", { _tag: "Stopping" }]
]

/** What stands in the headers of refusals of a status. */
const refusalHeaders: { readonly [status: number]: RowSchemas.Node } = {
  401: { "WWW-Authenticate": header("Bearer, and why a key was refused") },
  429: {
    "Retry-After": header("Seconds after which to ask again"),
    RateLimit: header("What is left of the quota, and for how many seconds"),
    "RateLimit-Policy": header("The quota: so many requests in so many seconds")
  },
  503: { "Retry-After": header("Seconds after which to ask again") }
}

const refusal = (description: string, headers: RowSchemas.Node | undefined, example?: unknown): RowSchemas.Node => ({
  description,
  ...(headers === undefined ? {} : { headers }),
  content: {
    "application/json": { schema: RowSchemas.reference("RowError"), ...(example === undefined ? {} : { example }) }
  }
})

const responseName = (status: number): string => `Row${status}`

/** The refusals as components, and by their statuses. */
const refused = refusals.map(([description, instance]) => {
  const { body, status } = RowErrorBody.toResponse(instance)
  const response = refusal(description, refusalHeaders[status], JSON.parse(String(body)))
  return { status, name: responseName(status), response }
})

/** The answers of some statuses, of those that any call may have, and of the rest. */
export const byStatus = (...statuses: ReadonlyArray<number>): RowSchemas.Node =>
  Object.fromEntries([
    ...refused
      .filter(
        ({ status }) => statuses.includes(status) || status === 401 || status === 403 || status === 429 || status >= 500
      )
      .map(({ name, status }) => [String(status), { $ref: `#/components/responses/${name}` }]),
    ["default", { $ref: "#/components/responses/RowRefused" }]
  ])

/** The responses by their names. */
export const make = (): RowSchemas.Node => ({
  RowRefused: refusal("Another refusal", undefined),
  ...Object.fromEntries(refused.map(({ name, response }) => [name, response]))
})
