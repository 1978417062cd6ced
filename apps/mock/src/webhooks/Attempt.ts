/**
 * Evaluates an attempt: its entry in the log, and the next state of the delivery.
 */
import type { DeliveryAttempt } from "@mfgdata/client/AdminApi"
import * as RetryAfter from "@mfgdata/domain/RetryAfter"
import * as Duration from "effect/Duration"
import type { Delivery } from "./Delivery.ts"
import type { Message, Outcome } from "./Sender.ts"
import * as RetrySchedule from "./RetrySchedule.ts"

interface Log {
  readonly outcome: DeliveryAttempt["outcome"]
  readonly headers: Message["headers"]
  readonly response: Omit<Extract<Outcome, { readonly _tag: "Answered" }>, "_tag" | "requestHeaders"> | undefined
  readonly error: string | undefined
}

/** The next state of a delivery. Times are milliseconds since 1970. */
type Disposition =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retried"; readonly dueAt: number }
  /** The last attempt failed. */
  | { readonly _tag: "Dead" }
  /** The receiver responded with 410: the webhook is disabled, and the delivery waits until it is enabled again. */
  | { readonly _tag: "Disabled"; readonly dueAt: number }

export interface Attempt {
  readonly delivery: Delivery
  readonly startedAt: number
  readonly endedAt: number
  readonly log: Log
  readonly disposition: Disposition
}

const gone = 410

const logOf = (outcome: Outcome, message: Message): Log => {
  const { requestHeaders: headers = message.headers } = outcome
  switch (outcome._tag) {
    case "Answered": {
      const { status } = outcome
      const result =
        status >= 200 && status < 300 ? "delivered" : status >= 300 && status < 400 ? "redirected" : "rejected"
      return { outcome: result, headers, response: outcome, error: undefined }
    }
    case "Refused":
      return { outcome: "refused", headers, response: undefined, error: outcome.reason }
    case "Blocked":
      return { outcome: "blocked", headers, response: undefined, error: outcome.reason }
    case "TimedOut":
      return { outcome: "timedOut", headers, response: undefined, error: `no answer within ${outcome.afterMillis} ms` }
    case "Unreachable":
      return { outcome: "unreachable", headers, response: undefined, error: outcome.reason }
  }
}

const dispositionOf = ({ attempts, eventId, webhookId }: Delivery, log: Log, now: number): Disposition => {
  if (log.outcome === "delivered") return { _tag: "Delivered" }
  const retryAfter = RetryAfter.delay(log.response?.headers["retry-after"], now)
  const notBefore = retryAfter === undefined ? undefined : now + Duration.toMillis(retryAfter)
  const dueAt = RetrySchedule.next({ attempts: attempts + 1, now, seed: `${eventId}/${webhookId}`, notBefore })
  if (log.response?.status === gone) return { _tag: "Disabled", dueAt: dueAt ?? now }
  return dueAt === undefined ? { _tag: "Dead" } : { _tag: "Retried", dueAt }
}

export const make = (
  delivery: Delivery,
  message: Message,
  outcome: Outcome,
  { endedAt, startedAt }: Pick<Attempt, "startedAt" | "endedAt">
): Attempt => {
  const log = logOf(outcome, message)
  return { delivery, startedAt, endedAt, log, disposition: dispositionOf(delivery, log, endedAt) }
}
