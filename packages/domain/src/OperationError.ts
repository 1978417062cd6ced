/**
 * The body of an error response of the operation interface: its code decides the status, and `data` holds the facts.
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

/** The meaning of each code. */
export const meanings = {
  BAD_REQUEST: "The body is missing, is not JSON, or has invalid parameters; `data` lists the issues",
  UNAUTHORIZED: "The API key is missing or not valid",
  FORBIDDEN: "The API key does not allow this",
  NOT_FOUND: "The object does not exist, or the caller may not see it",
  METHOD_NOT_ALLOWED: "The method is not POST",
  NOT_ACCEPTABLE: "None of the accepted media types is available",
  TIMEOUT: "The request took too long to arrive",
  CONFLICT: "The request conflicts with the state of the service",
  PRECONDITION_FAILED: "A precondition of the request does not hold",
  PAYLOAD_TOO_LARGE: "The body is too large",
  UNSUPPORTED_MEDIA_TYPE: "The body's media type is not JSON",
  UNPROCESSABLE_CONTENT: "The request is well-formed, but cannot be processed",
  TOO_MANY_REQUESTS: "The API key has sent too many requests",
  CLIENT_CLOSED_REQUEST: "The caller closed the connection before the response",
  INTERNAL_SERVER_ERROR: "The service failed",
  NOT_IMPLEMENTED: "The service does not support this",
  BAD_GATEWAY: "A proxy could not reach the service",
  SERVICE_UNAVAILABLE: "The service is not available",
  GATEWAY_TIMEOUT: "The service did not respond in time"
} as const satisfies { readonly [K in keyof typeof statuses]: string }

/** A known code. */
export type KnownCode = keyof typeof statuses

/** A code: one of {@link statuses}, or another one of a newer service. */
export const Code = Vocabulary.make("operationErrorCode", codes)
export type Code = typeof Code.Type

/** An invalid value in the body of a request, and its path. */
export class Issue extends StructClass.make("OperationIssue", {
  path: Schema.Array(Schema.Union(Schema.String, Schema.Int)),
  message: Schema.String
}) {}

/** The body of an error response. `defined` is true for errors that the operation declares itself. */
export class OperationError extends StructClass.make("OperationError", {
  defined: Schema.Boolean,
  code: Code,
  status: Schema.Int,
  message: Schema.String,
  data: Schema.optionalWith(Json.Json, { exact: true })
}) {}

/** The body with a known code. */
export interface KnownError<K extends KnownCode> extends OperationError {
  readonly code: K
  readonly status: (typeof statuses)[K]
}

/** Makes the body of a known code, with its status. */
export const make = <const K extends KnownCode>(code: K, message: string, data?: Json.Json): KnownError<K> => ({
  defined: false,
  code,
  status: statuses[code],
  message,
  ...(data === undefined ? {} : { data })
})

const decodeIssues = Schema.decodeUnknownOption(Schema.Struct({ issues: Schema.Array(Issue) }))

/** The issues of a `BAD_REQUEST`; empty where the error has none. */
export const issues = (error: OperationError): ReadonlyArray<Issue> =>
  decodeIssues(error.data).pipe(
    Option.map(({ issues }) => issues),
    Option.getOrElse(() => [])
  )
