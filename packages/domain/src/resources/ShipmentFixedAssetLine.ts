import * as Schema from "effect/Schema"
import { CompanyId, SalesOrderLineId, ShipmentFixedAssetLineId, ShipmentId, UserId } from "../Ids.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** A fixed asset that leaves with a shipment. */
export class ShipmentFixedAssetLine extends Resource.make("shipmentFixedAssetLine", {
  key: "id",
  required: {
    shipmentId: ShipmentId,
    salesOrderLineId: SalesOrderLineId,
    shipped: Schema.Boolean,
    companyId: CompanyId
  },
  optional: {
    serialNumber: Text
  },
  returned: {
    id: ShipmentFixedAssetLineId,
    createdBy: UserId,
    createdAt: Timestamp
  }
}) {}
