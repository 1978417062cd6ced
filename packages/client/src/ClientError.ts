/**
 * Every way in which a call can fail, as facts. Messages are computed from them, and neither holds the key, a row's
 * contents, or the body of an answer.
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import type * as OperationError from "@mfgdata/domain/OperationError"
import type { DecodeError } from "@mfgdata/domain/DecodeError"

const because = (detail: string, code: string | undefined): string =>
  code === undefined ? detail : `${detail} (${code})`

const hinted = (detail: string, hint: string | undefined): string =>
  hint === undefined ? detail : `${detail}; ${hint}`

/** The key is missing, not known, revoked or expired. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<{
  /** What was asked for: a resource, or an operation. */
  readonly subject: string
  readonly code: string | undefined
  readonly detail: string
}> {
  override get message(): string {
    return `The service does not accept the API key: ${because(this.detail, this.code)}`
  }
}

/** The key is good, and does not allow this. */
export class Forbidden extends Data.TaggedError("Forbidden")<{
  readonly subject: string
  readonly code: string | undefined
  readonly detail: string
  readonly hint: string | undefined
}> {
  override get message(): string {
    return `The API key does not allow this on ${this.subject}: ${hinted(because(this.detail, this.code), this.hint)}`
  }
}

/** Too many calls, also after the retries. */
export class RateLimited extends Data.TaggedError("RateLimited")<{
  readonly subject: string
  /** When the service wants to be asked again. */
  readonly retryAfter: Duration.Duration | undefined
}> {
  override get message(): string {
    const { retryAfter, subject } = this
    const when = retryAfter === undefined ? "later" : `in ${Duration.format(retryAfter)}`
    return `Too many calls of ${subject}: to be asked again ${when}`
  }
}

/** The service, or what stands before it, cannot answer: any status from 500. */
export class ServiceUnavailable extends Data.TaggedError("ServiceUnavailable")<{
  readonly subject: string
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: Duration.Duration | undefined
}> {
  override get message(): string {
    return `The service cannot answer for ${this.subject}: ${because(`status ${this.status}`, this.code)}`
  }
}

/** How a connection failed: there was none, it ended before the answer did, or it took too long. */
export type Failure = "Connection" | "Interruption" | "Timeout"

const root = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "the connection failed"
  if (cause instanceof AggregateError && cause.message === "" && cause.errors.length > 0) return root(cause.errors[0])
  return cause.cause instanceof Error ? root(cause.cause) : cause.message || cause.name
}

/** No answer came. */
export class Unreachable extends Data.TaggedError("Unreachable")<{
  readonly subject: string
  /** The address that was tried, without path and query. */
  readonly origin: string
  readonly reason: Failure
  readonly cause: unknown
}> {
  override get message(): string {
    const { cause, origin, reason } = this
    switch (reason) {
      case "Timeout":
        return `${origin} did not answer in time`
      case "Interruption":
        return `${origin} broke off its answer: ${root(cause)}`
      case "Connection":
        return `${origin} cannot be reached: ${root(cause)}`
    }
  }
}

/** An answer that this interface does not give: another service's, or a row without what every row has. */
export class ResponseMalformed extends Data.TaggedError("ResponseMalformed")<{
  readonly subject: string
  readonly origin: string
  readonly status: number
  readonly contentType: string | undefined
  /** What was expected in its place. */
  readonly expected: string
  /** What is wrong with the rows, or the answer of an operation, where there was one. */
  readonly malformed: DecodeError | undefined
}> {
  override get message(): string {
    const { contentType = "no content type", expected, malformed, origin, status } = this
    return malformed === undefined
      ? `${origin} answered with status ${status} and ${contentType}, where ${expected} was expected: is it the address of the service?`
      : `${origin} answered with a row that does not fit: ${malformed.message}`
  }
}

/** The service, or this client before it asked, refused what a query says. */
export class QueryRejected extends Data.TaggedError("QueryRejected")<{
  readonly resource: string
  /** Absent where the client refused before it asked. */
  readonly status: number | undefined
  /** PostgREST's or PostgreSQL's. */
  readonly code: string
  readonly detail: string
  readonly hint: string | undefined
}> {
  override get message(): string {
    return `The query of ${this.resource} is refused: ${hinted(because(this.detail, this.code), this.hint)}`
  }
}

