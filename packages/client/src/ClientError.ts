/**
 * The errors of the client. Messages are computed from their fields; no error holds the API key, the contents of a row,
 * or the body of a response.
 * One file, because the unions of the methods list the errors.
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import type * as OperationError from "@mfgdata/domain/OperationError"
import type { DecodeError } from "@mfgdata/domain/DecodeError"

const because = (detail: string, code: string | undefined): string =>
  code === undefined ? detail : `${detail} (${code})`

const hinted = (detail: string, hint: string | undefined): string =>
  hint === undefined ? detail : `${detail}; ${hint}`

/** The facts of errors that come from a response. */
export interface OfResponse {
  /** The identifier by which the operator of the service finds the request in its log. */
  readonly requestId?: string | undefined
}

/** An option of the client with an invalid value: a mistake of the program, which is a defect of an effect. */
export class OptionInvalid
  extends /* @__PURE__ */ Data.TaggedError("OptionInvalid")<{
    /** The option, such as `timeout` or `headers.accept`. */
    readonly option: string
    readonly expected: string
    /** The value; absent where it may be a secret. */
    readonly got: string | undefined
  }>
{
  override get message(): string {
    const { expected, got, option } = this
    return `${option}: expected ${expected}${got === undefined ? "" : `, got ${got}`}`
  }
}

/** The API key is missing, unknown, revoked or expired. */
export class Unauthorized
  extends /* @__PURE__ */ Data.TaggedError("Unauthorized")<
    {
      /** The resource or operation of the request. */
      readonly subject: string
      readonly code: string | undefined
      readonly detail: string
    } & OfResponse
  >
{
  override get message(): string {
    return `The service rejected the API key: ${because(this.detail, this.code)}`
  }
}

/** The API key is valid, but its permissions or the quota of its company do not allow the request. */
export class Forbidden
  extends /* @__PURE__ */ Data.TaggedError("Forbidden")<
    {
      readonly subject: string
      readonly code: string | undefined
      readonly detail: string
      readonly hint: string | undefined
    } & OfResponse
  >
{
  override get message(): string {
    const subject = this.code === "53400" ? "quota of the company" : "API key"
    return `The ${subject} does not allow this request for ${this.subject}: ${hinted(because(this.detail, this.code), this.hint)}`
  }
}

/** Too many requests, also after the retries. */
export class RateLimited
  extends /* @__PURE__ */ Data.TaggedError("RateLimited")<
    {
      readonly subject: string
      /** The time to wait before the next request, where the service names one. */
      readonly retryAfter: Duration.Duration | undefined
    } & OfResponse
  >
{
  override get message(): string {
    const { retryAfter, subject } = this
    const when = retryAfter === undefined ? "later" : `in ${Duration.format(retryAfter)}`
    return `Too many requests for ${subject}: retry ${when}`
  }
}

/** The service, or a proxy in front of it, failed: any status from 500. */
export class ServiceUnavailable
  extends /* @__PURE__ */ Data.TaggedError("ServiceUnavailable")<
    {
      readonly subject: string
      readonly status: number
      readonly code: string | undefined
      readonly retryAfter: Duration.Duration | undefined
    } & OfResponse
  >
{
  override get message(): string {
    return `The service failed to process the request for ${this.subject}: ${because(`status ${this.status}`, this.code)}`
  }
}

/** The failure of a connection: it was not made, ended before the response did, or exceeded the timeout. */
export type Failure = "Connection" | "Interruption" | "Timeout"

/** The codes of a TLS handshake with a server that does not speak TLS. */
const noTls = /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/

const root = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "the connection failed"
  if ("code" in cause && noTls.test(String(cause.code)))
    return "the server does not speak TLS, use http:// in place of https://"
  if (cause instanceof AggregateError && cause.message === "" && cause.errors.length > 0) return root(cause.errors[0])
  return cause.cause instanceof Error ? root(cause.cause) : cause.message || cause.name
}

