import * as Schema from "effect/Schema"
import { CompanyId, TrackedActivityId, TrackedEntityId, UserId } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Timestamp } from "../Timestamp.ts"

/** An output of a tracked activity. */
export class TrackedActivityOutput extends Resource.make("trackedActivityOutput", {
  key: "trackedActivityId",
  required: {
    quantity: JsonNumber,
    companyId: CompanyId
  },
  returned: {
    trackedActivityId: TrackedActivityId,
    trackedEntityId: TrackedEntityId,
    createdAt: Timestamp,
    createdBy: UserId,
    updatedBy: Schema.NullOr(UserId)
  },
  rules: {
    defaults: { trackedActivityId: { _tag: "NewId" }, trackedEntityId: { _tag: "NewId" } }
  }
}) {}
