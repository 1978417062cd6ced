/**
 * Plans reads, and the part that all plans with a filter have in common.
 */
import * as Either from "effect/Either"
import * as FilterBudget from "./FilterBudget.ts"
import * as LevelPlan from "./LevelPlan.ts"
import * as PageLimit from "./PageLimit.ts"
import type { RowError } from "../RowError.ts"
import type { PlanContext } from "./PlanContext.ts"
import type { Read } from "./RowPlan.ts"
import type { RowRequest } from "../request/RowRequest.ts"
import type { ResponseShape } from "./ResponseShape.ts"

/** The rows that a request selects, their fields and their order. */
export const scope = (
  { action, preferences, query, resource }: RowRequest,
  responseShape: ResponseShape,
  context: PlanContext
) =>
  Either.map(
    Either.flatMap(LevelPlan.make(resource, query, context, "", action._tag !== "Read"), FilterBudget.check),
    ({ order, selection, where }) => ({
      resource,
      owner: context.caller,
      where,
      selection,
      order,
      counted: preferences.count !== undefined,
      responseShape
    })
  )

interface Page {
  readonly limit: number
  readonly offset: number
}

/** The page that limit, offset and the Range header select together. */
const page = ({ query, range }: RowRequest, maxRows: number): Either.Either<Page, RowError> => {
  const { limit = Infinity, offset = 0 } = query
  const from = Math.max(offset, range?.from ?? 0)
  const end = Math.min(offset + limit, range?.to === undefined ? Infinity : range.to + 1)
  if (range !== undefined && end <= from && limit > 0) return Either.left({ _tag: "RangeInverted" })
  return Either.right({ offset: from, limit: PageLimit.count(Math.max(end - from, 0), maxRows) })
}

export const make = (
  request: RowRequest,
  responseShape: ResponseShape,
  context: PlanContext
): Either.Either<Read, RowError> =>
  Either.flatMap(page(request, context.maxRows), ({ limit, offset }) =>
    Either.map(scope(request, responseShape, context), ({ counted, order, owner, resource, selection, where }) => ({
      _tag: "Read",
      resource,
      owner,
      where,
      selection,
      order,
      limit,
      offset,
      counted,
      responseShape
    }))
  )
