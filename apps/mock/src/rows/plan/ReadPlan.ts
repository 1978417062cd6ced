/**
 * The plan of a read, and what every plan with a filter shares.
 */
import * as Either from "effect/Either"
import * as LevelPlan from "./LevelPlan.ts"
import * as PageLimit from "./PageLimit.ts"
import type { RowError } from "../RowError.ts"
import type { PlanContext } from "./PlanContext.ts"
import type { Read } from "./RowPlan.ts"
import type { RowRequest } from "../request/RowRequest.ts"
import type { Telling } from "./ResponseShape.ts"

/** Which rows a request is about, what of them, and in which order. */
export const scope = ({ action, preferences, query, resource }: RowRequest, telling: Telling, terms: PlanContext) =>
  Either.map(LevelPlan.make(resource, query, terms, "", action._tag !== "Read"), ({ order, selection, where }) => ({
    resource,
    owner: terms.caller,
    where,
    selection,
    order,
    counted: preferences.count !== undefined,
    telling
  }))

interface Page {
  readonly limit: number
  readonly offset: number
}

/** The rows that limit, offset and range have in common. */
const page = ({ query, range }: RowRequest, maxRows: number): Either.Either<Page, RowError> => {
  const { limit = Infinity, offset = 0 } = query
  const from = Math.max(offset, range?.from ?? 0)
  const end = Math.min(offset + limit, range?.to === undefined ? Infinity : range.to + 1)
  if (range !== undefined && end <= from && limit > 0) return Either.left({ _tag: "RangeInverted" })
  return Either.right({ offset: from, limit: PageLimit.count(Math.max(end - from, 0), maxRows) })
}

export const make = (request: RowRequest, telling: Telling, terms: PlanContext): Either.Either<Read, RowError> =>
  Either.flatMap(page(request, terms.maxRows), ({ limit, offset }) =>
    Either.map(scope(request, telling, terms), ({ counted, order, owner, resource, selection, where }) => ({
      _tag: "Read",
      resource,
      owner,
      where,
      selection,
      order,
      limit,
      offset,
      counted,
      telling
    }))
  )
