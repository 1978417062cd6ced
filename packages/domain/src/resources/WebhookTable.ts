import * as ResourceRules from "../ResourceRules.ts"
import { WebhookTableName } from "../Ids.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"

/** A table that webhooks can target. */
export class WebhookTable extends Resource.make("webhookTable", {
  key: "table",
  required: {
    module: Text,
    name: Text
  },
  returned: {
    table: WebhookTableName
  },
  rules: {
    unique: [ResourceRules.unique("name")],
    checks: [
      ResourceRules.oneOf("module", [
        "Accounting",
        "Documents",
        "Invoicing",
        "Inventory",
        "Items",
        "Messaging",
        "Parts",
        "People",
        "Production",
        "Purchasing",
        "Resources",
        "Sales",
        "Settings",
        "Users",
        "Quality",
        "Printing",
        "Workflows"
      ])
    ],
    defaults: { table: { _tag: "CamelCaseOf", column: "name" } }
  }
}) {}
