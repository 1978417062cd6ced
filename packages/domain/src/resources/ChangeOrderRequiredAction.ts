import * as Schema from "effect/Schema"
import * as ResourceRules from "../ResourceRules.ts"
import { ChangeOrderRequiredActionId, CompanyId, UserId } from "../Ids.ts"
import { JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** An action that change orders may require. */
export class ChangeOrderRequiredAction extends Resource.make("changeOrderRequiredAction", {
  key: "id",
  required: {
    name: Text,
    active: Schema.Boolean
  },
  optional: {
    customFields: JsonObject
  },
  returned: {
    id: ChangeOrderRequiredActionId,
    companyId: CompanyId,
    createdBy: UserId,
    createdAt: Timestamp,
    updatedBy: Schema.NullOr(UserId),
    updatedAt: Schema.NullOr(Timestamp)
  },
  rules: {
    unique: [ResourceRules.unique("name")]
  }
}) {}
