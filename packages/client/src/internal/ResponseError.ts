/**
 * Maps the statuses and error codes of responses to the errors of the client.
 */
import * as Effect from "effect/Effect"
import type { DecodeError } from "@mfgdata/domain/DecodeError"
import * as RetryAfter from "@mfgdata/domain/RetryAfter"
import {
  Conflict,
  Forbidden,
  PreconditionFailed,
  QueryRejected,
  QueryTooCostly,
  RateLimited,
  type ReadError,
  ReferenceMissing,
  ResponseMalformed,
  RowNotFound,
  RowRejected,
  ServiceUnavailable,
  StillReferenced,
  Unauthorized
} from "../ClientError.ts"
import * as ErrorBody from "./ErrorBody.ts"
import type * as Transport from "./Transport.ts"

/** The resource or operation of a request, and the origin that it was sent to. */
export interface Source {
  readonly subject: string
  readonly origin: string
}

/** The reason why a response cannot be read. */
interface Unreadable {
  readonly expected: string
  readonly decodeError?: DecodeError | undefined
  readonly key?: string | undefined
}

/** The error of a response that this interface does not define. */
export const malformed = (
  { origin, subject }: Source,
  response: Transport.Response,
  { decodeError, expected, key }: Unreadable,
  written = false
): ResponseMalformed =>
  new ResponseMalformed({
    subject,
    origin,
    status: response.status,
    contentType: response.header("content-type"),
    expected,
    key,
    decodeError,
    written
  })

/** The error of a status that means the same to every request; `undefined` for other statuses. */
export const general = (
  { subject }: Source,
  response: Transport.Response,
  body: ErrorBody.ErrorBody | undefined,
  nowMillis: number
): ReadError | undefined => {
  const { status } = response
  if (status === 401) {
    return new Unauthorized({ subject, code: body?.code, detail: body?.message ?? ErrorBody.noReason })
  }
  if (status === 403) {
    const detail = body?.details ?? body?.message ?? ErrorBody.noReason
    return new Forbidden({ subject, code: body?.code, detail, hint: body?.hint })
  }
  if (status === 429 || status >= 500) {
    const retryAfter = RetryAfter.delay(response.header("retry-after"), nowMillis)
    return status === 429
      ? new RateLimited({ subject, retryAfter })
      : new ServiceUnavailable({ subject, status, code: body?.code, retryAfter })
  }
  return undefined
}

/** The kind of a row request; it decides which errors a response can mean. */
export interface Purpose<out E> {
  /** Makes the error of a 404 about the row; absent for requests that name no row. */
  readonly notFound?: (resource: string) => E
  /** True for requests that change nothing. */
  readonly isRead?: boolean
  /** True for requests after which the row has to be absent. */
  readonly isRemoval?: boolean
  /** Makes the error of an error code. */
  readonly rejected: (resource: string, status: number, body: ErrorBody.ErrorBody) => E
}

const wrongAddress = /^(PGRST125|PGRST202|PGRST205|42P01|42883)$/

/** Reports whether a 404 is about a row: most other services answer with a page, and codes of a wrong address are known. */
export const isRowAbsent = (response: Transport.Response, body = ErrorBody.parse(response)): boolean =>
  response.status === 404 &&
  (body === undefined
    ? response.text === "" || /json/.test(response.header("content-type") ?? "")
    : !wrongAddress.test(body.code))

const group = (text: string | undefined, pattern: RegExp): string | undefined => pattern.exec(text ?? "")?.[1]

const list = (names: string | undefined): ReadonlyArray<string> =>
  names === undefined ? [] : names.split(",").map((name) => name.trim().replaceAll('"', ""))

/** The columns that an error names, in the words of the service, PostgREST or PostgreSQL. */
const fieldsOf = ({ details, message }: ErrorBody.ErrorBody): ReadonlyArray<string> => {
  const required = group(details, /^Required and without a value: (.+)\.$/)
  if (required !== undefined) return list(required)
  const field = group(details, /the column "([^"]+)"/) ?? group(message, /column "([^"]+)"/)
  return list(field ?? group(message, /the '([^']+)' column/))
}

const foreignKey = "23503"

const referenceMissing = (resource: string, { code, details }: ErrorBody.ErrorBody): ReferenceMissing =>
  new ReferenceMissing({
    resource,
    field: group(details, /^Key \(([^)]+)\)/),
    parent: group(details, /in table "([^"]+)"/),
    code
  })

