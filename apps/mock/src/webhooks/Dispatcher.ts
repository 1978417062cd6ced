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
import { pause } from "../world/RealTime.ts"
import type { World } from "../world/World.ts"
import * as Attempt from "./Attempt.ts"
import * as AttemptCounts from "./AttemptCounts.ts"
import * as ClaimShare from "./ClaimShare.ts"
import * as Delivery from "./Delivery.ts"
import * as DeliveryQueue from "./DeliveryQueue.ts"
import * as DueWebhooks from "./DueWebhooks.ts"
import * as HangingWebhooks from "./HangingWebhooks.ts"
import * as WebhookRef from "./WebhookRef.ts"
import type { Sender } from "./Sender.ts"
import * as RetrySchedule from "./RetrySchedule.ts"
import type { Signer, WebhookSecrets } from "./WebhookSecrets.ts"

export interface Options {
  readonly world: Pick<World["Type"], "now" | "newId" | "store">
  readonly secrets: WebhookSecrets
  readonly send: Sender
  /** Receives each attempt when it ends. */
  readonly onEnd?: (attempt: Attempt.Attempt) => void
}

/** An attempt that has not ended. */
interface InFlight {
  readonly delivery: Delivery.Delivery
  /** The real time since its start. */
  readonly millis: number
}

export interface Dispatcher {
  /** Waits until no attempt is in flight, no delivery is due, and the webhooks' rows have the counts of all attempts. */
  readonly idle: Effect.Effect<void>
  /** The moment at which the next delivery is due, in milliseconds since 1970; `undefined` while none waits. */
  readonly next: () => number | undefined
  /** The attempts that have not ended, oldest first. */
  readonly inFlight: () => ReadonlyArray<InFlight>
  /** The attempts of this process. */
  readonly counts: () => AttemptCounts.Counts
}

/** The lease of a claim, longer than an attempt takes: after it another process claims the delivery. */
const leaseMillis = 20_000

/** The real time after which an attempt counts as one that is not answered. */
const slowMillis = 5000

/** The pause after a failure of the store. */
const pauseMillis = 1000

/** The real time that closing waits for the store. Deliveries that are not released become due with their leases. */
const closingMillis = 1000

/** The real time for which ended attempts are collected, to settle them together. */
const collectMillis = 50

/** The real-time interval of polling for deliveries that other processes have left. */
const pollMillis = 1000

/** The real time for which the counts of settled attempts are collected, to write them into the webhooks' rows. */
const countMillis = 1000

/** The due webhooks, and those of ended attempts: settling a delivery may make the next one of its row due. */
const withNext = (
  due: ReadonlyArray<ClaimShare.DueCompany>,
  ended: ReadonlyArray<Attempt.Attempt>
): ReadonlyArray<ClaimShare.DueCompany> => {
  const companies = new Map(due.map(({ companyId, webhookIds }) => [companyId, new Set(webhookIds)]))
  for (const { delivery } of ended) {
    const webhookIds = companies.get(delivery.companyId) ?? new Set()
    companies.set(delivery.companyId, webhookIds.add(delivery.webhookId))
  }
  return Array.from(companies, ([companyId, webhookIds]) => ({ companyId, webhookIds: [...webhookIds] }))
}

