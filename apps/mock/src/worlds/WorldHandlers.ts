/**
 * Implements the administrator's operations on worlds.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as fs from "node:fs"
import type { AdminRefused } from "../admin/AdminRefused.ts"
import * as AdminRequest from "../admin/AdminRequest.ts"
import * as WorldAdmin from "../admin/WorldAdmin.ts"
import type { Instance } from "../service/Instance.ts"
import { timestamp } from "../sql/ServiceColumn.ts"
import { sql } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import { clockName } from "../store/Snapshot.ts"
import * as TemporaryFile from "../store/sqlite/file/TemporaryFile.ts"
import type * as MainWorld from "./MainWorld.ts"
import * as WorldDiff from "./WorldDiff.ts"
import * as WorldError from "./WorldError.ts"
import type { WorldHandle } from "./WorldHandle.ts"
import * as WorldOrigin from "./WorldOrigin.ts"
import type { Made, Worlds } from "./Worlds.ts"

type Admin = AdminApi.Service<AdminRefused>

export interface Options {
  readonly worlds: Worlds
  readonly main: () => Instance
  readonly mainWorld: MainWorld.MainWorld
}

const toWorld = (handle: WorldHandle): AdminApi.World => {
  const { companyId, createdAt, from, idleSeconds, name, rules, seed, userId } = handle.record()
  return {
    name,
    from,
    seed,
    rules,
    companyId,
    userId,
    state: handle.service() === undefined ? "idle" : "open",
    createdAt: timestamp(createdAt),
    usedAt: timestamp(handle.usedAt()),
    idleSeconds
  }
}

const toNewWorld = ({ handle, key }: Made): Effect.Effect<AdminApi.NewWorld> =>
  Effect.map(FiberRef.get(WorldAdmin.origin), (origin) => {
    const { companyId, createdAt, idleSeconds, name, userId } = handle.record()
    const { baseUrl, restUrl } = ServiceAddress.fromOrigin(origin)
    return { name, key, restUrl, baseUrl, companyId, userId, createdAt: timestamp(createdAt), idleSeconds }
  })

/** Saves a world in the portable form, with its clock. */
const exported = ({ clock, world: { store } }: Instance) =>
  Effect.gen(function* () {
    const state = clock?.state()
    if (state !== undefined) {
      yield* ServiceTables.make(store).write(sql`INSERT INTO "_meta" ("key", "value")
        VALUES (${clockName}, ${JSON.stringify(state)}) ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"`)
    }
    const file = `${TemporaryFile.create()}.gz`
    return yield* store.save(file).pipe(
      Effect.flatMap(() => Effect.promise(() => fs.promises.readFile(file))),
      Effect.ensuring(Effect.sync(() => fs.rmSync(file, { force: true })))
    )
  })

/** The operations that change something which the record of a world has besides its rows. */
const stateOperations = [
  "freezeClock",
  "resumeClock",
  "setClock",
  "advanceClock",
  "createFault",
  "deleteFault",
  "clearFaults"
] as const
const keyOperations = ["createKey", "rollKey"] as const

/** The operations of a world other than the main one: its keys are the worlds' too, and its clock and faults are kept. */
const kept = (worlds: Worlds, handle: WorldHandle, instance: Instance): Admin => {
  const { admin } = instance
  const keepState = Effect.sync(() => handle.keepState(instance))
  return {
    ...admin,
    ...Object.fromEntries(
      stateOperations.map((name) => {
        // Each operation takes its own request, and receives the one that it was called with.
        const run = admin[name] as (request: unknown) => Effect.Effect<unknown, AdminRefused>
        return [name, (request: unknown) => Effect.ensuring(run(request), keepState)]
      })
    ),
    ...Object.fromEntries(
      keyOperations.map((name) => {
        // As above.
        const run = admin[name] as (request: unknown) => Effect.Effect<{ readonly key: string }, AdminRefused>
        return [
          name,
          (request: unknown) => Effect.tap(run(request), ({ key }) => Effect.sync(() => worlds.addKey(handle, key)))
        ]
      })
    )
  }
}

/** Keeps a world open while the client of the current request follows it. */
const follow = (handle: WorldHandle) =>
  Effect.map(FiberRef.get(AdminRequest.current), ({ events }) => {
    if (events?.body !== undefined) events.body = handle.holding(events.body)
  })

