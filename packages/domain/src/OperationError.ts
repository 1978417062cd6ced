/**
 * What the operation interface answers when it refuses: the code decides the status, and `data` holds the facts.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { names } from "./internal/names.ts"
import * as Json from "./Json.ts"
import * as StructClass from "./StructClass.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** The known codes, each with its HTTP status. */
export const statuses = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  TOO_MANY_REQUESTS: 429,
  CLIENT_CLOSED_REQUEST: 499,
  INTERNAL_SERVER_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504
} as const satisfies { readonly [code: string]: number }

/** All known codes. */
export const codes = names(statuses)

/** What each code says. */
export const meanings = {
  BAD_REQUEST: "The body is missing, is not JSON, or is not what the operation takes; the data name each issue",
  UNAUTHORIZED: "There is no API key, or it is not valid",
  FORBIDDEN: "The API key does not allow this",
  NOT_FOUND: "There is no such thing that the caller may see",
  METHOD_NOT_ALLOWED: "An operation is a POST",
  NOT_ACCEPTABLE: "None of the accepted media types is available",
  TIMEOUT: "The request took too long to arrive",
  CONFLICT: "Something else stands in the way",
  PRECONDITION_FAILED: "What the request is conditional on does not hold",
  PAYLOAD_TOO_LARGE: "The body is too large",
  UNSUPPORTED_MEDIA_TYPE: "The body's media type is not JSON",
  UNPROCESSABLE_CONTENT: "The request is understood and cannot be carried out",
  TOO_MANY_REQUESTS: "The API key has asked too often",
  CLIENT_CLOSED_REQUEST: "The caller left before the answer",
  INTERNAL_SERVER_ERROR: "The service failed",
  NOT_IMPLEMENTED: "The service does not do this",
  BAD_GATEWAY: "What stands before the service could not reach it",
  SERVICE_UNAVAILABLE: "The service cannot answer now",
  GATEWAY_TIMEOUT: "The service did not answer in time"
} as const satisfies { readonly [K in keyof typeof statuses]: string }

/** A known code. */
export type Known = keyof typeof statuses

/** A code: one of {@link statuses}, or another that a newer service may answer. */
export const Code = Vocabulary.make("operationErrorCode", codes)
export type Code = typeof Code.Type

/** One thing wrong with a request, and where in its body. */
export class Issue extends StructClass.make("OperationIssue", {
  path: Schema.Array(Schema.Union(Schema.String, Schema.Int)),
  message: Schema.String
}) {}

/** The body of a refusal. `defined` says whether the operation declares this error itself. */
export class OperationError extends StructClass.make("OperationError", {
  defined: Schema.Boolean,
  code: Code,
  status: Schema.Int,
  message: Schema.String,
  data: Schema.optionalWith(Json.Json, { exact: true })
}) {}

/** The body for a known code. */
export interface Refusal<K extends Known> extends OperationError {
  readonly code: K
  readonly status: (typeof statuses)[K]
}

/** The body for a known code, with the status that belongs to it. */
export const make = <const K extends Known>(code: K, message: string, data?: Json.Json): Refusal<K> => ({
  defined: false,
  code,
  status: statuses[code],
  message,
  ...(data === undefined ? {} : { data })
})

const decodeIssues = Schema.decodeUnknownOption(Schema.Struct({ issues: Schema.Array(Issue) }))

/** What a `BAD_REQUEST` finds wrong, or nothing when the error does not say. */
export const issues = (error: OperationError): ReadonlyArray<Issue> =>
  decodeIssues(error.data).pipe(
    Option.map(({ issues }) => issues),
    Option.getOrElse(() => [])
  )
