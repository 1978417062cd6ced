/**
 * Sends deliveries with their faults: twice, later, after the next one, or not at all.
 */
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Message, Outcome, Sender } from "../webhooks/Sender.ts"
import { pause } from "../world/RealTime.ts"
import type { Faults } from "./Faults.ts"

/** The real time after which a delivery that waits for the next one is sent without it. */
const reorderMillis = 1000

/** The number of dropped deliveries that are remembered. */
const mostDropped = 10_000

const delayed: Outcome = { _tag: "Unreachable", reason: "a fault rule delays the delivery until its next attempt" }

const dropped: Outcome = { _tag: "Answered", status: 200, headers: {}, body: "a fault rule has dropped the delivery" }

const addressOf = ({ headers, url }: Message): string => `${headers[WebhookEvent.headers.id]} ${url}`

/** A sender whose deliveries have the faults of a world. */
export const make = (send: Sender, faults: Pick<Faults, "decideDelivery">): Sender => {
  const waiting = new Map<string, Deferred.Deferred<void>>()
  const seen = new Set<string>()

  /** Reports whether a delivery is here for the first time; a delivery that is sent again is not dropped again. */
  const isNew = (message: Message): boolean => {
    const address = addressOf(message)
    if (seen.has(address)) return false
    const [oldest] = seen
    if (oldest !== undefined && seen.size >= mostDropped) seen.delete(oldest)
    seen.add(address)
    return true
  }

  /** Sends a message, and then one of the same receiver that waits for it. */
  const sendNow = (message: Message) =>
    Effect.tap(send(message), () => {
      const next = waiting.get(message.url)
      return next === undefined ? Effect.void : Deferred.succeed(next, undefined)
    })

  /** Waits for the next delivery to the same receiver. */
  const sendAfterNext = (message: Message) =>
    Effect.gen(function* () {
      const turn = yield* Deferred.make<void>()
      waiting.set(message.url, turn)
      yield* Effect.raceFirst(Deferred.await(turn), pause(reorderMillis))
      if (waiting.get(message.url) === turn) waiting.delete(message.url)
      return yield* send(message)
    })

  return (message) =>
    Effect.suspend(() => {
      switch (faults.decideDelivery(message.table)) {
        case undefined:
          return sendNow(message)
        case "duplicate":
          return Effect.zipRight(send(message), sendNow(message))
        case "delay":
          return Effect.succeed(delayed)
        case "drop":
          return isNew(message) ? Effect.succeed(dropped) : sendNow(message)
        case "reorder":
          return waiting.has(message.url) ? sendNow(message) : sendAfterNext(message)
      }
    })
}
