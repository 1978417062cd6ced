import * as Schema from "effect/Schema"
import { CompanyId, ShiftId, UserId, WorkCenterId, WorkCenterShiftId } from "../Ids.ts"
import * as Resource from "../Resource.ts"
import { Timestamp } from "../Timestamp.ts"

/** A shift that a work center works. */
export class WorkCenterShift extends Resource.make("workCenterShift", {
  key: "id",
  required: {
    workCenterId: WorkCenterId,
    shiftId: ShiftId
  },
  returned: {
    id: WorkCenterShiftId,
    companyId: CompanyId,
    createdBy: UserId,
    createdAt: Timestamp,
    updatedBy: Schema.NullOr(UserId),
    updatedAt: Schema.NullOr(Timestamp)
  }
}) {}
