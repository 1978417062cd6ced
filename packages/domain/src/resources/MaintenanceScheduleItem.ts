import { CompanyId, ItemId, MaintenanceScheduleId, MaintenanceScheduleItemId, UserId } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** An item that a maintenance schedule consumes. */
export class MaintenanceScheduleItem extends Resource.make("maintenanceScheduleItem", {
  key: "id",
  required: {
    maintenanceScheduleId: MaintenanceScheduleId,
    itemId: ItemId,
    quantity: JsonNumber,
    unitOfMeasureCode: Text,
    companyId: CompanyId
  },
  returned: {
    id: MaintenanceScheduleItemId,
    createdBy: UserId,
    createdAt: Timestamp
  }
}) {}
