/**
 * Puts a mirror into a world of a running service: the rows are mirrored into a store next to that of the service, and
 * each run makes the world again from it.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import type * as Settings from "../Settings.ts"
import type { World } from "../world/World.ts"
import * as AdminTarget from "./target/AdminTarget.ts"

type Target = Parameters<typeof AdminTarget.use>[0]
type Staged = Extract<Settings.StoreAddress, { readonly _tag: "Sqlite" }>

/** The service has a world of the name that no mirror has made. */
class WorldTaken extends Data.TaggedError("WorldTaken")<{ readonly name: string }> {
  override get message() {
    return `The world ${this.name} exists and is not a mirror: name another one with --world, or delete it.`
  }
}

/** The store that has the rows of a world between two runs. */
const storeOf = ({ store }: Target, name: string): Effect.Effect<Staged, UsageError> => {
  if (store._tag === "Postgres") {
    return Effect.fail(
      new UsageError({ problem: "Worlds are those of a service on SQLite, and --store is PostgreSQL." })
    )
  }
  return AdminApi.namePattern.test(name) && name !== AdminApi.main
    ? Effect.succeed({ ...store, path: `${store.path}-mirror-${name}` })
    : Effect.fail(
        new UsageError({
          problem: `Invalid value ${JSON.stringify(name)} for --world: expected 1 to 64 letters, digits, dots, dashes and underscores, and another name than ${AdminApi.main}.`,
          example: "--world nightly"
        })
      )
}

/** Finds the store for a world, and the service that will have it, before anything is mirrored. */
export const prepare = (target: Target, name: string) =>
  Effect.gen(function* () {
    const staged = yield* storeOf(target, name)
    const worlds = yield* AdminTarget.use(target, (admin) => admin.listWorlds({}))
    const isTaken = worlds.some((world) => world.name === name) && !fs.existsSync(staged.path)
    return isTaken ? yield* new WorldTaken({ name }) : staged
  })

/** The content of a mirrored store, as a service imports it. */
export const read = ({ store }: World["Type"], { path }: Staged) => {
  const file = `${path}.ndjson.gz`
  return store.save(file).pipe(
    Effect.flatMap(() => Effect.promise(() => fs.promises.readFile(file))),
    Effect.ensuring(Effect.sync(() => fs.rmSync(file, { force: true })))
  )
}

/** Makes the world, in place of the one of an earlier run. */
export const put = (target: Target, name: string, file: Uint8Array) =>
  AdminTarget.use(target, (admin) =>
    Effect.gen(function* () {
      const worlds = yield* admin.listWorlds({})
      if (worlds.some((world) => world.name === name)) yield* admin.dropWorld({ world: name })
      return yield* admin.importWorld({ name, file })
    })
  )
