/**
 * Provides SQLite databases that the worlds of tests start from: each test copies a prepared file in the system's
 * temporary folder, which takes milliseconds. The files are deleted when the process exits.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import type { SeedError } from "../seeds/SeedFile.ts"
import * as Settings from "../Settings.ts"
import * as TemporaryFile from "../store/sqlite/file/TemporaryFile.ts"
import type { Store } from "../store/Store.ts"
import * as Instance from "./Instance.ts"

/** A database file that is only ever copied, never opened. */
export interface StoreTemplate {
  /** The path of a new copy, which is deleted when the scope closes. */
  readonly copy: Effect.Effect<string, never, Scope.Scope>
}

const fromFile = (file: string): StoreTemplate => ({
  copy: Effect.acquireRelease(
    Effect.sync(() => {
      const copy = TemporaryFile.create()
      fs.copyFileSync(file, copy)
      return copy
    }),
    (copy) => Effect.sync(() => TemporaryFile.remove(copy))
  )
})

/** Saves the current contents of a store as a template. */
export const save = (store: Store["Type"]): Effect.Effect<StoreTemplate> =>
  Effect.suspend(() => {
    const file = TemporaryFile.create()
    // The process created this folder, so writing to it does not fail.
    return Effect.orDie(Effect.as(store.save(file), fromFile(file)))
  })

type SeedSettings = Pick<Settings.Settings, "seed" | "rules">

const build = (seedSettings: SeedSettings, idSeed: number): Effect.Effect<StoreTemplate, SeedError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = { _tag: "Sqlite", path: ":memory:" } as const
      const settings = { ...Settings.defaults, ...seedSettings, store }
      const { world } = yield* Instance.make({ settings, idSeed, write: (line) => process.stderr.write(line) })
      return yield* save(world.store)
    })
  ).pipe(
    // A store in memory opens without fail, so only the seed can be wrong.
    Effect.catchAll((error) => (error._tag === "SeedError" ? Effect.fail(error) : Effect.die(error)))
  )

const systemClock = Context.get(DefaultServices.liveServices, Clock.Clock)
const cache = new Map<string, StoreTemplate>()

/**
 * A template with a seed. Templates of the same settings, id seed and time are built once. Under the system's clock the
 * time is ignored: the rows of a cached template are as old as the template.
 */
export const fromSeed = (seedSettings: SeedSettings, idSeed: number): Effect.Effect<StoreTemplate, SeedError> =>
  Effect.clockWith((clock) => {
    // The contents of the file may change between calls.
    if (seedSettings.seed._tag === "File") return build(seedSettings, idSeed)
    const time = clock === systemClock ? "now" : clock.unsafeCurrentTimeMillis()
    const name = [seedSettings.seed._tag, seedSettings.rules, idSeed, time].join()
    const template = cache.get(name)
    if (template !== undefined) return Effect.succeed(template)
    return Effect.tap(build(seedSettings, idSeed), (template) => Effect.sync(() => cache.set(name, template)))
  })
