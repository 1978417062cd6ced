/**
 * Delivers events: claims due deliveries, sends them and settles the attempts. It is woken by commits, by attempts that
 * end and by the moment at which the next delivery is due; in between it does nothing.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { hostname } from "node:os"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import * as Attempt from "./Attempt.ts"
import * as Delivery from "./Delivery.ts"
import * as DeliveryQueue from "./DeliveryQueue.ts"
import * as WebhookRef from "./WebhookRef.ts"
import type { Sender } from "./Sender.ts"
import * as RetrySchedule from "./RetrySchedule.ts"
import type { Signer, WebhookSecrets } from "./WebhookSecrets.ts"

export interface Options {
  readonly world: Pick<World["Type"], "now" | "newId" | "store">
  readonly secrets: WebhookSecrets
  readonly send: Sender
}

export interface Dispatcher {
  /** Waits until no attempt is in flight and no delivery is due. */
  readonly idle: Effect.Effect<void>
  /** The moment at which the next delivery is due, in milliseconds since 1970; `undefined` while none waits. */
  readonly next: () => number | undefined
}

/** Concurrent attempts in all and per webhook, so that a receiver that hangs does not delay other webhooks. */
const limits = { all: 512, each: 16 }

/** The lease of a claim, longer than an attempt takes: after it another process claims the delivery. */
const leaseMillis = 20_000

/** The pause after a failure of the store. */
const pauseMillis = 1000

/** The real time for which ended attempts are collected, to settle them together. */
const collectMillis = 50

/** The real-time interval of polling for deliveries that other processes have left. */
const pollMillis = 1000

