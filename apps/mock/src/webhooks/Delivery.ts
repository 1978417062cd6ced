/**
 * The delivery of an event to a webhook, and the signed message that is sent.
 */
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import * as TraceContext from "../rows/request/TraceContext.ts"
import type { Value } from "../sql/Statement.ts"
import { type Fragment, sql, text } from "../sql/Statement.ts"
import type { Message } from "./Sender.ts"
import type { Signer } from "./WebhookSecrets.ts"

/** One event for one webhook. */
export interface Delivery {
  readonly id: number
  readonly companyId: string
  readonly webhookId: string
  /** The resource of the event. */
  readonly table: string
  readonly key: string
  /** The number of earlier attempts. */
  readonly attempts: number
  readonly eventId: string
  /** The request body, which is the same in every attempt. */
  readonly body: string
  readonly url: string
  /** The trace context of the request that made the change, as text, if it had one. */
  readonly trace: string | null
}

/** The SQL of an event's id: its change, and its sequence number. */
export const eventId: Fragment = text(`"event"."change" || '-' || CAST("event"."sequence" AS text)`)

/** The columns of a delivery, its event and its webhook that {@link fromRow} reads. */
export const columns: Fragment = sql`"delivery"."id", "delivery"."companyId", "delivery"."webhookId",
  "delivery"."key", "delivery"."attempts", ${eventId}, "event"."type", "event"."table", "event"."at",
  "event"."record", "event"."old", "webhook"."url", "event"."trace"`

/** The request body of an event. The stored JSON of `record` and `old` is included unchanged. */
export const body = (
  type: string,
  table: string,
  companyId: string,
  eventId: string,
  timestamp: string,
  record: string,
  old: string | null
): string => {
  const head = JSON.stringify({ type, table, companyId, eventId, timestamp }).slice(0, -1)
  return `${head},"record":${record}${old === null ? "" : `,"old":${old}`}}`
}

export const fromRow = (row: ReadonlyArray<Value>): Delivery => {
  const [id, companyId, webhookId, key, attempts, eventId, type, table, at, record, old, url, trace] = row
  return {
    id: Number(id),
    companyId: String(companyId),
    webhookId: String(webhookId),
    table: String(table),
    key: String(key),
    attempts: Number(attempts),
    eventId: String(eventId),
    body: body(
      String(type),
      String(table),
      String(companyId),
      String(eventId),
      Timestamp.fromMicros(BigInt(String(at))),
      String(record),
      old === null || old === undefined ? null : String(old)
    ),
    url: String(url),
    trace: typeof trace === "string" ? trace : null
  }
}

/** The message of a delivery, signed at a moment with each of its webhook's secrets. */
export const toMessage = (
  { body, eventId, table, trace, url }: Delivery,
  signers: ReadonlyArray<Signer>,
  nowMillis: number
): Message => {
  const { headers } = WebhookEvent
  const moment = new Date(nowMillis)
  return {
    url,
    body,
    table,
    headers: {
      "content-type": "application/json",
      "user-agent": "mfg-mock",
      "accept-encoding": "identity",
      ...(trace === null ? {} : TraceContext.headersOf(trace)),
      [headers.id]: eventId,
      [headers.timestamp]: String(Math.floor(nowMillis / 1000)),
      [headers.signature]: signers.map((signer) => signer.sign(eventId, moment, body)).join(" ")
    }
  }
}
