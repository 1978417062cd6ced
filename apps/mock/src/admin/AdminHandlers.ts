/**
 * Implements the administrator's operations on a world and its keys.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ApiKeyMissing, ApiKeys, Issued, MemberMissing } from "../access/ApiKeys.ts"
import type { Faults } from "../faults/Faults.ts"
import * as Usage from "../access/Usage.ts"
import type { RulesViolated } from "../store/OpenError.ts"
import type { SnapshotUnreadable, SnapshotUnwritable } from "../store/Snapshot.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import * as SecretStore from "../store/SecretStore.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import { AdminRefused } from "./AdminRefused.ts"
import * as FaultAdmin from "./FaultAdmin.ts"
import * as HistoryAdmin from "./HistoryAdmin.ts"
import * as SnapshotPlace from "./SnapshotPlace.ts"
import * as TrafficAdmin from "./TrafficAdmin.ts"
import * as WebhookAdmin from "./WebhookAdmin.ts"
import * as WorldAdmin from "./WorldAdmin.ts"

type Failure =
  | ApiKeyMissing
  | MemberMissing
  | SnapshotUnwritable
  | SnapshotUnreadable
  | RulesViolated
  | StoreUnavailable
  | QueryStopped

const codes = {
  ApiKeyMissing: "NOT_FOUND",
  MemberMissing: "NOT_FOUND",
  SnapshotUnwritable: "BAD_REQUEST",
  SnapshotUnreadable: "BAD_REQUEST",
  RulesViolated: "CONFLICT",
  StoreUnavailable: "SERVICE_UNAVAILABLE",
  QueryStopped: "SERVICE_UNAVAILABLE"
} as const satisfies { readonly [Tag in Failure["_tag"]]: AdminRefused["code"] }

const toRefused = ({ _tag, message }: Failure) => new AdminRefused({ code: codes[_tag], message })

const toResponse = ({ key, record }: Issued) => ({ key: Redacted.value(key), ...record })

const noUser = new AdminRefused({
  code: "CONFLICT",
  message: "the store has no company with a user, and a key needs both"
})

/** A service on the world. */
interface RunningService extends WebhookAdmin.RunningService {
  readonly faults?: Faults
  readonly traffic?: TrafficAdmin.Running | undefined
  /** The folder of its snapshots. */
  readonly snapshots?: string
  readonly worlds?: WorldAdmin.Worlds | undefined
}

/** Replaces the contents of a world by a snapshot. */
export const restore = (
  world: World["Type"],
  keys: Pick<ApiKeys, "clearCache">,
  place: string
): Effect.Effect<void, SnapshotUnreadable | RulesViolated | StoreUnavailable> =>
  world.store.restore(place).pipe(
    // A snapshot without a key is encrypted now; another key was refused.
    Effect.zipRight(SecretStore.unlock(world.store, place, world.vault)),
    Effect.catchTags({ SecretKeyMissing: Effect.die, SecretKeyWrong: Effect.die }),
    // The cached companies and keys were replaced with the rest.
    Effect.zipRight(world.refresh),
    Effect.tap(keys.clearCache),
    Effect.asVoid
  )

/** The worlds of a service that has none but the main one. */
export const worldsWithout = ({ store }: World["Type"]): WorldAdmin.Worlds =>
  store.copies === undefined ? WorldAdmin.onPostgres : WorldAdmin.ofCommand

/** The operations on a world; `running` is the service on it, where there is one. */
export const make = (
  world: World["Type"],
  keys: ApiKeys,
  running: RunningService = {}
): AdminApi.Service<AdminRefused> => ({
  ...WebhookAdmin.make(world, running),
  ...FaultAdmin.make(running.faults, world, running.worlds),
  ...TrafficAdmin.make(running.traffic),
  ...(running.worlds ?? worldsWithout(world)).operations,
  ...HistoryAdmin.make(world),
  listKeys: () => Effect.mapError(keys.list, toRefused),
  createKey: ({ companyId, userId, ...rest }) => {
    const home = world.home()
    if (home === undefined) return Effect.fail(noUser)
    const member = { companyId: companyId ?? home.companyId, userId: userId ?? home.userId }
    return keys.create({ ...rest, ...member }).pipe(Effect.mapBoth({ onSuccess: toResponse, onFailure: toRefused }))
  },
  readUsage: ({ companyId: asked }) => {
    const companyId = asked ?? world.home()?.companyId
    if (companyId === undefined) return Effect.fail(noUser)
    const { quota = {}, usage = Usage.make(world) } = running
    const { bytes = null, rows = null, webhooks = null } = quota
    return Effect.zipWith(
      usage.of({ companyId, keyId: "administrator" }, true),
      usage.webhooks(companyId),
      (used, count) => ({ companyId, ...used, webhooks: count, quota: { rows, bytes, webhooks } })
    ).pipe(Effect.mapError(toRefused))
  },
  revokeKey: ({ id }) => Effect.mapError(keys.revoke(id), toRefused),
  rollKey: ({ id, overlapSeconds }) =>
    keys.roll(id, overlapSeconds * 1000).pipe(Effect.mapBoth({ onSuccess: toResponse, onFailure: toRefused })),
  saveSnapshot: ({ file }) =>
    Effect.flatMap(
      Effect.suspend(() => SnapshotPlace.toSave(running.snapshots, file)),
      (place) => world.store.save(place).pipe(Effect.mapBoth({ onSuccess: () => null, onFailure: toRefused }))
    ),
  restoreSnapshot: ({ file }) =>
    Effect.flatMap(
      Effect.suspend(() => SnapshotPlace.within(running.snapshots, file)),
      (place) => restore(world, keys, place).pipe(Effect.mapBoth({ onSuccess: () => null, onFailure: toRefused }))
    )
})
