import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, InboundInspectionId, ItemId, ReceiptId, ReceiptLineId, SupplierId, UserId } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"
import {
  InboundInspectionStatus,
  InspectionLevel,
  InspectionSeverity,
  SamplingPlanType,
  SamplingStandard
} from "../Vocabularies.ts"

/** The inspection of a received lot, with its sampling plan and outcome. */
export class InboundInspection extends Resource.make("inboundInspection", {
  key: "id",
  required: {
    inboundInspectionId: Text,
    receiptLineId: ReceiptLineId,
    receiptId: ReceiptId,
    itemId: ItemId,
    lotSize: JsonNumber,
    samplingStandard: SamplingStandard,
    samplingPlanType: SamplingPlanType,
    sampleSize: JsonNumber,
    acceptanceNumber: JsonNumber,
    rejectionNumber: JsonNumber,
    status: InboundInspectionStatus,
    companyId: CompanyId
  },
  optional: {
    itemReadableId: Text,
    supplierId: SupplierId,
    aql: JsonNumber,
    inspectionLevel: InspectionLevel,
    severity: InspectionSeverity,
    codeLetter: Text,
    notes: Text,
    dispositionedBy: UserId,
    dispositionedAt: Timestamp
  },
  returned: {
    id: InboundInspectionId
  },
  rules: {
    indexed: ["itemId"],
    unique: [ResourceRules.unique("inboundInspectionId"), ResourceRules.unique("receiptLineId")]
  }
}) {}
