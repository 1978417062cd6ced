/**
 * Declares the administrator's operations on webhooks and their deliveries.
 */
import { JsonObject } from "@mfgdata/domain/Json"
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as AdminField from "./AdminField.ts"

/** The seconds for which what is replaced stays valid, up to a year. */
export const overlap = (fallback: number) =>
  AdminField.defaulted(Schema.Int.pipe(Schema.between(0, 31_536_000)), () => fallback)

/** A webhook; by default of the first company. */
const webhook = { id: Schema.String, companyId: AdminField.optional(Text.NonEmpty) }

const WebhookSecret = Schema.Struct({ secret: Schema.String })

const day = 86_400

const secrets = {
  showWebhookSecret: {
    method: "POST",
    path: "/webhooks/:id/secret",
    status: 200,
    request: Schema.Struct(webhook),
    response: WebhookSecret
  },
  rollWebhookSecret: {
    method: "POST",
    path: "/webhooks/:id/secret/roll",
    status: 201,
    /** Both secrets sign for the overlap. */
    request: Schema.Struct({ ...webhook, overlapSeconds: overlap(day) }),
    response: WebhookSecret
  }
} as const

/**
 * The states of a delivery: `dead` after its last attempt, `dropped` with its webhook, `held` in the fork of a world in
 * which it was pending, until it is delivered again.
 */
export const DeliveryState = Schema.Literal("pending", "delivered", "dead", "dropped", "held")
export type DeliveryState = typeof DeliveryState.Type

/** A delivery of an event to a webhook. */
export const DeliveryRecord = Schema.Struct({
  id: Schema.String,
  eventId: Schema.String,
  companyId: Schema.String,
  webhookId: Schema.String,
  table: Schema.String,
  type: Schema.String,
  /** The key of the row. */
  key: Schema.String,
  state: DeliveryState,
  attempts: Schema.Int,
  /** Null once it is settled, and while it waits for an earlier event of its row. */
  dueAt: Schema.NullOr(Timestamp.Timestamp),
  createdAt: Timestamp.Timestamp,
  settledAt: Schema.NullOr(Timestamp.Timestamp)
})
export type DeliveryRecord = typeof DeliveryRecord.Type

const Headers = Schema.Record({ key: Schema.String, value: Schema.String })

/** An attempt of a delivery. */
export const DeliveryAttempt = Schema.Struct({
  number: Schema.Int,
  at: Timestamp.Timestamp,
  durationMillis: Schema.Number,
  outcome: Schema.Literal("delivered", "rejected", "redirected", "timedOut", "unreachable", "refused", "blocked"),
  url: Schema.String,
  requestHeaders: Headers,
  status: Schema.NullOr(Schema.Int),
  responseHeaders: Schema.NullOr(Headers),
  /** The first 4 KB. */
  responseBody: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String)
})
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** A delivery with its event and all attempts. */
export const DeliveryDetail = Schema.Struct({
  ...DeliveryRecord.fields,
  body: JsonObject,
  log: Schema.Array(DeliveryAttempt)
})
export type DeliveryDetail = typeof DeliveryDetail.Type

const filter = {
  companyId: AdminField.optional(Text.NonEmpty),
  webhookId: AdminField.optional(Text.NonEmpty),
  table: AdminField.optional(Text.NonEmpty),
  key: AdminField.optional(Text.NonEmpty),
  eventId: AdminField.optional(Text.NonEmpty),
  state: AdminField.optional(DeliveryState)
}

const Redelivered = Schema.Struct({ count: Schema.Int })

const deliveries = {
  listDeliveries: {
    method: "GET",
    path: "/deliveries",
    status: 200,
    request: Schema.Struct({
      ...filter,
      since: AdminField.optional(Timestamp.Timestamp),
      limit: AdminField.limit(1000),
      /** The id of the last delivery of the page before: older ones follow. */
      after: AdminField.optional(Schema.String.pipe(Schema.pattern(/^\d{1,15}$/)))
    }),
    response: Schema.Array(DeliveryRecord)
  },
  getDelivery: {
    method: "GET",
    path: "/deliveries/:id",
    status: 200,
    request: Schema.Struct({ id: Schema.String }),
    response: DeliveryDetail
  },
  redeliver: {
    method: "POST",
    path: "/deliveries/:id/redeliver",
    status: 200,
    request: Schema.Struct({ id: Schema.String }),
    response: Redelivered
  },
  redeliverAll: {
    method: "POST",
    path: "/deliveries/redeliver",
    status: 200,
    request: Schema.Struct({ ...filter, since: Timestamp.Timestamp }),
    response: Redelivered
  }
} as const

export const operations = { ...secrets, ...deliveries } as const
