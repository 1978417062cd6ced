/**
 * Declares the administrator's operations on the history of the rows.
 */
import { JsonObject } from "@mfgdata/domain/Json"
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as AdminField from "./AdminField.ts"
import { DeliveryAttempt, DeliveryRecord } from "./AdminWebhooks.ts"

/** A change of a row. Sensitive values are null. */
export const HistoryEntry = Schema.Struct({
  sequence: Schema.Int,
  at: Timestamp.Timestamp,
  resource: Schema.String,
  key: Schema.String,
  kind: Schema.Literal("INSERT", "UPDATE", "DELETE"),
  /** The row before the change: null for a new one. */
  before: Schema.NullOr(JsonObject),
  /** The row after the change: null for a deleted one. */
  after: Schema.NullOr(JsonObject),
  /** The request that made the change: null where the service itself made it. */
  requestId: Schema.NullOr(Schema.String),
  /** The name of its key. */
  apiKey: Schema.NullOr(Schema.String),
  userId: Schema.NullOr(Schema.String)
})
export type HistoryEntry = typeof HistoryEntry.Type

/** A thing that touched a row. */
export const HistoryCause = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("request"),
    at: Timestamp.Timestamp,
    requestId: Schema.String,
    /** The method and the path. */
    request: Schema.NullOr(Schema.String),
    apiKey: Schema.NullOr(Schema.String),
    userId: Schema.NullOr(Schema.String)
  }),
  Schema.Struct({ type: Schema.Literal("change"), at: Timestamp.Timestamp, change: HistoryEntry }),
  Schema.Struct({ type: Schema.Literal("delivery"), at: Timestamp.Timestamp, delivery: DeliveryRecord }),
  Schema.Struct({
    type: Schema.Literal("attempt"),
    at: Timestamp.Timestamp,
    deliveryId: Schema.String,
    webhookId: Schema.String,
    attempt: DeliveryAttempt
  })
)
export type HistoryCause = typeof HistoryCause.Type

/** The changes that a request selects; an absent field selects all. */
const filter = {
  resource: AdminField.optional(AdminField.ResourceName),
  key: AdminField.optional(Schema.String),
  companyId: AdminField.optional(Text.NonEmpty),
  since: AdminField.optional(Timestamp.Timestamp),
  until: AdminField.optional(Timestamp.Timestamp),
  /** The id of the request that made the change. */
  request: AdminField.optional(Schema.String),
  user: AdminField.optional(Schema.String)
}

export const operations = {
  /** The newest changes first. */
  listHistory: {
    method: "GET",
    path: "/history",
    status: 200,
    request: Schema.Struct({
      ...filter,
      limit: AdminField.limit(1000),
      /** The number of the last change of the page before: older ones follow. */
      after: AdminField.optional(AdminField.Whole)
    }),
    response: Schema.Array(HistoryEntry)
  },
  /** Everything that touched a row, the oldest first: requests, changes, deliveries and their attempts. */
  explainRow: {
    method: "GET",
    path: "/why/:resource/:key",
    status: 200,
    request: Schema.Struct({ resource: AdminField.ResourceName, key: Schema.String, companyId: filter.companyId }),
    response: Schema.Array(HistoryCause)
  },
  /** Makes the opposite of a change, and returns it, unless the row has changed since. */
  undoChange: {
    method: "POST",
    path: "/history/:sequence/undo",
    status: 200,
    request: Schema.Struct({ sequence: AdminField.Whole }),
    response: HistoryEntry
  },
  /** Changes all rows back to a time. */
  rewindWorld: {
    method: "POST",
    path: "/worlds/:world/rewind",
    status: 200,
    request: Schema.Struct({ world: Schema.String, to: Timestamp.Timestamp }),
    response: Schema.Struct({ to: Timestamp.Timestamp, changes: Schema.Int })
  }
} as const
