import * as Schema from "effect/Schema"
import { CompanyId, CustomerContactId, CustomerLocationId, PaymentTermId, SalesOrderPaymentId } from "../Ids.ts"
import { JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** The payer and the payment terms of a sales order. */
export class SalesOrderPayment extends Resource.make("salesOrderPayment", {
  key: "id",
  required: {
    paymentComplete: Schema.Boolean,
    companyId: CompanyId
  },
  optional: {
    invoiceCustomerId: Text,
    invoiceCustomerLocationId: CustomerLocationId,
    invoiceCustomerContactId: CustomerContactId,
    paymentTermId: PaymentTermId,
    customFields: JsonObject
  },
  returned: {
    id: SalesOrderPaymentId,
    updatedAt: Schema.NullOr(Timestamp)
  },
  rules: {
    onParentDelete: { paymentTermId: "restrict" }
  }
}) {}
