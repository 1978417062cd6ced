/**
 * Who carries out what a command wants of a store: this process when nobody has the store, else the service that does.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import * as ApiKeys from "../access/ApiKeys.ts"
import * as AdminHandlers from "../admin/AdminHandlers.ts"
import type * as AdminApi from "../admin/AdminApi.ts"
import * as Instance from "../service/Instance.ts"
import * as Settings from "../Settings.ts"
import type { OpenError, StoreLocked } from "../store/OpenError.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import * as ServiceOrigin from "./ServiceOrigin.ts"
import * as RemoteAdmin from "./RemoteAdmin.ts"

/** What a command must know to find the owner. */
export const settings = ["store", "rules", "adminKey"] as const

type Known = Pick<Settings.Settings, (typeof settings)[number]>

/** There is nothing at the store's address, or nothing that lasts. */
export class StoreMissing extends Data.TaggedError("StoreMissing")<{ readonly path: string }> {
  override get message() {
    return this.path === inMemory
      ? "a store in memory belongs to the process that serves it: name a file with --store"
      : `there is no store at ${this.path} yet: mfg-mock serve makes one`
  }
}

/** A service has the store and takes no orders. */
export class OwnerClosed extends Data.TaggedError("OwnerClosed")<{ readonly cause: StoreLocked }> {
  override get message() {
    return `${this.cause.message}: stop it, or set ${Settings.variable("adminKey")} for it and for this command`
  }
}

const inMemory = ":memory:"

/** Works on the world of a store that nobody else has. */
export const alone = <A, E>(
  known: Pick<Known, "store" | "rules">,
  work: (world: World["Type"]) => Effect.Effect<A, E>
): Effect.Effect<A, E | OpenError | StoreUnavailable | StoreMissing> =>
  known.store._tag === "Sqlite" && known.store.path === inMemory
    ? Effect.fail(new StoreMissing({ path: inMemory }))
    : Effect.scoped(Effect.flatMap(Instance.open(known), work))

/** Asks whoever owns the store, which is not made by being asked unless `isMade`. */
export const ask = <A>(
  known: Known,
  work: <E>(control: AdminApi.Control<E>) => Effect.Effect<A, E>,
  { isMade = false }: { readonly isMade?: boolean } = {}
): Effect.Effect<
  A,
  AdminApi.ControlRefused | RemoteAdmin.RemoteFailure | OpenError | StoreUnavailable | StoreMissing | OwnerClosed
> => {
  const workOn = (world: World["Type"]) =>
    Effect.scoped(Effect.flatMap(ApiKeys.make(world), (keys) => work(AdminHandlers.make(world, keys))))
  const workWith = (cause: StoreLocked): Effect.Effect<A, OwnerClosed | RemoteAdmin.RemoteFailure> => {
    const address = cause.owner?.address ?? undefined
    return address === undefined || known.adminKey === undefined
      ? Effect.fail(new OwnerClosed({ cause }))
      : work(RemoteAdmin.make(ServiceOrigin.fromAddress(address), known.adminKey))
  }
  const { store } = known
  return isMade || store._tag === "Postgres" || existsSync(store.path)
    ? Effect.catchTag(alone(known, workOn), "StoreLocked", workWith)
    : Effect.fail(new StoreMissing({ path: store.path }))
}
