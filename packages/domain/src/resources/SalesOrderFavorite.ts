import { SalesOrderId, UserId } from "../Ids.ts"
import * as Resource from "../Resource.ts"

/** A sales order that a user has marked; users see only their own. */
export class SalesOrderFavorite extends Resource.make("salesOrderFavorite", {
  key: "salesOrderId",
  required: {
    salesOrderId: SalesOrderId
  },
  returned: {
    userId: UserId
  },
  rules: {
    defaults: { userId: { _tag: "Creator" } },
    owner: "user"
  }
}) {}
