/**
 * Lets requests with large bodies take turns: at most two are handled at a time, one of each company, because a parsed
 * body needs many times its size in memory, and each takes a slice of every turn of the event loop.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exchange from "../Exchange.ts"
import * as FairQueue from "../store/FairQueue.ts"
import * as RowErrorBody from "./RowErrorBody.ts"

/** Handles a request when it is its turn. A request that is interrupted loses its turn. */
export interface LargeRequests {
  (consumer: FairQueue.Consumer, handle: Effect.Effect<Exchange.Response>): Effect.Effect<Exchange.Response>
}

const limits: FairQueue.Limits = { slots: 2, places: 1024 }

/** The time after which a request that waits is refused. */
export const waitMillis = 3000

export const make = (millis = waitMillis): LargeRequests => {
  const queue = FairQueue.make(limits)
  const turn = (consumer: FairQueue.Consumer) =>
    Effect.async<() => void, Exchange.Response>((resume) => {
      let release: (() => void) | undefined
      let timer: NodeJS.Timeout | undefined
      const accepted = queue.acquire(consumer, (free) => {
        release = free
        clearTimeout(timer)
        resume(Effect.succeed(free))
      })
      if (Either.isLeft(accepted)) return resume(Effect.fail(RowErrorBody.toResponse(accepted.left)))
      if (release !== undefined) return undefined
      timer = setTimeout(() => {
        accepted.right()
        const late = FairQueue.missed(consumer, millis)
        resume(
          Effect.fail(RowErrorBody.toResponse(late.reason._tag === "Unread" ? late : { _tag: "TurnMissed", millis }))
        )
      }, millis)
      return Effect.sync(() => {
        clearTimeout(timer)
        accepted.right()
        release?.()
      })
    })
  return (consumer, handle) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(turn(consumer)), (release) => Effect.ensuring(restore(handle), Effect.sync(release)))
    ).pipe(Effect.merge)
}
