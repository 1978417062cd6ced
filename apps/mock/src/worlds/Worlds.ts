/**
 * The worlds of a service: makes, forks and deletes them. They lie in a folder next to the store of the main world.
 */
import { main } from "@mfgdata/client/AdminApi"
import * as ApiKey from "@mfgdata/domain/ApiKey"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Timestamp } from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { randomBytes, randomInt } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import * as KeyCache from "../access/KeyCache.ts"
import type { AdminRefused } from "../admin/AdminRefused.ts"
import type { Instance } from "../service/Instance.ts"
import type { RulesViolated } from "../store/OpenError.ts"
import * as WorldError from "./WorldError.ts"
import * as WorldHandle from "./WorldHandle.ts"
import type * as WorldOrigin from "./WorldOrigin.ts"
import * as WorldRecord from "./WorldRecord.ts"
import * as WorldRegistry from "./WorldRegistry.ts"
import * as WorldSnapshots from "./WorldSnapshots.ts"
import * as WorldStates from "./WorldStates.ts"

export interface Options extends Pick<WorldHandle.Options, "start" | "isDurable" | "source"> {
  /** The folder, which the first world creates. */
  readonly folder: string
  readonly maxWorlds: number
  readonly keepMillis: number
  /** The main world. */
  readonly main: () => Instance
}

/** The choices of a new world. */
interface NewWorld {
  readonly name?: string | undefined
  readonly idleSeconds?: number | undefined
}

/** A new world, and its key. */
export interface Made {
  readonly handle: WorldHandle.WorldHandle
  readonly key: string
}

/** Everything that is known of a world before it has a record. */
interface Draft extends WorldOrigin.Origin {
  readonly from: string | null
  readonly seed: WorldRecord.WorldRecord["seed"]
  readonly isTrusted: boolean
}

type MakeError = WorldHandle.Failure | WorldError.WorldError

