import * as Schema from "effect/Schema"
import { CalendarDate } from "../CalendarDate.ts"
import * as ResourceRules from "../ResourceRules.ts"
import { CustomerLocationId, LocationId, PurchaseOrderDeliveryId, ShippingMethodId, ShippingTermId } from "../Ids.ts"
import { JsonNumber, JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text, TextArray } from "../Text.ts"

/** The delivery method and address of a purchase order. */
export class PurchaseOrderDelivery extends Resource.make("purchaseOrderDelivery", {
  key: "id",
  required: {
    dropShipment: Schema.Boolean,
    companyId: Text,
    supplierShippingCost: JsonNumber
  },
  optional: {
    locationId: LocationId,
    shippingMethodId: ShippingMethodId,
    shippingTermId: ShippingTermId,
    receiptRequestedDate: CalendarDate,
    receiptPromisedDate: CalendarDate,
    deliveryDate: CalendarDate,
    notes: Text,
    trackingNumber: Text,
    customerId: Text,
    customerLocationId: CustomerLocationId,
    customFields: JsonObject,
    tags: TextArray,
    incoterm: Text,
    incotermLocation: Text
  },
  returned: {
    id: PurchaseOrderDeliveryId
  },
  rules: {
    checks: [
      ResourceRules.oneOf("incoterm", ["EXW", "FCA", "FAS", "FOB", "CPT", "CIP", "CFR", "CIF", "DAP", "DPU", "DDP"])
    ]
  }
}) {}
