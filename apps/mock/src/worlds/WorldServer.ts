/**
 * Assembles a service with its worlds: the main one on the store of the settings, and the others on files next to it.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as fs from "node:fs"
import * as path from "node:path"
import * as WorldAdmin from "../admin/WorldAdmin.ts"
import * as Instance from "../service/Instance.ts"
import type { Service } from "../service/Service.ts"
import * as TemporaryFile from "../store/sqlite/file/TemporaryFile.ts"
import * as VirtualClock from "../world/VirtualClock.ts"
import * as MainWorld from "./MainWorld.ts"
import type * as WorldHandle from "./WorldHandle.ts"
import * as WorldHandlers from "./WorldHandlers.ts"
import * as WorldRouter from "./WorldRouter.ts"
import * as Worlds from "./Worlds.ts"

/** The worlds next to a main one, and the service of all of them. */
export interface WorldServer {
  readonly service: Service
  /** The operations on worlds, for the main world's interface. */
  readonly worlds: WorldAdmin.Worlds
}

/** The memory that the cache and the statements of an open world may take. */
const worldBytes = 512 * 1024

const liveClock = Context.get(DefaultServices.liveServices, Clock.Clock)

/** The folder of the worlds of a store. One in memory has a temporary folder. */
export const folderOf = (store: string): string =>
  store === ":memory:" ? `${TemporaryFile.create()}-worlds` : `${path.resolve(store)}-worlds`

/** Worlds next to a main one, which `main` returns, until the scope ends. */
export const around = (
  { send, settings, telemetry, write }: Instance.Options,
  folder: string,
  main: () => Instance.Instance
): Effect.Effect<WorldServer, never, Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const isDurable = settings.durableWorlds === "on"
    const byHeader = (settings.faults ?? []).some(({ _tag }) => _tag === "Header")
    let open = 0

    const start: WorldHandle.Options["start"] = ({ clock, faults, isSilent, isTrusted, name, path }) =>
      Effect.gen(function* () {
        yield* Effect.acquireRelease(
          Effect.sync(() => void (open += 1)),
          () => Effect.sync(() => void (open -= 1))
        )
        return yield* Instance.make({
          settings: {
            ...settings,
            apiKey: undefined,
            adminKey: undefined,
            readStore: undefined,
            store: { _tag: "Sqlite", path, durable: isDurable }
          },
          name,
          clock,
          send: isSilent === true ? () => Effect.never : send,
          telemetry,
          write,
          faultRules: { ...main().faults.sets, byHeader, armed: faults },
          own: { isTrusted, memoryBytes: settings.maxMemory + open * worldBytes }
        })
      })

    const worlds = yield* Worlds.make({
      folder,
      isDurable,
      main,
      start,
      maxWorlds: settings.maxWorlds,
      keepMillis: settings.keepWorlds,
      ...(clock === liveClock ? {} : { source: VirtualClock.sourceOf(clock) })
    })
    return {
      service: WorldRouter.make(() => main().service, worlds),
      worlds: WorldHandlers.make({ worlds, main, mainWorld: MainWorld.make({ folder, main, settings }) })
    }
  })

/** A service with worlds on SQLite, and without them on PostgreSQL, until the scope ends. */
export const make = (options: Instance.Options): Effect.Effect<Instance.Instance, Instance.StartError, Scope> =>
  Effect.gen(function* () {
    const { store } = options.settings
    if (store._tag !== "Sqlite") return yield* Instance.make(options)
    const folder = folderOf(store.path)
    if (store.path === ":memory:") {
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })))
    }
    // Requests arrive after this effect.
    const server: { current?: WorldServer } = {}
    const operations: WorldAdmin.Worlds = WorldAdmin.deferred(() => server.current?.worlds ?? WorldAdmin.ofCommand)
    const main = yield* Instance.make({ ...options, worlds: operations })
    server.current = yield* around(options, folder, () => main)
    return { ...main, service: server.current.service }
  })
