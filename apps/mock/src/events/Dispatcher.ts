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
import type { Post } from "./Post.ts"
import * as Schedule from "./Schedule.ts"
import type { WebhookSecrets } from "./WebhookSecrets.ts"

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

/** How often, in real time, is looked for what other processes have left. */
const sweepMillis = 1000

/** Delivers until the scope ends; what was taken and not posted by then is given back. */
export const make = ({ post, secrets, world }: Options): Effect.Effect<Dispatcher, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { newId, now, store } = world
    const queue = DeliveryQueue.make(world, `${hostname()}/${process.pid}/${newId()}`, Schedule.patienceMillis)
    const isShared = store.dialect.name === "postgres"
    const latch = yield* Effect.makeLatch(true)
    const underWay = new Map<string, number>()
    let finished: Array<Attempt.Attempt> = []
    const waiters: Array<Deferred.Deferred<void>> = []
    let nextDue: number | undefined
    let isWoken = true

    const wake = () => {
      isWoken = true
      latch.unsafeOpen()
    }
    const nameOf = ({ companyId, webhookId }: Delivery.Delivery) => JSON.stringify([companyId, webhookId])
    const countAll = () => Array.from(underWay.values()).reduce((sum, count) => sum + count, 0)

    const begin = (delivery: Delivery.Delivery) =>
      underWay.set(nameOf(delivery), (underWay.get(nameOf(delivery)) ?? 0) + 1)
    const end = (delivery: Delivery.Delivery) => {
      const rest = (underWay.get(nameOf(delivery)) ?? 1) - 1
      if (rest === 0) underWay.delete(nameOf(delivery))
      else underWay.set(nameOf(delivery), rest)
    }

    const attempt = (delivery: Delivery.Delivery, signing: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const startedAt = now()
        const message = Delivery.toMessage(delivery, signing, startedAt)
        const outcome = yield* post(message)
        finished.push(Attempt.make(delivery, message, outcome, { startedAt, endedAt: now() }))
        wake()
      })

    const settle = Effect.suspend(() => {
      const attempts = finished
      finished = []
      if (attempts.length === 0) return Effect.void
      return queue.settle(attempts).pipe(
        Effect.tap(() => Effect.sync(() => attempts.forEach(({ delivery }) => end(delivery)))),
        Effect.onError(() => Effect.sync(() => (finished = [...attempts, ...finished])))
      )
    })

    const attempts = yield* FiberSet.make<void>()

    /** Takes and posts what is due; answers whether there was anything. */
    const take = Effect.gen(function* () {
      const due = yield* queue.due
      const moment = now()
      const room = limits.all - countAll()
      const wanted = due
        .filter(({ at }) => at <= moment)
        .map(({ hook }) => ({
          hook,
          count: limits.each - (underWay.get(JSON.stringify([hook.companyId, hook.id])) ?? 0)
        }))
        .filter(({ count }) => count > 0)
      const share = Math.max(1, Math.floor(room / Math.max(1, wanted.length)))
      const chosen = wanted.slice(0, room).map(({ count, hook }) => ({ hook, count: Math.min(count, share) }))
      nextDue = due.reduce<number | undefined>(
        (first, { at }) => (at > moment && (first === undefined || at < first) ? at : first),
        undefined
      )
      if (chosen.length === 0) return false
      const taken = yield* queue.take(chosen, moment + leaseMillis)
      const signing = yield* secrets.signing(chosen.map(({ hook }) => hook))
      for (const delivery of taken) {
        const { companyId, webhookId: id } = delivery
        begin(delivery)
        yield* FiberSet.run(attempts, attempt(delivery, signing({ companyId, id })))
      }
      return taken.length > 0
    })

    const rest = Effect.suspend(() =>
      nextDue === undefined
        ? latch.await
        : Effect.raceFirst(latch.await, Effect.sleep(Duration.millis(Math.max(1, nextDue - now()))))
    )

    const round = Effect.gen(function* () {
      latch.unsafeClose()
      isWoken = false
      yield* settle
      if (yield* take) return
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
      Effect.sync(() => store.listen(wake)),
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
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.zipRight(settle, queue.release)))
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