/** The request has no response. */
export class Unreachable
  extends /* @__PURE__ */ Data.TaggedError("Unreachable")<{
    readonly subject: string
    /** The address of the service, without path and query. */
    readonly origin: string
    readonly reason: Failure
    /** True where the request was a write that the service has carried out; its response ended early. */
    readonly written: boolean
    readonly cause: unknown
  }>
{
  override get message(): string {
    const { cause, origin, reason } = this
    switch (reason) {
      case "Timeout":
        return `${origin} did not respond within the timeout`
      case "Interruption":
        return `${origin} closed the connection before the end of the response: ${root(cause)}`
      case "Connection":
        return `${origin} cannot be reached: ${root(cause)}`
    }
  }
}

/**
 * A response that this interface does not define: one of another service, or a row that does not match its type, which
 * `key`, `field`, `expected` and `got` describe.
 */
export class ResponseMalformed
  extends /* @__PURE__ */ Data.TaggedError("ResponseMalformed")<
    {
      readonly subject: string
      readonly origin: string
      readonly status: number
      readonly contentType: string | undefined
      /** The expected response. */
      readonly expected: string
      /** The key of the row that does not match its type, where the row has one. */
      readonly key: string | undefined
      /** The error of decoding the rows or the result of an operation, where the response is JSON. */
      readonly decodeError: DecodeError | undefined
      /** True where the request was a write that the service has carried out; only its response cannot be read. */
      readonly written: boolean
    } & OfResponse
  >
{
  /** The path of the first field that does not match its type. */
  get field(): string | undefined {
    return this.decodeError?.issues[0]?.path.map(String).join(".")
  }
  /** The value of that field as messages show it. */
  get got(): string | undefined {
    return this.decodeError?.issues[0]?.actual
  }
  override get message(): string {
    const { contentType = "no content type", decodeError, expected, key, origin, status, written } = this
    // Browsers hide the status of a redirect.
    const got = `${status === 0 ? "a redirect" : `status ${status}`} with ${contentType}`
    const row = key === undefined ? "" : ` in the row ${JSON.stringify(key)}`
    const problem =
      decodeError === undefined
        ? `Expected ${expected} from ${origin}, got ${got}: check the address of the service`
        : `${origin} returned data that does not match the schema${row}: ${decodeError.message}`
    return written ? `${problem}; the write has happened` : problem
  }
}

/** The service rejected a query, or the client did before it sent a request. */
export class QueryRejected
  extends /* @__PURE__ */ Data.TaggedError("QueryRejected")<
    {
      readonly resource: string
      /** Absent where the client sent no request. */
      readonly status: number | undefined
      /** An error code of PostgREST or PostgreSQL. */
      readonly code: string
      readonly detail: string
      readonly hint: string | undefined
    } & OfResponse
  >
{
  override get message(): string {
    return `The query of ${this.resource} was rejected: ${hinted(because(this.detail, this.code), this.hint)}`
  }
}

/**
 * The request exceeds a limit of the service: the time or the memory of a query, or the size of a response. The client
 * never retries it, because the same request meets the same limit.
 */
export class QueryTooCostly
  extends /* @__PURE__ */ Data.TaggedError("QueryTooCostly")<
    {
      readonly resource: string
      readonly status: number
      /** `57014` (time), `53200` (memory) or `54000` (size). */
      readonly code: string
      /** The limit and its value. */
      readonly detail: string
      /** A request to send instead. */
      readonly hint: string | undefined
      /** The flag of the service that sets the limit, such as `--statement-timeout`, where the service names it. */
      readonly flag: string | undefined
    } & OfResponse
  >
{
  override get message(): string {
    return `The request for ${this.resource} exceeds a limit: ${hinted(because(this.detail, this.code), this.hint)}`
  }
}

/** No row has this key, or the caller may not see it. */
export class RowNotFound
  extends /* @__PURE__ */ Data.TaggedError("RowNotFound")<
    {
      readonly resource: string
      readonly key: string
    } & OfResponse
  >
{
  override get message(): string {
    return `No ${this.resource} has the key ${JSON.stringify(this.key)}`
  }
}

/** The service rejected the values of a row. */
export class RowRejected
  extends /* @__PURE__ */ Data.TaggedError("RowRejected")<
    {
      readonly resource: string
      readonly status: number
      readonly code: string
      /** The invalid fields, where the service names them. */
      readonly fields: ReadonlyArray<string>
      readonly detail: string
      readonly hint: string | undefined
    } & OfResponse
  >
{
  override get message(): string {
    return `The ${this.resource} was rejected: ${hinted(because(this.detail, this.code), this.hint)}`
  }
}

