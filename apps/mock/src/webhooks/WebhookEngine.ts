/**
 * Everything about events that a running service has: secrets, the log, who delivers, and the clock they go by.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StoreUnavailable } from "../store/Store.ts"
import type { Task } from "../world/Janitor.ts"
import type { VirtualClock } from "../world/VirtualClock.ts"
import type { World } from "../world/World.ts"
import * as DeliveryLog from "./DeliveryLog.ts"
import * as Dispatcher from "./Dispatcher.ts"
import type { Post } from "./Sender.ts"
import * as WebhookSecrets from "./WebhookSecrets.ts"

export interface Events {
  readonly secrets: WebhookSecrets.WebhookSecrets
  readonly log: DeliveryLog.DeliveryLog
  /** Waits until nothing is under way and nothing is due now. */
  readonly idle: Effect.Effect<void>
  /** Moves a virtual clock and waits for everything that falls due on the way, in its order. */
  readonly advance: (clock: VirtualClock, toMillis: number) => Effect.Effect<void>
  /** What is kept of deliveries is kept for a month. */
  readonly retention: Task
}

const day = 24 * 60 * 60 * 1000
const kept = 30 * day

/** Events of a world whose service runs until the scope ends. */
export const make = (world: World["Type"], post: Post): Effect.Effect<Events, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const secrets = WebhookSecrets.make(world)
    const log = DeliveryLog.make(world)
    const { idle, next } = yield* Dispatcher.make({ world, secrets, post })

    const advance = (clock: VirtualClock, toMillis: number): Effect.Effect<void> =>
      Effect.flatMap(idle, () => {
        const due = next()
        const isOnTheWay = due !== undefined && due > world.now() && due <= toMillis
        clock.set(isOnTheWay ? due : toMillis)
        return isOnTheWay ? advance(clock, toMillis) : idle
      })

    return {
      secrets,
      log,
      idle,
      advance,
      retention: { name: "deliveries", everyMillis: day, work: Effect.suspend(() => log.prune(world.now() - kept)) }
    }
  })
