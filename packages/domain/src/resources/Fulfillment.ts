import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, FulfillmentId, JobId, SalesOrderLineId, UserId } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Timestamp } from "../Timestamp.ts"
import { FulfillmentType } from "../Vocabularies.ts"

/** The fulfilled quantity of a sales order line, from inventory or by a job. */
export class Fulfillment extends Resource.make("fulfillment", {
  key: "id",
  required: {
    salesOrderLineId: SalesOrderLineId,
    type: FulfillmentType,
    quantity: JsonNumber,
    companyId: CompanyId
  },
  optional: {
    jobId: JobId
  },
  returned: {
    id: FulfillmentId,
    createdAt: Timestamp,
    createdBy: UserId
  },
  rules: {
    checks: [ResourceRules.presentWhen("jobId", "type", "Job")]
  }
}) {}
