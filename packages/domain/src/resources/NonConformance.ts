import { CalendarDate } from "../CalendarDate.ts"
import {
  CompanyId,
  LocationId,
  NonConformanceId,
  NonConformanceTypeId,
  NonConformanceWorkflowId,
  UserId
} from "../Ids.ts"
import { JsonNumber, JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text, TextArray } from "../Text.ts"
import {
  NonConformanceApproval,
  NonConformancePriority,
  NonConformanceSource,
  NonConformanceStatus
} from "../Vocabularies.ts"

/** A quality issue and its status. */
export class NonConformance extends Resource.make("nonConformance", {
  key: "id",
  required: {
    nonConformanceId: Text,
    name: Text,
    source: NonConformanceSource,
    status: NonConformanceStatus,
    content: JsonObject,
    locationId: LocationId,
    nonConformanceTypeId: NonConformanceTypeId,
    openDate: CalendarDate,
    quantity: JsonNumber
  },
  optional: {
    description: Text,
    priority: NonConformancePriority,
    approvalRequirements: NonConformanceApproval,
    nonConformanceWorkflowId: NonConformanceWorkflowId,
    dueDate: CalendarDate,
    closeDate: CalendarDate,
    assignee: UserId,
    customFields: JsonObject,
    tags: TextArray,
    companyId: CompanyId,
    requiredActionIds: TextArray
  },
  returned: {
    id: NonConformanceId
  }
}) {}
