import * as ResourceRules from "../ResourceRules.ts"
import { AssemblyPlanJobId, CompanyId, ModelUploadId, UserId } from "../Ids.ts"
import { JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"
import { ModelProcessingStatus } from "../Vocabularies.ts"

/** A run that converts or plans the assembly of an uploaded model. */
export class AssemblyPlanJob extends Resource.make("assemblyPlanJob", {
  key: "id",
  required: {
    modelUploadId: ModelUploadId,
    kind: Text,
    status: ModelProcessingStatus,
    companyId: CompanyId
  },
  optional: {
    planPath: Text,
    stats: JsonObject,
    error: Text
  },
  returned: {
    id: AssemblyPlanJobId,
    createdBy: UserId,
    createdAt: Timestamp
  },
  rules: {
    checks: [ResourceRules.oneOf("kind", ["convert", "plan"])]
  }
}) {}
