/**
 * The place of worlds in the administrator's interface: their operations, and the choice of the world that every other
 * operation acts on.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { AdminRefused } from "./AdminRefused.ts"

type Admin = AdminApi.Service<AdminRefused>

/** The worlds of a running service. */
export interface Worlds {
  readonly operations: Pick<Admin, AdminApi.WorldsName>
  /** Uses the operations of a world by its name, and brings it back if it was put away. */
  readonly use: <A>(
    world: string,
    work: (admin: Admin) => Effect.Effect<A, AdminRefused>
  ) => Effect.Effect<A, AdminRefused>
  /** The number of worlds by state; undefined for a service that has none. */
  readonly counts: () => { readonly open: number; readonly idle: number } | undefined
}

/** The address under which the caller has reached the service, such as `http://localhost:4010`. */
export const origin: FiberRef.FiberRef<string> = FiberRef.unsafeMake("http://localhost")

/** The names of the operations on worlds. */
const names = AdminApi.names.filter(AdminApi.isOnWorlds)

/** Worlds that exist when an operation is called, and not before. */
export const deferred = (worlds: () => Worlds): Worlds => ({
  operations: Object.fromEntries(
    names.map((name) => {
      // Each operation takes its own request, and receives the one that it was called with.
      const run = () => worlds().operations[name] as (request: unknown) => Effect.Effect<unknown, AdminRefused>
      return [name, (request: unknown) => Effect.suspend(() => run()(request))]
    })
    // The names are those of all operations.
  ) as unknown as Worlds["operations"],
  use: (world, work) => Effect.suspend(() => worlds().use(world, work)),
  counts: () => worlds().counts()
})

const without = (refusal: AdminRefused): Worlds => ({
  operations: Object.fromEntries(
    names.map((name) => [name, () => Effect.fail(refusal)])
    // As above.
  ) as unknown as Worlds["operations"],
  use: () => Effect.fail(refusal),
  counts: () => undefined
})

/** The worlds of a service on PostgreSQL, which has none. */
export const onPostgres: Worlds = without(
  new AdminRefused({
    code: "NOT_IMPLEMENTED",
    message: "Worlds are files, which a service on PostgreSQL does not have: start one with --store sqlite:<file>"
  })
)

/** The worlds of a store that no service runs on. */
export const ofCommand: Worlds = without(
  new AdminRefused({
    code: "CONFLICT",
    message: "Worlds belong to a running service: start one with mfg-mock serve and an administrator's key"
  })
)
