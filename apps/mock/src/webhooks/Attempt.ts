/**
 * What an attempt came to: what the log keeps of it, and what becomes of the delivery.
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
  readonly response: Omit<Extract<Outcome, { readonly _tag: "Answered" }>, "_tag"> | undefined
  readonly error: string | undefined
}

/** What becomes of a delivery. Times are milliseconds since 1970. */
type Fate =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retried"; readonly dueAt: number }
  /** The last attempt failed. */
  | { readonly _tag: "Dead" }
  /** The receiver says that it is gone for good: the webhook is switched off, and the delivery waits for it. */
  | { readonly _tag: "SwitchedOff"; readonly dueAt: number }

export interface Attempt {
  readonly delivery: Delivery
  readonly startedAt: number
  readonly endedAt: number
  readonly log: Log
  readonly fate: Fate
}

const gone = 410

const logOf = (outcome: Outcome, { headers }: Message): Log => {
  switch (outcome._tag) {
    case "Answered": {
      const { status } = outcome
      const word =
        status >= 200 && status < 300 ? "delivered" : status >= 300 && status < 400 ? "redirected" : "rejected"
      return { outcome: word, headers, response: outcome, error: undefined }
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

const fateOf = ({ attempts, eventId, webhookId }: Delivery, log: Log, now: number): Fate => {
  if (log.outcome === "delivered") return { _tag: "Delivered" }
  const retryAfter = RetryAfter.delay(log.response?.headers["retry-after"], now)
  const notBefore = retryAfter === undefined ? undefined : now + Duration.toMillis(retryAfter)
  const dueAt = RetrySchedule.next({ attempts: attempts + 1, now, seed: `${eventId}/${webhookId}`, notBefore })
  if (log.response?.status === gone) return { _tag: "SwitchedOff", dueAt: dueAt ?? now }
  return dueAt === undefined ? { _tag: "Dead" } : { _tag: "Retried", dueAt }
}

export const make = (
  delivery: Delivery,
  message: Message,
  outcome: Outcome,
  { endedAt, startedAt }: Pick<Attempt, "startedAt" | "endedAt">
): Attempt => {
  const log = logOf(outcome, message)
  return { delivery, startedAt, endedAt, log, fate: fateOf(delivery, log, endedAt) }
}
