import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, WorkflowTriggerEventId } from "../Ids.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** An event that triggers a version of a workflow. */
export class WorkflowTriggerEvent extends Resource.make("workflowTriggerEvent", {
  key: "id",
  required: {
    workflowId: Text,
    workflowVersionId: Text,
    eventId: Text,
    origin: Text
  },
  returned: {
    id: WorkflowTriggerEventId,
    companyId: CompanyId,
    createdAt: Timestamp
  },
  rules: {
    unique: [ResourceRules.unique("workflowId", "eventId")],
    checks: [ResourceRules.oneOf("origin", ["Person", "Automation", "Both"])]
  }
}) {}