export interface Worlds
  extends
    Pick<WorldRegistry.WorldRegistry, "withKey" | "isEmpty" | "find" | "all" | "addKey">,
    Pick<WorldStates.WorldStates, "capture">,
    WorldSnapshots.WorldSnapshots {
  /** Runs an effect on the service of a world, the main one included. */
  readonly use: <A, E>(
    name: string,
    work: (instance: Instance) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | WorldHandle.Failure>
  /** Makes a world that continues another one. */
  readonly fork: (
    world: NewWorld,
    from: string,
    rules: RuleSet | undefined,
    asOf: Timestamp | undefined
  ) => Effect.Effect<Made, MakeError | RulesViolated | AdminRefused>
  /** Makes a world from the file that `write` writes. */
  readonly begin: <E>(
    world: NewWorld,
    seed: NonNullable<WorldRecord.WorldRecord["seed"]>,
    write: (file: string) => Effect.Effect<WorldOrigin.Origin, E>
  ) => Effect.Effect<Made, MakeError | E>
  readonly drop: (name: string) => Effect.Effect<void, WorldError.WorldMissing>
}

/** The folder of captured states within the folder of worlds. */
const capturedFolder = ".captured"

const suffix = () =>
  randomInt(36 ** 6)
    .toString(36)
    .padStart(6, "0")

const sentinel = { origin: 0, first: 1 }

/** The worlds of a folder, until the scope ends. */
export const make = ({
  folder,
  isDurable,
  keepMillis,
  main: mainInstance,
  maxWorlds,
  source,
  start
}: Options): Effect.Effect<Worlds, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = Runtime.runFork(yield* Effect.runtime())
    const detach: WorldHandle.Detach = (effect) => Effect.suspend(() => Fiber.join(fork(effect)))
    const timing = source === undefined ? {} : { source }
    const registry = WorldRegistry.make({
      maxWorlds,
      keepMillis,
      detach,
      fork,
      onRemove: (name) => states.forget(name)
    })
    const { find } = registry
    const use: Worlds["use"] = (name, work) =>
      name === main ? Effect.suspend(() => work(mainInstance())) : Effect.flatMap(find(name), ({ use }) => use(work))
    const captured = path.join(folder, capturedFolder)
    const states = WorldStates.make({ folder: captured, detach, find, start, use, ...timing })

    const open = (folder: string, record: WorldRecord.WorldRecord) =>
      WorldHandle.make({ detach, folder, record, isDurable, start, ...timing })

    /** Opens what an earlier process has left. */
    const load = Effect.sync(() => {
      states.clear()
      const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : []
      for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))) {
        const place = path.join(folder, name)
        const record = WorldRecord.read(place)
        if (record === undefined) fs.rmSync(place, { recursive: true, force: true })
        else registry.add(open(place, record))
      }
    })

    /** Makes a world whose first state `prepare` puts at a path. */
    const create = <E>(
      { idleSeconds = 3600, name = `world-${suffix()}` }: NewWorld,
      prepare: (file: string) => Effect.Effect<Draft, E>
    ): Effect.Effect<Made, E | MakeError> =>
      Effect.suspend(() => {
        const place = path.join(folder, `${name}-${suffix()}`)
        const key = ApiKey.fromRandom(randomBytes(32))
        const made = Effect.gen(function* () {
          yield* WorldError.attempt(() => fs.mkdirSync(place, { recursive: true, mode: 0o700 }))
          const draft = yield* prepare(WorldRecord.database(place, sentinel.origin))
          const { from, isTrusted, member, rules, seed, state } = draft
          const now = Date.now()
          const origin = { ...state, file: sentinel.origin, isTrusted }
          const record: WorldRecord.WorldRecord = {
            version: 1,
            name,
            keys: [KeyCache.digest(key)],
            from,
            seed,
            rules,
            ...member,
            createdAt: now,
            usedAt: now,
            idleSeconds,
            origin,
            base: origin,
            file: sentinel.first,
            state,
            snapshots: [],
            next: sentinel.first + 1
          }
          yield* WorldError.attempt(() => WorldRecord.write(place, record, isDurable))
          const handle = open(place, record)
          registry.add(handle)
          return { handle, key }
        })
        const discard = Effect.sync(() => fs.rmSync(place, { recursive: true, force: true }))
        return registry.reserving(
          name,
          Effect.onError(made, () => discard)
        )
      })

    /** Switches the rules of a new world, which it then keeps over a reset. */
    const switchRules = (made: Made, rules: RuleSet) =>
      made.handle
        .use((instance) =>
          Effect.gen(function* () {
            const { folder, record, update } = made.handle
            yield* instance.world.store.switchRules(rules)
            yield* instance.world.refresh
            const { name, next } = record()
            const isTrusted = yield* states.whole(name, instance, WorldRecord.database(folder, next))
            const origin = { ...WorldHandle.stateOf(instance), file: next, isTrusted }
            yield* WorldError.attempt(() => {
              update((record) => ({ ...record, rules, origin, base: origin, next: next + 1 }))
              fs.rmSync(WorldRecord.database(folder, sentinel.origin), { force: true })
            })
          })
        )
        .pipe(Effect.onError(() => registry.remove(made.handle)))

    const forkOf: Worlds["fork"] = (world, from, rules, asOf) =>
      Effect.gen(function* () {
        const made = yield* create(world, (file) =>
          use(from, (instance) =>
            Effect.gen(function* () {
              const member = instance.world.home()
              if (member === undefined) return yield* new WorldError.OriginEmpty()
              const isTrusted = yield* asOf === undefined
                ? states.held(from, instance, file)
                : states.rewound(from, instance, asOf, file)
              return {
                member,
                rules: instance.world.rules(),
                state: WorldHandle.stateOf(instance),
                isTrusted,
                from,
                seed: null
              }
            })
          )
        )
        if (rules !== undefined && rules !== made.handle.record().rules) yield* switchRules(made, rules)
        return made
      })

    yield* load
    yield* Effect.addFinalizer(() => Effect.zipLeft(registry.close, Effect.sync(states.clear)))

    return {
      withKey: registry.withKey,
      isEmpty: registry.isEmpty,
      find,
      all: registry.all,
      addKey: registry.addKey,
      use,
      fork: forkOf,
      begin: (world, seed, write) =>
        create(world, (file) =>
          Effect.map(write(file), (origin) => ({ ...origin, seed, from: null, isTrusted: true }))
        ),
      capture: states.capture,
      drop: (name) => Effect.flatMap(find(name), registry.remove),
      ...WorldSnapshots.make(states)
    }
  })
