/**
 * Combines the webhook parts of a running service: secrets, delivery log, dispatcher and virtual clock.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { StoreUnavailable } from "../store/Store.ts"
import type { VirtualClock } from "../world/VirtualClock.ts"
import * as RealTime from "../world/RealTime.ts"
import type { World } from "../world/World.ts"
import type { Attempt } from "./Attempt.ts"
import type * as AttemptCounts from "./AttemptCounts.ts"
import * as DeliveryLog from "./DeliveryLog.ts"
import * as Dispatcher from "./Dispatcher.ts"
import type { Sender } from "./Sender.ts"
import * as WebhookSecrets from "./WebhookSecrets.ts"

export interface WebhookEngine {
  readonly secrets: WebhookSecrets.WebhookSecrets
  readonly log: DeliveryLog.DeliveryLog
  /** Waits until no attempt is in flight and no delivery is due. */
  readonly idle: Effect.Effect<void>
  /**
   * Sets a virtual clock to each moment at which a delivery is due, in order, and waits for its attempt to end. After a
   * timeout in real time it sets the clock to the last moment without waiting any longer. Returns the attempts that ended
   * on the way, in the order of their starts.
   */
  readonly advance: (
    clock: VirtualClock,
    toMillis: number,
    timeoutMillis: number
  ) => Effect.Effect<ReadonlyArray<Attempt>>
  readonly inFlight: Dispatcher.Dispatcher["inFlight"]
  /** The attempts of this process. */
  readonly counts: () => AttemptCounts.Counts
}

/** The webhooks of a world, delivered until the scope ends. */
export const make = (world: World["Type"], send: Sender): Effect.Effect<WebhookEngine, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const secrets = WebhookSecrets.make(world)
    const log = DeliveryLog.make(world)
    const recorders = new Set<Array<Attempt>>()
    const onEnd = (attempt: Attempt) => recorders.forEach((ended) => ended.push(attempt))
    const { counts, idle, inFlight, next } = yield* Dispatcher.make({ world, secrets, send, onEnd })

    const step = (clock: VirtualClock, toMillis: number): Effect.Effect<void> =>
      Effect.flatMap(idle, () => {
        const due = next()
        const isOnTheWay = due !== undefined && due > world.now() && due <= toMillis
        clock.set(isOnTheWay ? due : toMillis)
        return isOnTheWay ? step(clock, toMillis) : idle
      })

    const advance: WebhookEngine["advance"] = (clock, toMillis, timeoutMillis) =>
      Effect.suspend(() => {
        const ended: Array<Attempt> = []
        recorders.add(ended)
        const moved = Effect.raceFirst(
          Effect.as(step(clock, toMillis), true),
          Effect.as(RealTime.pause(timeoutMillis), false)
        )
        return moved.pipe(
          Effect.map((isOver) => {
            if (!isOver && world.now() < toMillis) clock.set(toMillis)
            return ended.toSorted((one, other) => one.startedAt - other.startedAt)
          }),
          Effect.ensuring(Effect.sync(() => recorders.delete(ended)))
        )
      })

    return {
      secrets,
      log,
      idle,
      advance,
      inFlight,
      counts
    }
  })
