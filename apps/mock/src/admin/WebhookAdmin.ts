/**
 * Implements the administrator's operations on webhooks, their deliveries and the clock.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { CompanyId } from "@mfgdata/domain/Ids"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Attempt } from "../webhooks/Attempt.ts"
import * as DeliveryLog from "../webhooks/DeliveryLog.ts"
import type { WebhookEngine } from "../webhooks/WebhookEngine.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import * as WebhookSecrets from "../webhooks/WebhookSecrets.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { VirtualClock } from "../world/VirtualClock.ts"
import type { World } from "../world/World.ts"
import type { Usage } from "../access/Usage.ts"
import * as Settings from "../Settings.ts"
import { AdminRefused } from "./AdminRefused.ts"

/** The service that runs on the world; empty where a command opened the store itself. */
export interface RunningService {
  readonly events?: Pick<WebhookEngine, "advance" | "inFlight">
  /** The real time for which an advancing clock waits for attempts. */
  readonly advanceTimeout?: number
  /** The virtual clock, if the service has one. */
  readonly clock?: VirtualClock | undefined
  readonly usage?: Usage
  /** The quotas of each company, if there are any. */
  readonly quota?: Settings.Quota | undefined
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
} as const satisfies { readonly [Tag in Failure["_tag"]]: AdminRefused["code"] }

const toRefused = ({ _tag, message }: Failure) => new AdminRefused({ code: codes[_tag], message })

const toResponse = (secret: WebhookSecrets.Secret) => ({ secret: Redacted.value(secret) })

const systemClock = new AdminRefused({
  code: "CONFLICT",
  message: "the service uses the clock of the machine: start it with --clock virtual"
})

/** The operations on webhooks, their deliveries and the clock. */
type Operation =
  | "showWebhookSecret"
  | "rollWebhookSecret"
  | "listDeliveries"
  | "getDelivery"
  | "redeliver"
  | "redeliverAll"
  | "readClock"
  | "freezeClock"
  | "resumeClock"
  | "setClock"
  | "advanceClock"

/** The maximum number of attempts in a response. */
const mostInFlight = 100
const mostRan = 1000

const none: RunningService = {}

/** The operations on a world. */
export const make = (
  world: World["Type"],
  { advanceTimeout = Settings.defaults.advanceTimeout, clock, events }: RunningService = none
): Pick<AdminApi.Service<AdminRefused>, Operation> => {
  const secrets = WebhookSecrets.make(world)
  const log = DeliveryLog.make(world)
  const refOf = ({ companyId, id }: { readonly id: string; readonly companyId?: string }) => ({
    id,
    companyId: companyId ?? world.home()?.companyId ?? ""
  })
  const clockState = (ran: ReadonlyArray<Attempt> = []) => ({
    kind: clock === undefined ? ("system" as const) : ("virtual" as const),
    now: ServiceColumn.timestamp(world.now()),
    frozen: clock?.isFrozen() ?? false,
    inFlight: (events?.inFlight() ?? []).slice(0, mostInFlight).map(({ delivery, millis }) => ({
      deliveryId: String(delivery.id),
      companyId: CompanyId.make(delivery.companyId),
      webhookId: delivery.webhookId,
      seconds: Math.round(millis) / 1000
    })),
    ran: ran.slice(0, mostRan).map(({ delivery, log, startedAt }) => ({
      deliveryId: String(delivery.id),
      companyId: CompanyId.make(delivery.companyId),
      webhookId: delivery.webhookId,
      at: ServiceColumn.timestamp(startedAt),
      outcome: log.outcome
    }))
  })
  const move = (change: (clock: VirtualClock) => Effect.Effect<ReadonlyArray<Attempt> | void>) =>
    clock === undefined ? Effect.fail(systemClock) : Effect.map(change(clock), (ran) => clockState(ran ?? []))
  const advance = (clock: VirtualClock, toMillis: number) =>
    events === undefined ? Effect.sync(() => clock.set(toMillis)) : events.advance(clock, toMillis, advanceTimeout)

  return {
    showWebhookSecret: (webhook) =>
      secrets.show(refOf(webhook)).pipe(Effect.mapBoth({ onSuccess: toResponse, onFailure: toRefused })),
    rollWebhookSecret: ({ overlapSeconds, ...webhook }) =>
      secrets
        .roll(refOf(webhook), overlapSeconds * 1000)
        .pipe(Effect.mapBoth({ onSuccess: toResponse, onFailure: toRefused })),
    listDeliveries: (page) => Effect.mapError(log.list(page), toRefused),
    getDelivery: ({ id }) => Effect.mapError(log.get(id), toRefused),
    redeliver: ({ id }) =>
      log.redeliver(id).pipe(Effect.mapBoth({ onSuccess: () => ({ count: 1 }), onFailure: toRefused })),
    redeliverAll: (filter) =>
      log.redeliverAll(filter).pipe(Effect.mapBoth({ onSuccess: (count) => ({ count }), onFailure: toRefused })),
    readClock: () => Effect.sync(() => clockState()),
    freezeClock: () => move((clock) => Effect.sync(clock.freeze)),
    resumeClock: () => move((clock) => Effect.sync(clock.resume)),
    setClock: ({ to }) => move((clock) => advance(clock, Timestamp.toDateTime(to).epochMillis)),
    advanceClock: ({ seconds }) => move((clock) => advance(clock, world.now() + Math.round(seconds * 1000)))
  }
}
