/**
 * What the operation interface answers when it refuses: the code decides the status, and `data` holds the facts.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { names } from "./internal/names.ts"
import * as Json from "./Json.ts"
import * as Shape from "./Shape.ts"
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

/** A known code. */
export type Known = keyof typeof statuses

/** A code: one of {@link statuses}, or another that a newer service may answer. */
export const Code = Vocabulary.make("operationErrorCode", names(statuses))
export type Code = typeof Code.Type

/** One thing wrong with a request, and where in its body. */
export class Issue extends Shape.make("OperationIssue", {
  path: Schema.Array(Schema.Union(Schema.String, Schema.Int)),
  message: Schema.String
}) {}

/** The body of a refusal. `defined` says whether the operation declares this error itself. */
export class OperationError extends Shape.make("OperationError", {
  defined: Schema.Boolean,
  code: Code,
  status: Schema.Int,
  message: Schema.String,
  data: Schema.optionalWith(Json.Json, { exact: true })
}) {}

/** The body for a known code, with the status that belongs to it. */
export const make = (code: Known, message: string, data?: Json.Json): OperationError => ({
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
