import * as Schema from "effect/Schema"
import { PurchaseOrderId, PurchaseOrderStatusHistoryId, UserId } from "../Ids.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"
import { PurchaseOrderStatus } from "../Vocabularies.ts"

/** A status that a purchase order had. */
export class PurchaseOrderStatusHistory extends Resource.make("purchaseOrderStatusHistory", {
  key: "id",
  required: {
    purchaseOrderId: PurchaseOrderId,
    status: PurchaseOrderStatus,
    companyId: Text
  },
  returned: {
    id: PurchaseOrderStatusHistoryId,
    createdAt: Timestamp,
    createdBy: UserId,
    updatedBy: Schema.NullOr(UserId)
  }
}) {}