/** No row has this key, or none that the caller may see. */
export class RowNotFound extends Data.TaggedError("RowNotFound")<{
  readonly resource: string
  readonly key: string
}> {
  override get message(): string {
    return `There is no ${this.resource} ${JSON.stringify(this.key)}`
  }
}

/** The service refused what was to be written. */
export class RowRejected extends Data.TaggedError("RowRejected")<{
  readonly resource: string
  readonly status: number
  readonly code: string
  /** The fields at fault, as far as the service names them. */
  readonly fields: ReadonlyArray<string>
  readonly detail: string
  readonly hint: string | undefined
}> {
  override get message(): string {
    return `The ${this.resource} is refused: ${hinted(because(this.detail, this.code), this.hint)}`
  }
}

/** A reference names a row that is not there. */
export class ReferenceMissing extends Data.TaggedError("ReferenceMissing")<{
  readonly resource: string
  /** The field that refers. */
  readonly field: string | undefined
  /** The resource it refers to. */
  readonly parent: string | undefined
  readonly code: string
}> {
  override get message(): string {
    const { field = "A reference", parent = "row", resource } = this
    return `${resource}.${field} names a ${parent} that does not exist`
  }
}

/** Another row already has what must be unique. */
export class Conflict extends Data.TaggedError("Conflict")<{
  readonly resource: string
  /** The fields that are unique together, as far as the service names them. */
  readonly fields: ReadonlyArray<string>
  readonly code: string
  readonly detail: string
}> {
  override get message(): string {
    const { code, detail, fields, resource } = this
    return fields.length === 0
      ? `The ${resource} conflicts with what is stored: ${because(detail, code)}`
      : `There is a ${resource} with the same ${fields.join(" and ")} already`
  }
}

/** Other rows refer to this one. */
export class StillReferenced extends Data.TaggedError("StillReferenced")<{
  readonly resource: string
  readonly key: string
  /** The resource whose rows refer to it. */
  readonly child: string | undefined
  readonly code: string
}> {
  override get message(): string {
    const { child = "another row", key, resource } = this
    return `The ${resource} ${JSON.stringify(key)} is still referred to by ${child}`
  }
}

/** The row has changed since its ETag was read, or is gone. */
export class PreconditionFailed extends Data.TaggedError("PreconditionFailed")<{
  readonly resource: string
  readonly key: string
  readonly ifMatch: string
}> {
  override get message(): string {
    return `The ${this.resource} ${JSON.stringify(this.key)} is no longer what it was at ${this.ifMatch}`
  }
}

/** The service, or this client before it asked, refused what an operation was asked with. */
export class OperationRejected extends Data.TaggedError("OperationRejected")<{
  /** Its id, such as `account.getAccount`. */
  readonly operation: string
  /** Absent where the client refused before it asked. */
  readonly status: number | undefined
  readonly code: string
  readonly detail: string
  /** What is wrong with the request, and where. */
  readonly issues: ReadonlyArray<OperationError.Issue>
}> {
  override get message(): string {
    const { code, detail, issues, operation } = this
    const told = issues.map(({ message, path }) => [path.join("."), message].filter(Boolean).join(": "))
    return `${operation} is refused: ${because([detail, ...told].join("; "), code)}`
  }
}

/** There is nothing that the request names, or nothing that the caller may see. */
export class NotFound extends Data.TaggedError("NotFound")<{
  readonly operation: string
  readonly detail: string
}> {
  override get message(): string {
    return `${this.operation}: ${this.detail}`
  }
}

/** What can go wrong with any call. */
export type ReadError = Unauthorized | Forbidden | RateLimited | ServiceUnavailable | Unreachable | ResponseMalformed

/** What can go wrong with a query. */
export type QueryError = ReadError | QueryRejected

/** What can go wrong when one row is read. */
export type RetrieveError = QueryError | RowNotFound

/** What can go wrong with a row that is written. */
export type WriteError = ReadError | RowRejected | ReferenceMissing | Conflict

/** What can go wrong when a row is written that may be there: `oauthClient.clientId` can be referred to by name. */
export type UpsertError = WriteError | StillReferenced

/** What can go wrong when a row is changed. */
export type UpdateError = WriteError | StillReferenced | RowNotFound

/** What can go wrong when a row is removed. */
export type RemoveError = ReadError | RowRejected | RowNotFound | StillReferenced
