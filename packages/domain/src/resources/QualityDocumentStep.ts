import * as Schema from "effect/Schema"
import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, QualityDocumentId, QualityDocumentStepId, UserId } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text, TextArray } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"
import { ProcedureStepType } from "../Vocabularies.ts"

/** A step of a quality document: the recorded value and its bounds. */
export class QualityDocumentStep extends Resource.make("qualityDocumentStep", {
  key: "id",
  required: {
    qualityDocumentId: QualityDocumentId,
    name: Text,
    sortOrder: JsonNumber,
    type: ProcedureStepType
  },
  optional: {
    description: Text,
    required: Schema.Boolean,
    unitOfMeasureCode: Text,
    minValue: JsonNumber,
    maxValue: JsonNumber,
    listValues: TextArray,
    fileTypes: TextArray,
    companyId: CompanyId
  },
  returned: {
    id: QualityDocumentStepId,
    createdAt: Timestamp,
    createdBy: UserId
  },
  rules: {
    checks: [ResourceRules.presentWhen("unitOfMeasureCode", "type", "Measurement")]
  }
}) {}
