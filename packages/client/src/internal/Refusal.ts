/**
 * What an answer that is no success means: the one table from statuses and codes to errors.
 */
import * as Effect from "effect/Effect"
import type { DecodeError } from "@mfgdata/domain/DecodeError"
import {
  Conflict,
  Forbidden,
  PreconditionFailed,
  QueryRejected,
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
import * as Transport from "./Transport.ts"

/** The body of a refusal, as far as there is one. */
export interface Told {
  readonly code: string
  readonly message: string
  readonly details: string | undefined
  readonly hint: string | undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** Reads the body of a refusal, whichever of the interfaces it comes from. */
export const read = (text: string): Told | undefined => {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== "object" || body === null) return undefined
    const { code, details, hint, message } = body as { readonly [name: string]: unknown }
    const known = textOf(code)
    return known === undefined
      ? undefined
      : { code: known, message: textOf(message) ?? "no reason given", details: textOf(details), hint: textOf(hint) }
  } catch {
    return undefined
  }
}

/** What was asked, as errors tell it. */
export interface Asked {
  readonly subject: string
  readonly origin: string
}

/** The error of an answer that should not be. */
export const malformed = (
  { origin, subject }: Asked,
  answer: Transport.Answer,
  expected: string,
  flaw?: DecodeError
): ResponseMalformed =>
  new ResponseMalformed({
    subject,
    origin,
    status: answer.status,
    contentType: answer.header("content-type"),
    expected,
    malformed: flaw
  })

/** What goes wrong with any call, or `undefined` when the status says something more particular. */
export const general = (
  asked: Asked,
  answer: Transport.Answer,
  told: Told | undefined,
  nowMillis: number
): ReadError | undefined => {
  const { status } = answer
  const { subject } = asked
  if (status === 401) {
    return new Unauthorized({ subject, code: told?.code, detail: told?.message ?? "no reason given" })
  }
  if (status === 403) {
    const detail = told?.details ?? told?.message ?? "no reason given"
    return new Forbidden({ subject, code: told?.code, detail, hint: told?.hint })
  }
  if (status === 429) return new RateLimited({ subject, retryAfter: Transport.retryAfter(answer, nowMillis) })
  if (status >= 500) {
    return new ServiceUnavailable({
      subject,
      status,
      code: told?.code,
      retryAfter: Transport.retryAfter(answer, nowMillis)
    })
  }
  return status < 400 || told === undefined ? malformed(asked, answer, "an answer of the service") : undefined
}

/** What a call of rows is about; it decides which errors a status can mean. */
export type Purpose =
  | { readonly _tag: "Query" }
  | { readonly _tag: "Retrieve"; readonly key: string }
  | { readonly _tag: "Create" }
  | { readonly _tag: "Upsert"; readonly key: string }
  | { readonly _tag: "Update"; readonly key: string; readonly ifMatch: string | undefined }
  | { readonly _tag: "Remove"; readonly key: string; readonly ifMatch: string | undefined }

/** Everything that a call of rows can be refused with. */
export type Refusal =
  | ReadError
  | QueryRejected
  | RowNotFound
  | RowRejected
  | ReferenceMissing
  | Conflict
  | StillReferenced
  | PreconditionFailed

/** What a 404 says when it is not about a row. */
const misdirected = /^(PGRST125|PGRST202|PGRST205|42P01|42883)$/

/** Whether a 404 speaks of a row: what stands at a wrong address mostly answers with a page. */
export const isRowAbsent = (answer: Transport.Answer, told = read(answer.text)): boolean =>
  answer.status === 404 &&
  (told === undefined
    ? answer.text === "" || /json/.test(answer.header("content-type") ?? "")
    : !misdirected.test(told.code))

const named = (text: string | undefined, pattern: RegExp): string | undefined => pattern.exec(text ?? "")?.[1]

const list = (names: string | undefined): ReadonlyArray<string> =>
  names === undefined ? [] : names.split(",").map((name) => name.trim().replaceAll('"', ""))

/** The fields that a refusal of values names, in the service's words or PostgreSQL's. */
const fieldsOf = ({ details, message }: Told): ReadonlyArray<string> => {
  const required = named(details, /^Required and without a value: (.+)\.$/)
  if (required !== undefined) return list(required)
  const found = named(details, /the column "([^"]+)"/) ?? named(message, /column "([^"]+)"|the '([^']+)' column/)
  return found === undefined ? list(named(message, /the '([^']+)' column/)) : [found]
}

const foreignKey = "23503"

const referenceOf = (resource: string, told: Told): ReferenceMissing =>
  new ReferenceMissing({
    resource,
    field: named(told.details, /^Key \(([^)]+)\)/),
    parent: named(told.details, /in table "([^"]+)"/),
    code: told.code
  })

const referencedOf = (resource: string, key: string, told: Told): StillReferenced =>
  new StillReferenced({ resource, key, child: named(told.details, /from table "([^"]+)"/), code: told.code })

const particular = (
  { subject: resource }: Asked,
  { status }: Transport.Answer,
  told: Told,
  purpose: Purpose
): Refusal => {
  const { code, details, hint, message } = told
  if (purpose._tag === "Query" || purpose._tag === "Retrieve") {
    return new QueryRejected({ resource, status, code, detail: details ?? message, hint })
  }
  if (status === 412 && "ifMatch" in purpose && purpose.ifMatch !== undefined) {
    return new PreconditionFailed({ resource, key: purpose.key, ifMatch: purpose.ifMatch })
  }
  if (status === 409 && code === foreignKey) {
    const isReferenced =
      purpose._tag === "Remove" || (purpose._tag !== "Create" && /still referenced/.test(details ?? message))
    return isReferenced ? referencedOf(resource, purpose.key, told) : referenceOf(resource, told)
  }
  if (status === 409 && purpose._tag !== "Remove") {
    const fields = list(named(details, /^Key \(([^)]+)\)/))
    return new Conflict({ resource, fields, code, detail: details ?? message })
  }
  // A refusal of values: the message holds the reason, and details the place.
  return new RowRejected({ resource, status, code, fields: fieldsOf(told), detail: message, hint: hint ?? details })
}

/** What an answer means that is no success. */
export const make = (asked: Asked, answer: Transport.Answer, purpose: Purpose): Effect.Effect<never, Refusal> =>
  Effect.flatMap(Effect.clock, (clock) => {
    const told = read(answer.text)
    if ("key" in purpose && purpose._tag !== "Upsert" && isRowAbsent(answer, told)) {
      return Effect.fail(new RowNotFound({ resource: asked.subject, key: purpose.key }))
    }
    const error = general(asked, answer, told, clock.unsafeCurrentTimeMillis())
    if (error !== undefined) return Effect.fail(error)
    // Without the body of a refusal, `general` has an error for every status.
    return told === undefined
      ? Effect.fail(malformed(asked, answer, "an answer of the service"))
      : Effect.fail(particular(asked, answer, told, purpose))
  })
