/**
 * The states of a row in which a request is to be carried out, as `If-Match` and `If-None-Match` tell them. A write is
 * held to them in its own transaction, so that nobody's change is lost between the question and the write.
 */
import * as Either from "effect/Either"
import type * as Exchange from "../Exchange.ts"
import type { Step } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import * as Guard from "../sql/write/Guard.ts"
import type { OwnedTable } from "../sql/Owner.ts"
import * as EntityTag from "./request/EntityTag.ts"
import type * as RowError from "./RowError.ts"
import * as RowErrorBody from "./RowErrorBody.ts"
import type { Outcome } from "./Outcome.ts"

export interface Precondition {
  readonly match: EntityTag.Tags | undefined
  readonly noneMatch: EntityTag.Tags | undefined
}

/** What a request's headers ask; nothing for most. */
export const fromHeaders = (headers: Exchange.Headers): Precondition | undefined => {
  const match = EntityTag.parse(headers["if-match"])
  const noneMatch = EntityTag.parse(headers["if-none-match"])
  return match === undefined && noneMatch === undefined ? undefined : { match, noneMatch }
}

const failed: RowError.RowError = { _tag: "PreconditionFailed" }

/** Steps that refuse a write of the row of a key; that it stands at all is seen when it is written. */
export const steps = (
  { match, noneMatch }: Precondition,
  owned: OwnedTable,
  key: string,
  dialect: Dialect
): ReadonlyArray<Step> => [
  ...(match === undefined || match === "any"
    ? []
    : [Guard.state(dialect, owned, key, { noneOf: EntityTag.revisions(match) })]),
  ...(noneMatch === undefined
    ? []
    : [
        Guard.state(
          dialect,
          owned,
          key,
          noneMatch === "any" ? { noneOf: [] } : { oneOf: EntityTag.revisions(noneMatch) }
        )
      ])
]

/** Whether a write found a row to match where it had to. */
export const check = ({ match }: Precondition, outcome: Outcome): Either.Either<void, RowError.RowError> => {
  const stood = outcome._tag === "Written" ? outcome.rows.some(({ inserted }) => !inserted) : outcome._tag === "One"
  return match === undefined || stood ? Either.void : Either.left(failed)
}

/** A write of rows that are not named by their key has no state to be held to. */
export const unkeyed: RowError.RowError = {
  _tag: "Unsupported",
  feature: "If-Match and If-None-Match need a request for one row by its key"
}

/**
 * The answer of a row that is told only in some states; one without a tag is told always. To who reads, a state that
 * is known already is no failure.
 */
export const tell = (
  { match, noneMatch }: Precondition,
  answer: Exchange.Response,
  isRead: boolean
): Exchange.Response => {
  const { body: _, headers, status } = answer
  if (headers["ETag"] === undefined || status >= 400) return answer
  if (match !== undefined && !EntityTag.bears(answer, match, "strong")) return RowErrorBody.toResponse(failed)
  if (noneMatch === undefined || !EntityTag.bears(answer, noneMatch, "weak")) return answer
  if (!isRead) return RowErrorBody.toResponse(failed)
  const { "Content-Type": __, ...kept } = headers
  return { status: 304, headers: kept, body: "" }
}
