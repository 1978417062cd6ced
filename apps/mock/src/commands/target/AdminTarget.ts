/**
 * Runs an administrator's operation on a store: in this process when the store is free, else in the service that
 * uses it.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import * as ApiKeys from "../../access/ApiKeys.ts"
import * as AdminHandlers from "../../admin/AdminHandlers.ts"
import * as AuditedAdmin from "../../admin/AuditedAdmin.ts"
import type { AdminRefused } from "../../admin/AdminRefused.ts"
import * as Instance from "../../service/Instance.ts"
import * as Settings from "../../Settings.ts"
import type { OpenError, StoreLocked } from "../../store/OpenError.ts"
import type { StoreUnavailable } from "../../store/Store.ts"
import type { World } from "../../world/World.ts"
import * as CommandAudit from "../CommandAudit.ts"
import * as Flags from "../Flags.ts"
import * as PrivateFile from "../PrivateFile.ts"
import * as RemoteAdmin from "./RemoteAdmin.ts"
import * as ServiceOrigin from "./ServiceOrigin.ts"

/** The settings that locate a store and its service. */
export const settings = ["store", "pooling", "rules", "adminKey", "secretKey"] as const

/** The flags for these settings; the rules of an existing store are its own. */
export const flags = Flags.options(settings.filter((name) => name !== "rules"))

type Target = Pick<Settings.Settings, (typeof settings)[number]>

/** No store at the address, or a store in memory. */
export class StoreMissing extends Data.TaggedError("StoreMissing")<{ readonly path: string }> {
  override get message() {
    return this.path === inMemory
      ? "A store in memory belongs to the process that serves it. Name a file with --store."
      : `No store at ${this.path}. mfg-mock serve creates one.`
  }
}

/** A service without an administrator's key uses the store. */
export class OwnerClosed extends Data.TaggedError("OwnerClosed")<{ readonly cause: StoreLocked }> {
  override get message() {
    return `${this.cause.message}. Stop it, or set ${Settings.variable("adminKey")} for it and for this command.`
  }
}

const inMemory = ":memory:"

/** Opens the world of a store that no other process uses. */
export const alone = <A, E>(
  target: Pick<Target, "store" | "pooling" | "rules" | "secretKey"> &
    Partial<Pick<Settings.Settings, "history" | "rowSecurity">>,
  work: (world: World["Type"]) => Effect.Effect<A, E>
): Effect.Effect<A, E | OpenError | StoreUnavailable | StoreMissing> =>
  target.store._tag === "Sqlite" && target.store.path === inMemory
    ? Effect.fail(new StoreMissing({ path: inMemory }))
    : Effect.zipRight(
        PrivateFile.tighten(target.store),
        Effect.scoped(Effect.flatMap(Instance.open(target, { say: Terminal.note }), work))
      )

/** Runs operations on a store. A missing store is created only when `isCreated`. */
export const use = <A>(
  target: Target,
  work: <E>(admin: AdminApi.Service<E>) => Effect.Effect<A, E>,
  { isCreated = false }: { readonly isCreated?: boolean } = {}
): Effect.Effect<
  A,
  | AdminRefused
  | RemoteAdmin.RemoteFailure
  | OpenError
  | StoreUnavailable
  | StoreMissing
  | OwnerClosed
  | Settings.SettingInvalid
> => {
  const inProcess = (world: World["Type"]) =>
    Effect.scoped(
      Effect.flatMap(Effect.all([ApiKeys.make(world), CommandAudit.make]), ([keys, audit]) =>
        work(AuditedAdmin.make(AdminHandlers.make(world, keys), audit))
      )
    )
  const remote = (cause: StoreLocked): Effect.Effect<A, OwnerClosed | RemoteAdmin.RemoteFailure> => {
    const address = cause.owner?.address ?? undefined
    return address === undefined || target.adminKey === undefined
      ? Effect.fail(new OwnerClosed({ cause }))
      : work(RemoteAdmin.make(ServiceOrigin.fromAddress(address), target.adminKey))
  }
  const { store } = target
  return isCreated || store._tag === "Postgres" || existsSync(store.path)
    ? Effect.catchTag(alone(target, inProcess), "StoreLocked", remote)
    : Effect.fail(new StoreMissing({ path: store.path }))
}

/** Runs operations on the store that the flags of a command name. */
export const run = <A>(
  values: Parameters<typeof Flags.resolve>[1],
  work: <E>(admin: AdminApi.Service<E>) => Effect.Effect<A, E>
) => Effect.flatMap(Flags.resolve(settings, values), (target) => use(target, work))
