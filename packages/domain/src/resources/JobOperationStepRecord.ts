import * as Schema from "effect/Schema"
import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, JobOperationStepId, JobOperationStepRecordId, UserId } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** A record of a step of a job operation. */
export class JobOperationStepRecord extends Resource.make("jobOperationStepRecord", {
  key: "id",
  required: {
    jobOperationStepId: JobOperationStepId,
    companyId: CompanyId,
    index: JsonNumber
  },
  optional: {
    value: Text,
    numericValue: JsonNumber,
    booleanValue: Schema.Boolean,
    userValue: UserId
  },
  returned: {
    id: JobOperationStepRecordId,
    createdAt: Timestamp,
    createdBy: UserId
  },
  rules: {
    unique: [ResourceRules.unique("jobOperationStepId", "index")]
  }
}) {}
