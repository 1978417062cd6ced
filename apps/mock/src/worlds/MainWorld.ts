/**
 * The main world as one of the worlds: it is never put away, its rows are replaced in the store of the service, and its
 * snapshots lie in the folder of worlds.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import * as path from "node:path"
import * as AdminHandlers from "../admin/AdminHandlers.ts"
import type { SeedError } from "../seeds/SeedFile.ts"
import * as Seeder from "../seeds/Seeder.ts"
import type { Instance } from "../service/Instance.ts"
import * as StoreTemplate from "../service/StoreTemplate.ts"
import type { Settings } from "../Settings.ts"
import { timestamp } from "../sql/ServiceColumn.ts"
import { sql, text } from "../sql/Statement.ts"
import type { RulesViolated } from "../store/OpenError.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import { ClockState, type SnapshotUnreadable } from "../store/Snapshot.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import * as SqliteDriver from "../store/sqlite/SqliteDriver.ts"
import type { Captured } from "./Capture.ts"
import {
  attempt,
  checkName,
  type FolderUnwritable,
  MainKept,
  type NameTaken,
  type NameUnfit,
  SnapshotMissing
} from "./WorldError.ts"

type RestoreError = SnapshotUnreadable | RulesViolated | StoreUnavailable | FolderUnwritable

export interface MainWorld {
  readonly show: () => AdminApi.World
  readonly reset: Effect.Effect<void, RestoreError | MainKept | SeedError>
  readonly snapshots: Effect.Effect<ReadonlyArray<AdminApi.WorldSnapshot>>
  readonly save: (
    name: string
  ) => Effect.Effect<AdminApi.WorldSnapshot, NameUnfit | NameTaken | StoreUnavailable | FolderUnwritable>
  readonly restore: (name: string) => Effect.Effect<void, RestoreError | SnapshotMissing>
  /** The file of a snapshot, which is the caller's to read until it is deleted. */
  readonly capture: (name: string) => Effect.Effect<Captured, SnapshotMissing>
  readonly dropSnapshot: (name: string) => Effect.Effect<void, SnapshotMissing | FolderUnwritable>
}

export interface Options {
  readonly main: () => Instance
  /** The folder of worlds. */
  readonly folder: string
  readonly settings: Pick<Settings, "seed">
}

/** The state that a snapshot has besides its rows. */
const Saved = Schema.Struct({ createdAt: Schema.Number, clock: Schema.NullOr(ClockState) })

const decode = Schema.decodeUnknownOption(Schema.parseJson(Saved))

const columns = `"id", "companyId", "userId", "name", "digest", "preview", "scopes", "createdAt", "expiresAt", "lastUsedAt", "revokedAt"`

export const make = ({ folder, main, settings }: Options): MainWorld => {
  const startedAt = Date.now()
  const own = path.join(folder, ".main")
  const place = (name: string) => path.join(own, `${name}.db`)
  const record = (name: string) => path.join(own, `${name}.json`)

  const read = (name: string): Option.Option<typeof Saved.Type> => {
    try {
      return decode(fs.readFileSync(record(name), "utf8"))
    } catch {
      return Option.none()
    }
  }

  const find = (name: string) =>
    Effect.suspend(() =>
      Option.match(AdminApi.namePattern.test(name) ? read(name) : Option.none(), {
        onNone: () => Effect.fail(new SnapshotMissing({ world: AdminApi.main, name })),
        onSome: (saved) => Effect.succeed(saved)
      })
    )

  /** Adds the keys of the main world to a database of its seed: their users are those of the seed. */
  const keepKeys = (file: string) =>
    Effect.gen(function* () {
      const rows = yield* ServiceTables.make(main().world.store).read(sql`SELECT ${text(columns)} FROM "_apiKey"`)
      const driver = SqliteDriver.open(file, { durable: false })
      try {
        for (const row of rows) {
          driver.execute({
            text: `INSERT INTO "_apiKey" (${columns}) SELECT ${row.map(() => "?").join(", ")} WHERE EXISTS (
              SELECT 1 FROM "_companyUser" WHERE "companyId" = ? AND "userId" = ?) ON CONFLICT DO NOTHING`,
            parameters: [...row, row[1] ?? null, row[2] ?? null]
          })
        }
      } finally {
        driver.close()
      }
    })

  const seedOf = Effect.suspend(() =>
    Effect.map(
      ServiceTables.make(main().world.store).read(sql`SELECT "value" FROM "_meta" WHERE "key" = ${Seeder.metaName}`),
      ([row]) => row?.[0]
    )
  )

  return {
    show: () => {
      const { world } = main()
      const home = world.home()
      const now = Date.now()
      return {
        name: AdminApi.main,
        from: null,
        seed: null,
        rules: world.rules(),
        companyId: home?.companyId ?? null,
        userId: home?.userId ?? null,
        state: "open",
        createdAt: timestamp(startedAt),
        usedAt: timestamp(now),
        idleSeconds: null
      }
    },
    reset: Effect.gen(function* () {
      const { keys, world } = main()
      if ((yield* seedOf) !== Seeder.nameOf(settings.seed)) return yield* new MainKept({ reason: "reset" })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const template = yield* StoreTemplate.fromSeed({ seed: settings.seed, rules: world.rules() }, 1)
          const copy = yield* template.copy
          yield* keepKeys(copy)
          yield* AdminHandlers.restore(world, keys, copy)
        })
      )
    }),
    snapshots: Effect.sync(() =>
      (fs.existsSync(own) ? fs.readdirSync(own) : [])
        .filter((file) => file.endsWith(".json"))
        .map((file) => file.slice(0, -".json".length))
        .flatMap((name) => Option.toArray(Option.map(read(name), ({ createdAt }) => ({ name, createdAt }))))
        .toSorted((one, other) => one.createdAt - other.createdAt)
        .map(({ createdAt, name }) => ({ name, createdAt: timestamp(createdAt) }))
    ),
    save: (name) =>
      Effect.gen(function* () {
        const { clock, world } = main()
        yield* checkName("snapshot", name, Option.isSome(read(name)))
        yield* attempt(() => {
          fs.mkdirSync(own, { recursive: true, mode: 0o700 })
          fs.rmSync(place(name), { force: true })
        })
        if (world.store.copies !== undefined) yield* world.store.copies.write(place(name))
        const saved = { createdAt: Date.now(), clock: clock?.state() ?? null }
        yield* attempt(() => fs.writeFileSync(record(name), JSON.stringify(saved), { mode: 0o600, flush: true }))
        return { name, createdAt: timestamp(saved.createdAt) }
      }),
    restore: (name) =>
      Effect.gen(function* () {
        const { clock } = yield* find(name)
        const { clock: current, keys, world } = main()
        yield* AdminHandlers.restore(world, keys, place(name))
        if (clock !== null) current?.restore(clock)
      }),
    capture: (name) => Effect.as(find(name), { file: place(name), isTrusted: true }),
    dropSnapshot: (name) =>
      Effect.flatMap(find(name), () =>
        attempt(() => {
          fs.rmSync(record(name), { force: true })
          fs.rmSync(place(name), { force: true })
        })
      )
  }
}
