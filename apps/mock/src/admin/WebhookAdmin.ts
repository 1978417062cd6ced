/**
 * Carries out what an administrator asks about webhooks, their deliveries and the clock.
 */
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as DeliveryLog from "../webhooks/DeliveryLog.ts"
import type { Events } from "../webhooks/WebhookEngine.ts"
import * as WebhookSecrets from "../webhooks/WebhookSecrets.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { VirtualClock } from "../world/VirtualClock.ts"
import type { World } from "../world/World.ts"
import { type Control, ControlRefused } from "./AdminApi.ts"
import type { operations } from "./WebhookAdminApi.ts"

/** What is there to ask about beside the world: nothing, where a command has the store and no service runs. */
export interface Running {
  readonly events?: Pick<Events, "advance">
  /** The clock, where it is virtual. */
  readonly clock?: VirtualClock | undefined
}

type Failure =
  | WebhookSecrets.WebhookMissing
  | WebhookSecrets.SecretShown
  | DeliveryLog.DeliveryMissing
  | StoreUnavailable

const codes = {
  WebhookMissing: "NOT_FOUND",
  SecretShown: "CONFLICT",
  DeliveryMissing: "NOT_FOUND",
  StoreUnavailable: "SERVICE_UNAVAILABLE"
} as const satisfies { readonly [Tag in Failure["_tag"]]: ControlRefused["code"] }

const refused = ({ _tag, message }: Failure) => new ControlRefused({ code: codes[_tag], message })

const shown = (secret: WebhookSecrets.Secret) => ({ secret: Redacted.value(secret) })

const real = new ControlRefused({
  code: "CONFLICT",
  message: "the service goes by the machine's clock: start it with --clock virtual"
})

const nothing: Running = {}

/** The operations on what is at hand. */
export const make = (
  world: World["Type"],
  { clock, events }: Running = nothing
): Pick<Control<ControlRefused>, keyof typeof operations> => {
  const secrets = WebhookSecrets.make(world)
  const log = DeliveryLog.make(world)
  const hookOf = ({ companyId, id }: { readonly id: string; readonly companyId?: string }) => ({
    id,
    companyId: companyId ?? world.home()?.companyId ?? ""
  })
  const told = () => ({
    kind: clock === undefined ? ("system" as const) : ("virtual" as const),
    now: Timestamp.fromMicros(BigInt(world.now()) * 1000n),
    frozen: clock?.isFrozen() ?? false
  })
  const move = (change: (clock: VirtualClock) => Effect.Effect<void>) =>
    clock === undefined ? Effect.fail(real) : Effect.map(change(clock), told)
  const advance = (clock: VirtualClock, toMillis: number) =>
    events === undefined ? Effect.sync(() => clock.set(toMillis)) : events.advance(clock, toMillis)

  return {
    showWebhookSecret: (asked) =>
      secrets.show(hookOf(asked)).pipe(Effect.mapBoth({ onSuccess: shown, onFailure: refused })),
    rollWebhookSecret: ({ overlapSeconds, ...asked }) =>
      secrets.roll(hookOf(asked), overlapSeconds * 1000).pipe(Effect.mapBoth({ onSuccess: shown, onFailure: refused })),
    listDeliveries: (page) => Effect.mapError(log.list(page), refused),
    getDelivery: ({ id }) => Effect.mapError(log.get(id), refused),
    redeliver: ({ id }) =>
      log.redeliver(id).pipe(Effect.mapBoth({ onSuccess: () => ({ count: 1 }), onFailure: refused })),
    redeliverAll: (filter) =>
      log.redeliverAll(filter).pipe(Effect.mapBoth({ onSuccess: (count) => ({ count }), onFailure: refused })),
    readClock: () => Effect.sync(told),
    freezeClock: () => move((clock) => Effect.sync(clock.freeze)),
    resumeClock: () => move((clock) => Effect.sync(clock.resume)),
    setClock: ({ to }) => move((clock) => advance(clock, Timestamp.toDateTime(to).epochMillis)),
    advanceClock: ({ seconds }) => move((clock) => advance(clock, world.now() + Math.round(seconds * 1000)))
  }
}
