/**
 * Deliveries as an administrator is shown them.
 */
import { JsonObject } from "@mfgdata/domain/Json"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as Attempts from "./Attempt.ts"

/** Where a delivery stands: `dead` after its last attempt, `dropped` with its webhook. */
export const State = Schema.Literal("pending", "delivered", "dead", "dropped")
export type State = typeof State.Type

export const Delivery = Schema.Struct({
  id: Schema.String,
  eventId: Schema.String,
  companyId: Schema.String,
  webhookId: Schema.String,
  table: Schema.String,
  type: Schema.String,
  /** The key of the row. */
  key: Schema.String,
  state: State,
  attempts: Schema.Int,
  /** Null once it is settled, and while it waits for an earlier event of its row. */
  dueAt: Schema.NullOr(Timestamp.Timestamp),
  createdAt: Timestamp.Timestamp,
  settledAt: Schema.NullOr(Timestamp.Timestamp)
})
export type Delivery = typeof Delivery.Type

const Headers = Schema.Record({ key: Schema.String, value: Schema.String })

export const Attempt = Schema.Struct({
  number: Schema.Int,
  at: Timestamp.Timestamp,
  durationMillis: Schema.Number,
  outcome: Schema.Literal(...Attempts.outcomes),
  url: Schema.String,
  requestHeaders: Headers,
  status: Schema.NullOr(Schema.Int),
  responseHeaders: Schema.NullOr(Headers),
  /** Its first 4 KB. */
  responseBody: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String)
})
export type Attempt = typeof Attempt.Type

export const Detail = Schema.Struct({ ...Delivery.fields, body: JsonObject, log: Schema.Array(Attempt) })
export type Detail = typeof Detail.Type
