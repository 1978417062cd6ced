import * as Schema from "effect/Schema"
import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, PaymentTermId } from "../Ids.ts"
import { JsonNumber, JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text, TextArray } from "../Text.ts"
import { PaymentTermCalculationMethod } from "../Vocabularies.ts"

/** The due date and discount of an invoice. */
export class PaymentTerm extends Resource.make("paymentTerm", {
  key: "id",
  required: {
    name: Text,
    daysDue: JsonNumber,
    daysDiscount: JsonNumber,
    discountPercentage: JsonNumber,
    calculationMethod: PaymentTermCalculationMethod,
    active: Schema.Boolean,
    companyId: CompanyId
  },
  optional: {
    customFields: JsonObject,
    tags: TextArray
  },
  returned: {
    id: PaymentTermId
  },
  rules: {
    unique: [ResourceRules.unique("name", "active")]
  }
}) {}
