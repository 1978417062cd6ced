import { CalendarDate } from "../CalendarDate.ts"
import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, LocationId, UserId, WarehouseTransferId } from "../Ids.ts"
import { JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text, TextArray } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"
import { WarehouseTransferStatus } from "../Vocabularies.ts"

/** A movement of stock between two locations. */
export class WarehouseTransfer extends Resource.make("warehouseTransfer", {
  key: "id",
  required: {
    transferId: Text,
    fromLocationId: LocationId,
    toLocationId: LocationId,
    status: WarehouseTransferStatus,
    companyId: CompanyId
  },
  optional: {
    transferDate: CalendarDate,
    expectedReceiptDate: CalendarDate,
    notes: Text,
    reference: Text,
    customFields: JsonObject,
    tags: TextArray
  },
  returned: {
    id: WarehouseTransferId,
    createdBy: UserId,
    createdAt: Timestamp
  },
  rules: {
    unique: [ResourceRules.unique("transferId")]
  }
}) {}
