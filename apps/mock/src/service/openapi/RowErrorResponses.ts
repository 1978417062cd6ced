/**
 * Generates the error responses of the row interface: one for each status, with an example.
 */
import type * as RowError from "../../rows/RowError.ts"
import { QueryStopped } from "../../store/QueryStopped.ts"
import * as RowErrorBody from "../../rows/RowErrorBody.ts"
import * as JsonSchema from "./JsonSchema.ts"

/** A response header with a text value. */
export const header = (description: string): JsonSchema.Node => ({ description, schema: { type: "string" } })

/** The description and an example of the error response of each status. */
const errors: ReadonlyArray<readonly [description: string, example: RowError.RowError]> = [
  [
    "The query, a column or a value of the body is not valid for the resource",
    { _tag: "BodyMalformed", reason: "The body is not JSON." }
  ],
  ["The API key is missing or not valid", { _tag: "KeyInvalid" }],
  [
    "The scopes of the API key do not allow the request",
    { _tag: "ScopeMissing", resource: "holiday", action: "create" }
  ],
  ["The row or the resource does not exist", { _tag: "RowAbsent" }],
  [
    "None of the accepted media types is available, or a single row was requested and the number of matching rows is not one",
    { _tag: "NotSingular", count: 2 }
  ],
  [
    "A referenced row does not exist, the row is still referenced, or a unique value already exists",
    {
      _tag: "ParentMissing",
      resource: "warehouseTransferLine",
      column: "transferId",
      parent: "warehouseTransfer",
      field: "id"
    }
  ],
  [
    "The history of the rows does not reach back to the time in Accept-Datetime, or is not kept",
    { _tag: "HistoryMissing", begins: "2026-11-20T10:00:00.000Z" }
  ],
  ["The precondition in If-Match or If-None-Match does not hold", { _tag: "PreconditionFailed" }],
  [
    "The body exceeds the maximum size, or the answer or the rows to write exceed a limit",
    { _tag: "BodyTooLarge", limit: 10_485_760 }
  ],
  [
    "The media type or the encoding of the body is not supported",
    { _tag: "ContentTypeRefused", contentType: "application/xml", hint: null }
  ],
  ["The requested range begins after the last row", { _tag: "RangeBeyond", offset: 100, total: 3 }],
  ["The Idempotency-Key was already used for a different request", { _tag: "IdempotencyKeyReused" }],
  [
    "The API key or its company has exceeded its rate limit",
    { _tag: "RateLimited", policy: "key", requests: 60, windowMillis: 60_000, secondsLeft: 30 }
  ],
  ["The service failed unexpectedly", { _tag: "Defect" }],
  ["The service is temporarily unavailable", { _tag: "Stopping" }],
  [
    "The query took longer than the statement timeout",
    new QueryStopped({ reason: { _tag: "Timeout", phase: "running", millis: 5000 } })
  ]
]

/** The headers of the error responses that have some, by status. */
const errorHeaders: { readonly [status: number]: JsonSchema.Node } = {
  401: { "WWW-Authenticate": header("The scheme Bearer, with the reason if the key is not valid") },
  429: {
    "Retry-After": header("Number of seconds to wait before a retry"),
    RateLimit: header(
      "For each policy, `key` and `company`: requests that remain in the window (`r`), and seconds until it resets (`t`)"
    ),
    "RateLimit-Policy": header(
      "For each policy: maximum number of requests (`q`), and the length of the window in seconds (`w`)"
    )
  },
  503: { "Retry-After": header("Number of seconds to wait before a retry") }
}

const errorResponse = (
  description: string,
  headers: JsonSchema.Node | undefined,
  example?: unknown
): JsonSchema.Node => ({
  description,
  ...(headers === undefined ? {} : { headers }),
  content: {
    "application/json": { schema: JsonSchema.reference("RowError"), ...(example === undefined ? {} : { example }) }
  }
})

const responseName = (status: number): string => `Row${status}`

/** The response of an error. */
export const of = (description: string, example: RowError.RowError): JsonSchema.Node => {
  const { body, status } = RowErrorBody.toResponse(example)
  return errorResponse(description, errorHeaders[status], JSON.parse(String(body)))
}

/** The error responses as components, by status and name. */
const responses = errors.map(([description, example]) => {
  const { status } = RowErrorBody.toResponse(example)
  return { status, name: responseName(status), response: of(description, example) }
})

/** References to the error responses of the given statuses, of those that every request can have, and of all others. */
export const byStatus = (...statuses: ReadonlyArray<number>): JsonSchema.Node =>
  Object.fromEntries([
    ...responses
      .filter(
        ({ status }) => statuses.includes(status) || status === 401 || status === 403 || status === 429 || status >= 500
      )
      .map(({ name, status }) => [String(status), { $ref: `#/components/responses/${name}` }]),
    ["default", { $ref: "#/components/responses/RowOtherError" }]
  ])

/** The error responses by name. */
export const make = (): JsonSchema.Node => ({
  RowOtherError: errorResponse("Another error", undefined),
  ...Object.fromEntries(responses.map(({ name, response }) => [name, response]))
})
