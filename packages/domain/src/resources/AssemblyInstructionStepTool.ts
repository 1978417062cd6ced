import * as ResourceRules from "../ResourceRules.ts"
import { AssemblyInstructionStepId, AssemblyInstructionStepToolId, CompanyId, ItemId, UserId } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Timestamp } from "../Timestamp.ts"

/** A tool that a step of an assembly instruction needs. */
export class AssemblyInstructionStepTool extends Resource.make("assemblyInstructionStepTool", {
  key: "id",
  required: {
    stepId: AssemblyInstructionStepId,
    itemId: ItemId,
    quantity: JsonNumber,
    sortOrder: JsonNumber,
    companyId: CompanyId
  },
  returned: {
    id: AssemblyInstructionStepToolId,
    createdBy: UserId,
    createdAt: Timestamp
  },
  rules: {
    unique: [ResourceRules.unique("stepId", "itemId")]
  }
}) {}
