import * as Schema from "effect/Schema"
import * as ResourceRules from "../ResourceRules.ts"
import { HttpAddress } from "../HttpAddress.ts"
import { CompanyId, WebhookId, WebhookTableName } from "../Ids.ts"
import { JsonNumber } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"

/** A subscription that sends the changes of one table to an address. */
export class Webhook extends Resource.make("webhook", {
  key: "id",
  required: {
    name: Text,
    table: WebhookTableName,
    url: HttpAddress,
    active: Schema.Boolean,
    onInsert: Schema.Boolean,
    onUpdate: Schema.Boolean,
    onDelete: Schema.Boolean,
    successCount: JsonNumber,
    errorCount: JsonNumber,
    companyId: CompanyId
  },
  optional: {
    lastSuccess: Timestamp,
    lastError: Timestamp
  },
  returned: {
    id: WebhookId
  },
  rules: {
    unique: [ResourceRules.unique("name")],
    onParentDelete: { table: "restrict" }
  }
}) {}
