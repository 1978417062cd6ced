/**
 * Delivers events: takes what is due, posts it, and writes down what became of it. It is woken by commits, by attempts
 * that end and by the moment the next delivery is due; in between it does nothing.
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
import type { Post } from "./Sender.ts"
import * as RetrySchedule from "./RetrySchedule.ts"
import type { Signer, WebhookSecrets } from "./WebhookSecrets.ts"

export interface Options {
  readonly world: Pick<World["Type"], "now" | "newId" | "store">
  readonly secrets: WebhookSecrets
  readonly post: Post
}

export interface Dispatcher {
  /** Waits until nothing is under way and nothing is due now. */
  readonly idle: Effect.Effect<void>
  /** When the next delivery is due, in milliseconds since 1970; nothing while none waits. */
  readonly next: () => number | undefined
}

/** Attempts at a time: of all, and of one webhook, so that a receiver that hangs holds up nobody else. */
const limits = { all: 512, each: 16 }

/** Longer than an attempt takes: after this another process takes over. */
const leaseMillis = 20_000

/** How soon work is tried again that the store did not take. */
const pauseMillis = 1000

/** How long, in real time, ended attempts are gathered before they are settled together. */
const gatherMillis = 50

/** How often, in real time, is looked for what other processes have left. */
const sweepMillis = 1000

/** Passes real time, whatever clock the world goes by. */
const pause = (millis: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Delivers until the scope ends; what was taken and not posted by then is given back. */
export const make = ({ post, secrets, world }: Options): Effect.Effect<Dispatcher, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { newId, now, store } = world
    const queue = DeliveryQueue.make(world, `${hostname()}/${process.pid}/${newId()}`, RetrySchedule.patienceMillis)
    const isShared = store.dialect.name === "postgres"
    const latch = yield* Effect.makeLatch(true)
    const underWay = new Map<number, Delivery.Delivery>()
    const reported = new Set<string>()
    let finished: Array<Attempt.Attempt> = []
    const waiters: Array<Deferred.Deferred<void>> = []
    let nextDue: number | undefined
    let isWoken = true
    let isAdrift = false
    let begun = 0

    const wake = () => {
      isWoken = true
      latch.unsafeOpen()
    }

    const attempts = yield* FiberSet.make<void>()
    const run = yield* FiberSet.runtime(attempts)()

    /** Logs once for each webhook that its deliveries are not tried. */
    const report = ({ companyId, webhookId, ...delivery }: Delivery.Delivery, reason: string) => {
      const name = WebhookRef.nameOf(WebhookRef.ofDelivery({ companyId, webhookId, ...delivery }))
      if (reported.has(name)) return Effect.void
      reported.add(name)
      return Effect.logError("deliveries of a webhook are not tried").pipe(
        Effect.annotateLogs({ companyId, webhookId, reason })
      )
    }

    const attempt = (delivery: Delivery.Delivery, signers: ReadonlyArray<Signer>) =>
      Effect.suspend(() => {
        const startedAt = now()
        const message = Delivery.toMessage(delivery, signers, startedAt)
        return Effect.flatMap(post(message), (outcome) => {
          finished.push(Attempt.make(delivery, message, outcome, { startedAt, endedAt: now() }))
          wake()
          return outcome._tag === "Blocked" ? report(delivery, outcome.reason) : Effect.void
        })
      })

    /** What to take once those are settled, no more at a time than the limits. */
    const wantedOf = (due: ReadonlyArray<DeliveryQueue.Due>, settled: ReadonlyArray<Attempt.Attempt>) => {
      const over = new Set(settled.map(({ delivery }) => delivery.id))
      const counts = new Map<string, number>()
      for (const delivery of underWay.values()) {
        const name = WebhookRef.nameOf(WebhookRef.ofDelivery(delivery))
        if (!over.has(delivery.id)) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      const hooks = new Map(due.flatMap(({ hook, isNow }) => (isNow ? [[WebhookRef.nameOf(hook), hook]] : [])))
      // Each may let another one of its row go.
      for (const { delivery } of settled) {
        const hook = WebhookRef.ofDelivery(delivery)
        hooks.set(WebhookRef.nameOf(hook), hook)
      }
      const room = limits.all - (underWay.size - over.size)
      const open = Array.from(hooks, ([name, hook]) => ({ hook, count: limits.each - (counts.get(name) ?? 0) }))
        .filter(({ count }) => count > 0)
        .slice(0, room)
      const share = Math.max(1, Math.floor(room / Math.max(1, open.length)))
      return open.map(({ count, hook }) => ({ hook, count: Math.min(count, share) }))
    }

    /** Settles what has ended and posts what is due; answers whether there was anything. */
    const turn = Effect.gen(function* () {
      // What an answer that was lost may have given us comes back to where it is found.
      if (isAdrift) yield* queue.release([...underWay.keys()])
      isAdrift = false
      const due = yield* queue.due
      const wanted = wantedOf(due, finished)
      const signing = yield* secrets.signing(wanted.map(({ hook }) => hook))
      const settled = finished
      finished = []
      const taken = yield* queue.exchange(settled, wanted, now() + leaseMillis).pipe(
        Effect.onError((cause) =>
          Effect.sync(() => {
            isAdrift = true
            // What is interrupted is done all the same.
            if (!Cause.isInterruptedOnly(cause)) finished = [...settled, ...finished]
          })
        )
      )
      const moments = [
        ...due.map(({ next }) => next),
        ...settled.map(({ fate }) => ("dueAt" in fate ? fate.dueAt : undefined))
      ].filter((moment) => moment !== undefined)
      nextDue = moments.length === 0 ? undefined : Math.min(...moments)
      for (const { delivery } of settled) underWay.delete(delivery.id)
      for (const delivery of taken) {
        underWay.set(delivery.id, delivery)
        run(attempt(delivery, signing(WebhookRef.ofDelivery(delivery))))
      }
      return settled.length > 0 || taken.length > 0
    })

    const rest = Effect.suspend(() =>
      nextDue === undefined
        ? latch.await
        : Effect.raceFirst(latch.await, Effect.sleep(Duration.millis(Math.max(1, nextDue - now()))))
    )

    /** While others are under way a turn waits a moment for those that end. */
    const gather = Effect.suspend(() => {
      const left = begun + gatherMillis - performance.now()
      return left > 0 && underWay.size > finished.length ? pause(left) : Effect.void
    })

    const round = Effect.gen(function* () {
      yield* gather
      begun = performance.now()
      latch.unsafeClose()
      isWoken = false
      if ((yield* turn) && underWay.size === 0) return
      if (underWay.size === 0 && !isWoken) {
        for (const waiter of waiters.splice(0)) Deferred.unsafeDone(waiter, Effect.void)
      }
      yield* rest
    }).pipe(
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause)
          ? Effect.failCause(cause)
          : Effect.logError("deliveries are held up", cause).pipe(Effect.zipRight(Effect.sleep(pauseMillis)))
      )
    )

    yield* Effect.acquireRelease(
      Effect.sync(() => store.subscribe(wake)),
      (stop) => Effect.sync(stop)
    )
    if (isShared) {
      yield* Effect.acquireRelease(
        Effect.sync(() => setInterval(wake, sweepMillis).unref()),
        (timer) => Effect.sync(() => clearInterval(timer))
      )
    } else {
      yield* queue.reclaim
    }
    yield* Effect.addFinalizer(() =>
      Effect.ignore(
        Effect.zipRight(
          Effect.suspend(() => queue.exchange(finished, [], 0)),
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