/** The worlds of a running service. */
export const make = ({ main, mainWorld, worlds }: Options): WorldAdmin.Worlds => {
  const refusing = <A>(effect: Effect.Effect<A, WorldError.Failure | AdminRefused>) =>
    Effect.mapError(effect, WorldError.toRefused)
  const besidesMain = (name: string) => worlds.find(name)

  const secretKey = () => main().world.vault?.id

  const operations: WorldAdmin.Worlds["operations"] = {
    createWorld: ({ asOf, from, rules, seed, ...world }) =>
      refusing(
        Effect.gen(function* () {
          if (seed !== undefined && from !== undefined) return yield* new WorldError.OriginAmbiguous({ other: "from" })
          if (seed !== undefined && asOf !== undefined) return yield* new WorldError.OriginAmbiguous({ other: "asOf" })
          const parent = from ?? AdminApi.main
          const made =
            seed === undefined
              ? yield* worlds.fork(world, parent, rules, asOf)
              : yield* worlds.begin(world, typeof seed === "string" ? seed : "inline", (file) =>
                  WorldOrigin.fromSeed(seed, rules ?? main().world.rules(), file)
                )
          return yield* toNewWorld(made)
        })
      ),
    importWorld: ({ file, ...world }) =>
      refusing(
        Effect.flatMap(
          worlds.begin(world, "file", (to) => WorldOrigin.fromExport(file, secretKey(), to, main().world.now())),
          toNewWorld
        )
      ),
    listWorlds: () => Effect.sync(() => [mainWorld.show(), ...worlds.all().map(toWorld)]),
    getWorld: ({ world }) =>
      world === AdminApi.main ? Effect.sync(() => mainWorld.show()) : refusing(Effect.map(besidesMain(world), toWorld)),
    dropWorld: ({ world }) =>
      refusing(
        world === AdminApi.main
          ? Effect.fail(new WorldError.MainKept({ reason: "delete" }))
          : Effect.as(worlds.drop(world), null)
      ),
    resetWorld: ({ world }) =>
      refusing(
        world === AdminApi.main
          ? Effect.map(mainWorld.reset, () => mainWorld.show())
          : Effect.flatMap(besidesMain(world), (handle) => Effect.as(worlds.reset(handle), toWorld(handle)))
      ),
    exportWorld: ({ world }) => refusing(worlds.use(world, exported)),
    createWorldSnapshot: ({ name, world }) =>
      refusing(
        world === AdminApi.main
          ? mainWorld.save(name)
          : Effect.flatMap(besidesMain(world), (handle) =>
              Effect.map(worlds.save(handle, name), (createdAt) => ({ name, createdAt: timestamp(createdAt) }))
            )
      ),
    listWorldSnapshots: ({ world }) =>
      refusing(
        world === AdminApi.main
          ? mainWorld.snapshots
          : Effect.map(besidesMain(world), (handle) =>
              handle.record().snapshots.map(({ createdAt, name }) => ({ name, createdAt: timestamp(createdAt) }))
            )
      ),
    restoreWorldSnapshot: ({ snapshot, world }) =>
      refusing(
        world === AdminApi.main
          ? Effect.map(mainWorld.restore(snapshot), () => mainWorld.show())
          : Effect.flatMap(besidesMain(world), (handle) =>
              Effect.map(worlds.restore(handle, snapshot), () => toWorld(handle))
            )
      ),
    dropWorldSnapshot: ({ snapshot, world }) =>
      refusing(
        world === AdminApi.main
          ? Effect.as(mainWorld.dropSnapshot(snapshot), null)
          : Effect.flatMap(besidesMain(world), (handle) => Effect.as(worlds.dropSnapshot(handle, snapshot), null))
      ),
    diffWorlds: (request) =>
      refusing(
        Effect.scoped(
          Effect.gen(function* () {
            const capture = (reference: string) => {
              const [name, snapshot] = reference.split(":", 2)
              return name === AdminApi.main && snapshot !== undefined
                ? mainWorld.capture(snapshot)
                : worlds.capture(reference)
            }
            const states = yield* Effect.all([capture(request.from), capture(request.to)])
            return yield* WorldDiff.make(request, states)
          })
        )
      )
  }

  return {
    operations,
    use: (world, work) =>
      Effect.flatMap(refusing(besidesMain(world)), (handle) =>
        Effect.catchAll(
          handle.use((instance) => Effect.zipLeft(work(kept(worlds, handle, instance)), follow(handle))),
          (error) => Effect.fail(WorldError.toRefused(error))
        )
      ),
    counts: () => {
      const all = worlds.all()
      const open = all.filter((handle) => handle.service() !== undefined).length
      return { open, idle: all.length - open }
    }
  }
}