/** A dispatcher that delivers until the scope ends, and then releases the deliveries that were not sent. */
export const make = ({
  onEnd,
  secrets,
  send,
  world
}: Options): Effect.Effect<Dispatcher, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { newId, now, store } = world
    const holder = `${hostname()}/${process.pid}/${newId()}`
    const queue = DeliveryQueue.make(world, holder, RetrySchedule.disableAfterMillis)
    const dueWebhooks = DueWebhooks.make(world, holder)
    const isShared = store.dialect.name === "postgres"
    const latch = yield* Effect.makeLatch(true)
    // Another process may have ended before it folded its counts.
    const counting = yield* Effect.makeLatch(true)
    const inFlight = new Map<number, { readonly delivery: Delivery.Delivery; readonly startedAt: number }>()
    const hanging = HangingWebhooks.make()
    const counts = AttemptCounts.make()
    const reported = new Set<string>()
    let finished: Array<Attempt.Attempt> = []
    const waiters: Array<Deferred.Deferred<void>> = []
    let nextDue: number | undefined
    let isWoken = true
    /** The number of changes after which deliveries may be due. */
    let wakes = 0
    let isComplete = true
    let isClaimUnknown = false
    let begun = 0

    const wake = () => {
      isWoken = true
      wakes += 1
      latch.unsafeOpen()
    }

    const attempts = yield* FiberSet.make<void>()
    const run = yield* FiberSet.runtime(attempts)()

    /** Logs, once per webhook, that its deliveries are blocked. */
    const report = ({ companyId, webhookId, ...delivery }: Delivery.Delivery, reason: string) => {
      const key = WebhookRef.toKey(WebhookRef.fromDelivery({ companyId, webhookId, ...delivery }))
      if (reported.has(key)) return Effect.void
      reported.add(key)
      return Effect.logError("Deliveries of a webhook are blocked").pipe(
        Effect.annotateLogs({ companyId, webhookId, reason })
      )
    }

    const attempt = (delivery: Delivery.Delivery, signers: ReadonlyArray<Signer>) =>
      Effect.suspend(() => {
        const startedAt = now()
        const message = Delivery.toMessage(delivery, signers, startedAt)
        return Effect.flatMap(send(message), (outcome) => {
          const made = Attempt.make(delivery, message, outcome, { startedAt, endedAt: now() })
          finished.push(made)
          counts.add(made)
          onEnd?.(made)
          hanging.note(WebhookRef.toKey(WebhookRef.fromDelivery(delivery)), outcome)
          wake()
          return outcome._tag === "Blocked" ? report(delivery, outcome.reason) : Effect.void
        })
      })

    /** The attempts that have not ended, by webhook. */
    const loads = (): ReadonlyArray<ClaimShare.Load> => {
      const ended = new Set(finished.map(({ delivery }) => delivery.id))
      const counts = new Map<string, ClaimShare.Load>()
      for (const { delivery, startedAt } of inFlight.values()) {
        if (ended.has(delivery.id)) continue
        const webhook = WebhookRef.fromDelivery(delivery)
        const key = WebhookRef.toKey(webhook)
        if (performance.now() - startedAt > slowMillis) hanging.add(key)
        counts.set(key, { webhook, count: (counts.get(key)?.count ?? 0) + 1 })
      }
      return [...counts.values()]
    }

    /** Settles ended attempts and sends due deliveries; returns whether there were any. */
    const turn = Effect.gen(function* () {
      // The lost response to an earlier claim may have leased deliveries to this process: they become due again.
      if (isClaimUnknown) yield* queue.release([...inFlight.keys()])
      isClaimUnknown = false
      const running = loads()
      const part = yield* dueWebhooks.next(wakes, ClaimShare.isFull(running))
      isComplete = part.isComplete
      const { claims, denied, isLimited } = ClaimShare.make(withNext(part.due, finished), {
        loads: running,
        isHanging: (webhook) => hanging.has(WebhookRef.toKey(webhook))
      })
      for (const { companyId, webhookIds } of part.due) {
        const first = denied.get(companyId)
        if (first !== undefined && webhookIds.includes(first)) dueWebhooks.rewind(companyId, first)
      }
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
        part.next,
        ...settled.map(({ disposition }) => ("dueAt" in disposition ? disposition.dueAt : undefined))
      ].filter((moment) => moment !== undefined)
      nextDue = moments.length === 0 ? undefined : Math.min(...moments)
      for (const { delivery } of settled) inFlight.delete(delivery.id)
      if (settled.length > 0) counting.unsafeOpen()
      for (const delivery of claimed) {
        inFlight.set(delivery.id, { delivery, startedAt: performance.now() })
        run(attempt(delivery, signersOf(WebhookRef.fromDelivery(delivery))))
      }
      if (isLimited && claimed.length > 0) wake()
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

    let isDelayed = false

    /** Logs the first failure of several in a row; the store logs those of its own with their end. */
    const delay = (cause: Cause.Cause<unknown>) => {
      const logged = isDelayed ? Effect.void : Effect.logError("Deliveries are delayed", cause)
      isDelayed = true
      return Effect.zipRight(logged, Effect.sleep(pauseMillis))
    }

    const round = Effect.gen(function* () {
      yield* collect
      begun = performance.now()
      latch.unsafeClose()
      isWoken = false
      const isBusy = yield* turn
      isDelayed = false
      if (isBusy && inFlight.size === 0) return
      if (inFlight.size === 0 && isComplete && !isWoken) {
        for (const waiter of waiters.splice(0)) Deferred.unsafeDone(waiter, Effect.void)
      }
      yield* isComplete ? rest : pause(collectMillis)
    }).pipe(Effect.catchAllCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.failCause(cause) : delay(cause))))

    const fold = Effect.suspend(() => {
      counting.unsafeClose()
      return queue.foldCounts
    }).pipe(Effect.onError(() => Effect.sync(() => counting.unsafeOpen())))

    const folding = Effect.zipRight(counting.await, fold).pipe(
      Effect.catchAllCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.failCause(cause) : delay(cause))),
      Effect.zipRight(pause(countMillis))
    )

    yield* Effect.acquireRelease(
      Effect.sync(() => store.subscribe(wake)),
      (stop) => Effect.sync(stop)
    )
    if (isShared) {
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          setInterval(() => {
            wake()
            counting.unsafeOpen()
          }, pollMillis).unref()
        ),
        (timer) => Effect.sync(() => clearInterval(timer))
      )
    } else {
      yield* queue.reclaim
    }
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        Effect.suspend(() => queue.settleAndClaim(finished, [], 0)),
        Effect.zipRight(queue.release([]), queue.foldCounts)
      ).pipe(
        // A webhook whose row is damaged keeps no service from closing.
        Effect.catchAllCause((cause) => Effect.logError("Counts of deliveries are not stored", cause)),
        Effect.interruptible,
        Effect.raceFirst(Effect.interruptible(pause(closingMillis)))
      )
    )
    yield* Effect.forkScoped(Effect.forever(round))
    yield* Effect.forkScoped(Effect.forever(folding))

    return {
      idle: Effect.suspend(() => {
        const waiter = Deferred.unsafeMake<void>(Effect.runSync(Effect.fiberId))
        waiters.push(waiter)
        wake()
        return Effect.zipRight(Deferred.await(waiter), Effect.ignore(fold))
      }),
      next: () => nextDue,
      inFlight: () => {
        const ended = new Set(finished.map(({ delivery }) => delivery.id))
        return [...inFlight.values()]
          .filter(({ delivery }) => !ended.has(delivery.id))
          .map(({ delivery, startedAt }) => ({ delivery, millis: performance.now() - startedAt }))
      },
      counts: counts.read
    }
  })