const stillReferenced = (resource: string, key: string, { code, details }: ErrorBody.ErrorBody): StillReferenced =>
  new StillReferenced({ resource, key, child: group(details, /from table "([^"]+)"/), code })

const conflict = (resource: string, { code, details, message }: ErrorBody.ErrorBody): Conflict =>
  new Conflict({ resource, fields: list(group(details, /^Key \(([^)]+)\)/)), code, detail: details ?? message })

/** The message of rejected values holds the reason, and their details the place. */
const rowRejected = (resource: string, status: number, body: ErrorBody.ErrorBody): RowRejected => {
  const { code, details, hint, message } = body
  return new RowRejected({ resource, status, code, fields: fieldsOf(body), detail: message, hint: hint ?? details })
}

const notFound = (key: string) => (resource: string) => new RowNotFound({ resource, key })

/** A request for rows that match a query. */
export const query: Purpose<QueryRejected> = {
  isRead: true,
  rejected: (resource, status, { code, details, hint, message }) =>
    new QueryRejected({ resource, status, code, detail: details ?? message, hint })
}

/** A request for one row. */
export const retrieve = (key: string): Purpose<QueryRejected | RowNotFound> => ({ ...query, notFound: notFound(key) })

/** A request that creates rows. */
export const create: Purpose<RowRejected | ReferenceMissing | Conflict> = {
  rejected: (resource, status, body) => {
    if (status !== 409) return rowRejected(resource, status, body)
    return body.code === foreignKey ? referenceMissing(resource, body) : conflict(resource, body)
  }
}

/** A request that creates a row, or changes the one with its key, to which others can refer by another column. */
export const upsert = (key: string): Purpose<RowRejected | ReferenceMissing | Conflict | StillReferenced> => ({
  rejected: (resource, status, body) => {
    const isReferenced = /still referenced/.test(body.details ?? body.message)
    return status === 409 && body.code === foreignKey && isReferenced
      ? stillReferenced(resource, key, body)
      : create.rejected(resource, status, body)
  }
})

/** The requests that change or remove one row, at one version of it where `ifMatch` names one. */
interface OfVersion {
  readonly key: string
  readonly ifMatch: string | undefined
}

/** A request that changes one row. */
export const update = ({
  ifMatch,
  key
}: OfVersion): Purpose<
  RowRejected | ReferenceMissing | Conflict | StillReferenced | RowNotFound | PreconditionFailed
> => ({
  notFound: notFound(key),
  rejected: (resource, status, body) =>
    status === 412 && ifMatch !== undefined
      ? new PreconditionFailed({ resource, key, ifMatch })
      : upsert(key).rejected(resource, status, body)
})

/** A request that removes one row. */
export const remove = ({
  ifMatch,
  key
}: OfVersion): Purpose<RowRejected | RowNotFound | StillReferenced | PreconditionFailed> => ({
  notFound: notFound(key),
  isRemoval: true,
  rejected: (resource, status, body) => {
    if (status === 412 && ifMatch !== undefined) return new PreconditionFailed({ resource, key, ifMatch })
    return status === 409 && body.code === foreignKey
      ? stillReferenced(resource, key, body)
      : rowRejected(resource, status, body)
  }
})

/**
 * The error of a query that a limit of the service ended. A write gets `54000` for its own values too, which are
 * rejected ones, unless its response is what is too large.
 */
const tooCostly = (
  resource: string,
  status: number,
  { code, details, hint, message }: ErrorBody.ErrorBody,
  isRead: boolean
): QueryTooCostly | undefined => {
  const flag = group(details, /\((--[a-z-]+)\)/)
  const isLimit =
    code === "54000" ? isRead || flag === "--max-answer" : (code === "57014" || code === "53200") && status >= 500
  return isLimit ? new QueryTooCostly({ resource, status, code, detail: details ?? message, hint, flag }) : undefined
}

/** Fails with the error that an error response means to a row request. */
export const make = <E>(
  source: Source,
  response: Transport.Response,
  { isRead = false, notFound, rejected }: Purpose<E>
): Effect.Effect<never, ReadError | QueryTooCostly | E> =>
  Effect.flatMap(Effect.clock, (clock) => {
    const body = ErrorBody.parse(response)
    if (notFound !== undefined && isRowAbsent(response, body))
      return Effect.fail<ReadError | QueryTooCostly | E>(notFound(source.subject))
    const costly = body && tooCostly(source.subject, response.status, body, isRead)
    const error = costly ?? general(source, response, body, clock.unsafeCurrentTimeMillis())
    if (error !== undefined) return Effect.fail<ReadError | QueryTooCostly | E>(error)
    return Effect.fail<ReadError | QueryTooCostly | E>(
      body === undefined
        ? malformed(source, response, { expected: "a response of the service" })
        : rejected(source.subject, response.status, body)
    )
  })
