/**
 * Plans a request: checks it against the catalogue and the caller. A planned request can only be refused for a violated
 * constraint or a wrong number of rows.
 */
import * as Either from "effect/Either"
import type { PlanContext } from "./PlanContext.ts"
import type { Slices } from "../../world/Slices.ts"
import type * as JsonScan from "../request/JsonScan.ts"
import * as Payload from "../request/Payload.ts"
import * as ReadPlan from "./ReadPlan.ts"
import * as RightCheck from "./RightCheck.ts"
import * as ResponseShape from "./ResponseShape.ts"
import type { RowError } from "../RowError.ts"
import type { RowPlan } from "./RowPlan.ts"
import type { RowRequest } from "../request/RowRequest.ts"
import * as WritePlan from "./WritePlan.ts"

/** The plan of a request, whose body is parsed and planned in slices. */
export const make = function* (
  request: RowRequest,
  context: PlanContext,
  limits: JsonScan.Limits
): Slices<Either.Either<RowPlan, RowError>> {
  const { action } = request
  const right = RightCheck.request(request, context.caller)
  if (Either.isLeft(right)) return Either.left(right.left)
  const payload = "source" in action ? yield* Payload.read(action.source, limits) : Either.right(Payload.none)
  if (Either.isLeft(payload)) return Either.left(payload.left)
  const responseShape = ResponseShape.make(request, payload.right)
  const returned = RightCheck.returned(request, responseShape, context.caller)
  if (Either.isLeft(returned)) return Either.left(returned.left)
  switch (action._tag) {
    case "Read":
      return ReadPlan.make(request, responseShape, context)
    case "Create":
      return yield* WritePlan.create(request, payload.right, responseShape, context)
    case "Put":
      return WritePlan.put(request, payload.right, responseShape, context)
    case "Update":
      return WritePlan.update(request, payload.right, responseShape, context)
    case "Delete":
      return WritePlan.remove(request, responseShape, context)
  }
}
