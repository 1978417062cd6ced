import * as ResourceRules from "../ResourceRules.ts"
import { AssemblyInstructionStepId, AssemblyInstructionStepSlideId, CompanyId, ModelUploadId, UserId } from "../Ids.ts"
import { JsonNumber, JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** A picture or model shown at a step of an assembly instruction. */
export class AssemblyInstructionStepSlide extends Resource.make("assemblyInstructionStepSlide", {
  key: "id",
  required: {
    stepId: AssemblyInstructionStepId,
    sortOrder: JsonNumber,
    size: Text,
    annotations: JsonObject,
    companyId: CompanyId
  },
  optional: {
    imagePath: Text,
    modelUploadId: ModelUploadId,
    caption: Text
  },
  returned: {
    id: AssemblyInstructionStepSlideId,
    createdBy: UserId,
    createdAt: Timestamp
  },
  rules: {
    checks: [
      ResourceRules.anyOf("imagePath", "modelUploadId"),
      ResourceRules.oneOf("size", ["small", "medium", "large"])
    ]
  }
}) {}
