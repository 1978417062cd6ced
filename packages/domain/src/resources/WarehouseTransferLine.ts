import { CompanyId, ItemId, LocationId, StorageUnitId, WarehouseTransferId, WarehouseTransferLineId } from "../Ids.ts"
import { JsonNumber, JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"

/** One item of a warehouse transfer. */
export class WarehouseTransferLine extends Resource.make("warehouseTransferLine", {
  key: "id",
  required: {
    transferId: WarehouseTransferId,
    itemId: ItemId,
    quantity: JsonNumber,
    shippedQuantity: JsonNumber,
    receivedQuantity: JsonNumber,
    fromLocationId: LocationId,
    toLocationId: LocationId,
    companyId: CompanyId
  },
  optional: {
    fromStorageUnitId: StorageUnitId,
    toStorageUnitId: StorageUnitId,
    unitOfMeasureCode: Text,
    notes: Text,
    customFields: JsonObject
  },
  returned: {
    id: WarehouseTransferLineId
  },
  rules: {
    onParentDelete: { transferId: "cascade" }
  }
}) {}