/** A field refers to a row that does not exist. */
export class ReferenceMissing
  extends /* @__PURE__ */ Data.TaggedError("ReferenceMissing")<
    {
      readonly resource: string
      /** The referring field. */
      readonly field: string | undefined
      /** The resource that it refers to. */
      readonly parent: string | undefined
      readonly code: string
    } & OfResponse
  >
{
  override get message(): string {
    const { field, parent = "row", resource } = this
    return `${field === undefined ? `The ${resource}` : `${resource}.${field}`} refers to a ${parent} that does not exist`
  }
}

/** Another row already has the value of a unique field. */
export class Conflict
  extends /* @__PURE__ */ Data.TaggedError("Conflict")<
    {
      readonly resource: string
      /** The fields that are unique together, where the service names them. */
      readonly fields: ReadonlyArray<string>
      readonly code: string
      readonly detail: string
    } & OfResponse
  >
{
  override get message(): string {
    const { code, detail, fields, resource } = this
    return fields.length === 0
      ? `The ${resource} conflicts with another row: ${because(detail, code)}`
      : `Another ${resource} has the same ${fields.join(" and ")}`
  }
}

/** Other rows refer to this row. */
export class StillReferenced
  extends /* @__PURE__ */ Data.TaggedError("StillReferenced")<
    {
      readonly resource: string
      readonly key: string
      /** The resource whose rows refer to it. */
      readonly child: string | undefined
      readonly code: string
    } & OfResponse
  >
{
  override get message(): string {
    const { child = "another row", key, resource } = this
    return `The ${resource} ${JSON.stringify(key)} is still referenced by ${child}`
  }
}

/** The row was changed or removed after its ETag was read. */
export class PreconditionFailed
  extends /* @__PURE__ */ Data.TaggedError("PreconditionFailed")<
    {
      readonly resource: string
      readonly key: string
      readonly ifMatch: string
    } & OfResponse
  >
{
  override get message(): string {
    return `The ${this.resource} ${JSON.stringify(this.key)} has changed since version ${this.ifMatch}: retrieve it again`
  }
}

/** The service rejected the parameters of an operation, or the client did before it sent a request. */
export class OperationRejected
  extends /* @__PURE__ */ Data.TaggedError("OperationRejected")<
    {
      /** The id of the operation, such as `account.getAccount`. */
      readonly operation: string
      /** Absent where the client sent no request. */
      readonly status: number | undefined
      readonly code: string
      readonly detail: string
      /** The invalid parameters. */
      readonly issues: ReadonlyArray<OperationError.Issue>
    } & OfResponse
  >
{
  override get message(): string {
    const { code, detail, issues, operation } = this
    const problems = issues.map(({ message, path }) => [path.join("."), message].filter(Boolean).join(": "))
    return `${operation} was rejected: ${because([detail, ...problems].join("; "), code)}`
  }
}

/** An operation names an object that does not exist, or that the caller may not see. */
export class NotFound
  extends /* @__PURE__ */ Data.TaggedError("NotFound")<
    {
      readonly operation: string
      readonly detail: string
    } & OfResponse
  >
{
  override get message(): string {
    return `${this.operation}: ${this.detail}`
  }
}

/** The errors of every request. */
export type ReadError = Unauthorized | Forbidden | RateLimited | ServiceUnavailable | Unreachable | ResponseMalformed

/** The errors of a query. */
export type QueryError = ReadError | QueryRejected | QueryTooCostly

/** The errors of retrieving a row. */
export type RetrieveError = QueryError | RowNotFound

/** The errors of creating a row. */
export type WriteError = ReadError | RowRejected | ReferenceMissing | Conflict | QueryTooCostly

/** The errors of an upsert: rows can refer to another column than the key, such as `oauthClient.clientId`. */
export type UpsertError = WriteError | StillReferenced

/** The errors of changing a row. */
export type UpdateError = WriteError | StillReferenced | RowNotFound

/** The errors of removing a row. */
export type RemoveError = ReadError | RowRejected | RowNotFound | StillReferenced | QueryTooCostly
