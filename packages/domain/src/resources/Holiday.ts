import * as Schema from "effect/Schema"
import { CalendarDate } from "../CalendarDate.ts"
import * as ResourceRules from "../ResourceRules.ts"
import { CompanyId, HolidayId, UserId } from "../Ids.ts"
import { JsonNumber, JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text, TextArray } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** A day on which the company does not work. */
export class Holiday extends Resource.make("holiday", {
  key: "id",
  required: {
    name: Text,
    date: CalendarDate,
    companyId: CompanyId
  },
  optional: {
    year: JsonNumber,
    customFields: JsonObject,
    tags: TextArray
  },
  returned: {
    id: HolidayId,
    createdBy: UserId,
    createdAt: Timestamp,
    updatedBy: Schema.NullOr(UserId)
  },
  rules: {
    unique: [ResourceRules.unique("date")],
    defaults: { year: { _tag: "YearOf", column: "date" } }
  }
}) {}
