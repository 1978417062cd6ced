/**
 * Checks `If-Match` and `If-None-Match` against the entity tag of a row. A write is checked in its own transaction, so
 * that no concurrent change is lost.
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

/** Reads the precondition of a request, if it has one. */
export const fromHeaders = (headers: Exchange.Headers): Precondition | undefined => {
  const match = EntityTag.parse(headers["if-match"])
  const noneMatch = EntityTag.parse(headers["if-none-match"])
  return match === undefined && noneMatch === undefined ? undefined : { match, noneMatch }
}

const failed: RowError.RowError = { _tag: "PreconditionFailed" }

/** Guards that refuse the write of a row with another entity tag. `checked` refuses the write of a missing row. */
export const guards = (
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

/** Reads the outcome of a write, and refuses one with `If-Match` that found no row. */
export const checked =
  <Results, E>({ match }: Precondition, resolve: (results: Results) => Either.Either<Outcome, E>) =>
  (results: Results): Either.Either<Outcome, E | RowError.RowError> =>
    Either.flatMap(resolve(results), (outcome) => {
      const { _tag } = outcome
      const existed = _tag === "Written" ? outcome.rows.some(({ inserted }) => !inserted) : _tag === "One"
      return match === undefined || existed ? Either.right(outcome) : Either.left(failed)
    })

/** The refusal of a precondition on a write that does not name one row by its key. */
export const keyMissing: RowError.RowError = {
  _tag: "Unsupported",
  feature: "If-Match and If-None-Match need a request for one row by its key"
}

/**
 * The response after its precondition: 412 if it fails, 304 for a read whose row the client has already. A response
 * without an entity tag is returned as it is.
 */
export const apply = (
  { match, noneMatch }: Precondition,
  response: Exchange.Response,
  isRead: boolean
): Exchange.Response => {
  const { body: _, headers, status } = response
  if (headers["ETag"] === undefined || status >= 400) return response
  if (match !== undefined && EntityTag.find(response, match, "strong") === undefined)
    return RowErrorBody.toResponse(failed)
  const found = noneMatch === undefined ? undefined : EntityTag.find(response, noneMatch, "weak")
  if (found === undefined) return response
  if (!isRead) return RowErrorBody.toResponse(failed)
  const { "Content-Type": __, ...others } = headers
  // The client keeps the response under the tag that it sent.
  return { status: 304, headers: { ...others, ETag: found }, body: "" }
}
