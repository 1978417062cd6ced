/** Makes the body of a new webhook. */
import type { JsonObject } from "@mfgdata/domain/Json"

const everyChange = {
  name: "hook",
  table: "holiday",
  url: "https://receiver.example/",
  active: true,
  onInsert: true,
  onUpdate: true,
  onDelete: true,
  successCount: 0,
  errorCount: 0,
  companyId: "demo"
}

/** A webhook that subscribes to every change of the demo's holidays, except for the given fields. */
export const newWebhook = <const Fields extends JsonObject>(fields: Fields) => ({ ...everyChange, ...fields })