/** Sleeps in real time, also when the world has a virtual clock. */
const pause = (millis: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** A dispatcher that delivers until the scope ends, and then releases the deliveries that were not sent. */
export const make = ({ secrets, send, world }: Options): Effect.Effect<Dispatcher, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { newId, now, store } = world
    const queue = DeliveryQueue.make(world, `${hostname()}/${process.pid}/${newId()}`, RetrySchedule.disableAfterMillis)
    const isShared = store.dialect.name === "postgres"
    const latch = yield* Effect.makeLatch(true)
    const inFlight = new Map<number, Delivery.Delivery>()
    const reported = new Set<string>()
    let finished: Array<Attempt.Attempt> = []
    const waiters: Array<Deferred.Deferred<void>> = []
    let nextDue: number | undefined
    let isWoken = true
    let isClaimUnknown = false
    let begun = 0

    const wake = () => {
      isWoken = true
      latch.unsafeOpen()
    }

    const attempts = yield* FiberSet.make<void>()
    const run = yield* FiberSet.runtime(attempts)()

    /** Logs, once per webhook, that its deliveries are blocked. */
    const report = ({ companyId, webhookId, ...delivery }: Delivery.Delivery, reason: string) => {
      const key = WebhookRef.toKey(WebhookRef.fromDelivery({ companyId, webhookId, ...delivery }))
      if (reported.has(key)) return Effect.void
      reported.add(key)
      return Effect.logError("deliveries of a webhook are blocked").pipe(
        Effect.annotateLogs({ companyId, webhookId, reason })
      )
    }

    const attempt = (delivery: Delivery.Delivery, signers: ReadonlyArray<Signer>) =>
      Effect.suspend(() => {
        const startedAt = now()
        const message = Delivery.toMessage(delivery, signers, startedAt)
        return Effect.flatMap(send(message), (outcome) => {
          finished.push(Attempt.make(delivery, message, outcome, { startedAt, endedAt: now() }))
          wake()
          return outcome._tag === "Blocked" ? report(delivery, outcome.reason) : Effect.void
        })
      })

    /** The claims within the limits, after the settled attempts have ended. */
    const claimsOf = (due: ReadonlyArray<DeliveryQueue.DueWebhook>, settled: ReadonlyArray<Attempt.Attempt>) => {
      const ended = new Set(settled.map(({ delivery }) => delivery.id))
      const counts = new Map<string, number>()
      for (const delivery of inFlight.values()) {
        const key = WebhookRef.toKey(WebhookRef.fromDelivery(delivery))
        if (!ended.has(delivery.id)) counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      const webhooks = new Map(
        due.flatMap(({ isNow, webhook }) => (isNow ? [[WebhookRef.toKey(webhook), webhook]] : []))
      )
      // A settled delivery may make the next one of its row due.
      for (const { delivery } of settled) {
        const webhook = WebhookRef.fromDelivery(delivery)
        webhooks.set(WebhookRef.toKey(webhook), webhook)
      }
      const room = limits.all - (inFlight.size - ended.size)
      const open = Array.from(webhooks, ([key, webhook]) => ({ webhook, count: limits.each - (counts.get(key) ?? 0) }))
        .filter(({ count }) => count > 0)
        .slice(0, room)
      const share = Math.max(1, Math.floor(room / Math.max(1, open.length)))
      return open.map(({ count, webhook }) => ({ webhook, count: Math.min(count, share) }))
    }

    /** Settles ended attempts and sends due deliveries; returns whether there were any. */
    const turn = Effect.gen(function* () {
      // The lost response to an earlier claim may have leased deliveries to this process: they become due again.
      if (isClaimUnknown) yield* queue.release([...inFlight.keys()])
      isClaimUnknown = false
      const due = yield* queue.due
      const claims = claimsOf(due, finished)
      const signersOf = yield* secrets.signers(claims.map(({ webhook }) => webhook))
      const settled = finished
      finished = []
      const claimed = yield* queue.settleAndClaim(settled, claims, now() + leaseMillis).pipe(
        Effect.onError((cause) =>
          Effect.sync(() => {
            isClaimUnknown = true
            // An interrupted change is committed all the same.
            if (!Cause.isInterruptedOnly(cause)) finished = [...settled, ...finished]
          })
        )
      )
      const moments = [
        ...due.map(({ next }) => next),
        ...settled.map(({ disposition }) => ("dueAt" in disposition ? disposition.dueAt : undefined))
      ].filter((moment) => moment !== undefined)
      nextDue = moments.length === 0 ? undefined : Math.min(...moments)
      for (const { delivery } of settled) inFlight.delete(delivery.id)
      for (const delivery of claimed) {
        inFlight.set(delivery.id, delivery)
        run(attempt(delivery, signersOf(WebhookRef.fromDelivery(delivery))))
      }
      return settled.length > 0 || claimed.length > 0
    })

    const rest = Effect.suspend(() =>
      nextDue === undefined
        ? latch.await
        : Effect.raceFirst(latch.await, Effect.sleep(Duration.millis(Math.max(1, nextDue - now()))))
    )

    /** Waits a moment for further attempts to end, while some are in flight. */
    const collect = Effect.suspend(() => {
      const left = begun + collectMillis - performance.now()
      return left > 0 && inFlight.size > finished.length ? pause(left) : Effect.void
    })

    const round = Effect.gen(function* () {
      yield* collect
      begun = performance.now()
      latch.unsafeClose()
      isWoken = false
      if ((yield* turn) && inFlight.size === 0) return
      if (inFlight.size === 0 && !isWoken) {
        for (const waiter of waiters.splice(0)) Deferred.unsafeDone(waiter, Effect.void)
      }
      yield* rest
    }).pipe(
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logError("deliveries are delayed", cause).pipe(Effect.zipRight(Effect.sleep(pauseMillis)))
      )
    )

    yield* Effect.acquireRelease(
      Effect.sync(() => store.subscribe(wake)),
      (stop) => Effect.sync(stop)
    )
    if (isShared) {
      yield* Effect.acquireRelease(
        Effect.sync(() => setInterval(wake, pollMillis).unref()),
        (timer) => Effect.sync(() => clearInterval(timer))
      )
    } else {
      yield* queue.reclaim
    }
    yield* Effect.addFinalizer(() =>
      Effect.ignore(
        Effect.zipRight(
          Effect.suspend(() => queue.settleAndClaim(finished, [], 0)),
          queue.release([])
        )
      )
    )
    yield* Effect.forkScoped(Effect.forever(round))

    return {
      idle: Effect.suspend(() => {
        const waiter = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))
        waiters.push(waiter)
        wake()
        return Deferred.await(waiter)
      }),
      next: () => nextDue
    }
  })
