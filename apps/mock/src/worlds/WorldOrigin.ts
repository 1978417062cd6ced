/**
 * Prepares the first state of worlds that are not forks: a seed, or the file of an export.
 */
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type { JsonObject } from "@mfgdata/domain/Json"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as SeedFile from "../seeds/SeedFile.ts"
import * as StoreTemplate from "../service/StoreTemplate.ts"
import type { RulesViolated } from "../store/OpenError.ts"
import * as Snapshot from "../store/Snapshot.ts"
import * as SqliteDriver from "../store/sqlite/SqliteDriver.ts"
import * as SqliteMeta from "../store/sqlite/SqliteMeta.ts"
import * as SqliteSnapshot from "../store/sqlite/SqliteSnapshot.ts"
import * as VirtualClock from "../world/VirtualClock.ts"
import type { Member } from "../world/World.ts"
import * as Capture from "./Capture.ts"
import { attempt, type FolderUnwritable, OriginEmpty } from "./WorldError.ts"
import type * as WorldRecord from "./WorldRecord.ts"

/** The state of a new world, in a file that the caller moves or deletes. */
export interface Origin {
  readonly member: Member
  readonly rules: RuleSet
  readonly state: WorldRecord.State
}

/** The seed of ids of every seeded world: the same seed gives the same ids. */
const idSeed = 1

/** A seed of a request: its name, or the content of a seed file. */
export type Seed = "demo" | "empty" | JsonObject

const opened = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => SqliteDriver.open(file, { durable: false })),
    (driver) => Effect.sync(driver.close)
  )

/** Reads what the record of a world repeats. */
const inspect = (driver: SqliteDriver.SqliteDriver): Effect.Effect<Origin, OriginEmpty> => {
  const [row] = driver.execute({
    text: `SELECT "companyId", "userId" FROM "_companyUser" ORDER BY "companyId", "userId" LIMIT 1`,
    parameters: []
  })
  if (row === undefined) return Effect.fail(new OriginEmpty())
  const [companyId, userId] = row
  return Effect.succeed({
    member: { companyId: CompanyId.make(String(companyId)), userId: UserId.make(String(userId)) },
    rules: SqliteMeta.ruleSet(driver),
    state: { clock: SqliteMeta.clock(driver) ?? VirtualClock.running, faults: [] }
  })
}

const copyOf = (seed: Parameters<typeof StoreTemplate.fromSeed>[0], to: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const template = yield* StoreTemplate.fromSeed(seed, idSeed)
      const copy = yield* template.copy
      yield* attempt(() => fs.copyFileSync(copy, to))
    })
  )

/** Writes a seed to a file. */
export const fromSeed = (
  seed: Seed,
  rules: RuleSet,
  to: string
): Effect.Effect<Origin, SeedFile.SeedError | FolderUnwritable | OriginEmpty> =>
  Effect.scoped(
    Effect.gen(function* () {
      if (seed === "demo") yield* copyOf({ seed: { _tag: "Demo" }, rules }, to)
      else if (seed === "empty") yield* copyOf({ seed: { _tag: "Empty" }, rules }, to)
      else {
        const file = path.join(path.dirname(to), `${path.basename(to)}.seed.json`)
        fs.writeFileSync(file, JSON.stringify(seed), { mode: 0o600 })
        yield* copyOf({ seed: { _tag: "File", path: file }, rules }, to).pipe(
          Effect.ensuring(Effect.sync(() => fs.rmSync(file, { force: true }))),
          Effect.mapError((error) =>
            error._tag === "SeedError" ? new SeedFile.SeedError({ ...error, seed: "of the request" }) : error
          )
        )
      }
      return yield* inspect(yield* opened(to))
    })
  )

/** The error with the file as the caller knows it. */
const ofRequest = ({ cause, line }: Snapshot.SnapshotUnreadable) =>
  new Snapshot.SnapshotUnreadable({ file: "of the request", cause, ...(line === undefined ? {} : { line }) })

/** Writes the contents of an export to a file. `secretKey` is the id of the key that the service encrypts secrets with. */
export const fromExport = (
  exported: Uint8Array,
  secretKey: string | undefined,
  to: string,
  nowMillis: number
): Effect.Effect<
  Origin,
  SeedFile.SeedError | FolderUnwritable | OriginEmpty | Snapshot.SnapshotUnreadable | RulesViolated
> =>
  Effect.gen(function* () {
    const file = `${to}.import`
    const origin = yield* Effect.scoped(
      Effect.gen(function* () {
        yield* copyOf({ seed: { _tag: "Empty" }, rules: "contract" }, to)
        fs.writeFileSync(file, exported, { mode: 0o600 })
        const driver = yield* opened(to)
        SqliteMeta.setSecretKey(driver, secretKey)
        yield* SqliteSnapshot.restorePortable(driver, file, path.dirname(to))
        return yield* inspect(driver)
      })
    ).pipe(
      Effect.ensuring(Effect.sync(() => fs.rmSync(file, { force: true }))),
      Effect.mapError((error) => (error._tag === "SnapshotUnreadable" ? ofRequest(error) : error))
    )
    Capture.hold(to, nowMillis)
    return origin
  })
