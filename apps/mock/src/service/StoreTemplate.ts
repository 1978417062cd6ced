/**
 * Stores to copy: a database in a file of the system's temporary folder, which worlds of a test begin with. They are
 * gone with the process.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { SeedError } from "../seeds/SeedFile.ts"
import * as Settings from "../Settings.ts"
import type { Store } from "../store/Store.ts"
import * as Instance from "./Instance.ts"

/** A store that is copied and never opened itself. */
export interface Template {
  /** The path of a copy that is gone with its scope. */
  readonly copy: Effect.Effect<string, never, Scope.Scope>
}

let folder: string | undefined
let files = 0

/** A path of its own in the folder of this process. */
const newPath = (): string => {
  if (folder === undefined) {
    const made = (folder = fs.mkdtempSync(path.join(os.tmpdir(), "mfg-mock-")))
    process.once("exit", () => fs.rmSync(made, { recursive: true, force: true }))
  }
  return path.join(folder, `${files++}.db`)
}

const fromFile = (file: string): Template => ({
  copy: Effect.acquireRelease(
    Effect.sync(() => {
      const copy = newPath()
      fs.copyFileSync(file, copy)
      return copy
    }),
    (copy) => Effect.sync(() => fs.rmSync(copy, { force: true }))
  )
})

/** What a store is now. */
export const save = (store: Store["Type"]): Effect.Effect<Template> =>
  Effect.suspend(() => {
    const file = newPath()
    // A folder of our own can be written.
    return Effect.orDie(Effect.as(store.save(file), fromFile(file)))
  })

type Beginning = Pick<Settings.Settings, "seed" | "rules">

const plant = (beginning: Beginning, idSeed: number): Effect.Effect<Template, SeedError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = { _tag: "Sqlite", path: ":memory:" } as const
      const settings = { ...Settings.defaults, ...beginning, store }
      const { world } = yield* Instance.make({ settings, idSeed, write: (line) => process.stderr.write(line) })
      return yield* save(world.store)
    })
  ).pipe(
    // Memory is always there and nobody else's: what is left to go wrong is the seed.
    Effect.catchAll((error) => (error._tag === "SeedError" ? Effect.fail(error) : Effect.die(error)))
  )

const live = Context.get(DefaultServices.liveServices, Clock.Clock)
const known = new Map<string, Template>()

/**
 * A new store with its seed. Those that would be equal are planted once; under the system's clock that means all of
 * the same seed, whose rows are then as old as the first of them.
 */
export const planted = (beginning: Beginning, idSeed: number): Effect.Effect<Template, SeedError> =>
  Effect.clockWith((clock) => {
    // A file may say something else the next time.
    if (beginning.seed._tag === "File") return plant(beginning, idSeed)
    const time = clock === live ? "now" : clock.unsafeCurrentTimeMillis()
    const name = [beginning.seed._tag, beginning.rules, idSeed, time].join()
    const template = known.get(name)
    if (template !== undefined) return Effect.succeed(template)
    return Effect.tap(plant(beginning, idSeed), (template) => Effect.sync(() => known.set(name, template)))
  })
