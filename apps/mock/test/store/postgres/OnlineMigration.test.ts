/**
 * Migrations while others use the store: each migration after those of the first release is checked on a server, and so
 * are planted ones that would stop it.
 */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import postgres from "postgres"
import * as Instance from "../../../src/service/Instance.ts"
import * as Migration from "../../../src/store/migrations/Migration.ts"
import * as PostgresDriver from "../../../src/store/postgres/PostgresDriver.ts"
import * as PostgresMigrator from "../../../src/store/postgres/schema/PostgresMigrator.ts"
import * as Postgres from "../../postgres/schema.ts"
import * as MigrationCheck from "../../postgres/MigrationCheck.ts"

/** The migrations of the first release are applied to empty stores. */
const released = 2

const next = (given: Partial<Migration.Migration>): Migration.Migration => ({
  number: Migration.latest + 1,
  name: "next",
  sqlite: "",
  postgres: "SELECT 1",
  serves: Migration.latest,
  ...given
})

const opened = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => PostgresDriver.open({ url, connections: 4, statementMillis: 5000, responseMillis: 7000 })),
    ({ close }) => Effect.promise(() => close(0))
  )

const migrate = (driver: PostgresDriver.PostgresDriver, ...added: ReadonlyArray<Migration.Migration>) =>
  Effect.promise(() =>
    PostgresMigrator.migrate(driver, {
      store: "here",
      ruleSet: "contract",
      migrations: [...Migration.migrations, ...added]
    })
  )

/** A store with rows in a table. */
const filled: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function* () {
  const { url } = yield* Postgres.fresh
  yield* migrate(yield* opened(url))
  yield* Schema.run(url, MigrationCheck.rows)
  return url
})

const session = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => postgres(url, { max: 1, onnotice: () => undefined })),
    (sql) => Effect.promise(() => sql.end())
  )

describe("online migrations", () => {
  it.scopedLive("of this version neither block nor break instances of the release before", () =>
    Effect.gen(function* () {
      for (const migration of Migration.migrations.slice(released)) {
        const url = yield* filled
        assert.deepStrictEqual(yield* MigrationCheck.problems(url, migration.postgres), [], migration.name)
      }
      const url = yield* filled
      const good = `CREATE TABLE "_planted" ("id" bigint PRIMARY KEY);
        ALTER TABLE "holiday" ADD COLUMN "planted" text;
        ALTER TABLE "holiday" ADD COLUMN "counted" bigint NOT NULL DEFAULT 0;
        ALTER TABLE "holiday" ADD CONSTRAINT "planted" CHECK ("counted" >= 0) NOT VALID`
      assert.deepStrictEqual(yield* MigrationCheck.problems(url, good), [])
    })
  )

  const faults = {
    [`CREATE INDEX "planted" ON "holiday" ("name")`]: "reads or rewrites holiday under ShareLock",
    [`ALTER TABLE "holiday" ADD COLUMN "at" timestamptz NOT NULL DEFAULT clock_timestamp()`]:
      "reads or rewrites holiday",
    [`ALTER TABLE "holiday" ALTER COLUMN "year" TYPE numeric`]: "reads or rewrites holiday",
    [`ALTER TABLE "holiday" ALTER COLUMN "year" SET NOT NULL`]: "reads or rewrites holiday",
    [`ALTER TABLE "holiday" ADD CONSTRAINT "planted" CHECK ("name" <> '')`]: "reads or rewrites holiday",
    [`ALTER TABLE "holiday" ADD CONSTRAINT "planted" UNIQUE ("_tenant", "name")`]: "reads or rewrites holiday",
    [`UPDATE "holiday" SET "name" = "name"`]: "changes 50 rows of holiday",
    [`ALTER TABLE "holiday" DROP COLUMN "year"`]: "removes holiday.year",
    [`ALTER TABLE "holiday" RENAME COLUMN "year" TO "annum"`]: "removes holiday.year",
    [`DROP TABLE "_past_holiday"`]: "removes _past_holiday",
    [`ALTER TABLE "paymentTerm" ADD COLUMN "planted" text NOT NULL`]: "requires paymentTerm.planted"
  }
  for (const [statement, problem] of Object.entries(faults)) {
    it.scopedLive(`refuse a planted one: ${statement}`, () =>
      Effect.gen(function* () {
        const found = yield* MigrationCheck.problems(yield* filled, statement)
        assert.isTrue(
          found.some((text) => text.includes(problem)),
          `${problem}: ${found.join(", ")}`
        )
      })
    )
  }

  it.scopedLive("wait for a lock briefly and again, and let others pass meanwhile", () =>
    Effect.gen(function* () {
      const url = yield* filled
      const [holder, reader] = [yield* session(url), yield* session(url)]
      yield* Effect.promise(() => holder.unsafe(`BEGIN; SELECT 1 FROM "holiday"`))
      const driver = yield* opened(url)
      const added = next({ postgres: `ALTER TABLE "holiday" ADD COLUMN "planted" text` })
      const migration = yield* Effect.fork(migrate(driver, added))
      const waits = Schema.run(url, `SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'`)
      yield* Effect.repeat(waits, { until: (rows) => rows.length > 0 })
      // It waits in the queue of the lock, and ends before the migration does.
      yield* Effect.promise(() => reader.unsafe(`SELECT count(*) FROM "holiday"`))
      yield* Effect.promise(() => holder.unsafe("COMMIT"))
      assert.deepStrictEqual(yield* migration.await.pipe(Effect.flatten), Either.right(1))
    })
  )

  it.scopedLive("build their indexes while others write, also after an interrupted build", () =>
    Effect.gen(function* () {
      const url = yield* filled
      const added = next({ indexes: [{ name: "planted", on: `"holiday" ("_tenant", "date")` }] })
      const writer = yield* session(url)
      yield* Schema.run(
        url,
        `CREATE INDEX "planted" ON "holiday" ("_tenant", "date");
        UPDATE pg_index SET indisvalid = false WHERE indexrelid = '"planted"'::regclass`
      )
      const [one, other] = [yield* opened(url), yield* opened(url)]
      yield* Effect.promise(() => writer.unsafe(`BEGIN; UPDATE "kanban" SET "_revision" = 2`))
      const migrations = yield* Effect.fork(
        Effect.all([migrate(one, added), migrate(other, added)], { concurrency: 2 })
      )
      yield* Effect.promise(() => writer.unsafe(`UPDATE "holiday" SET "_revision" = 2; COMMIT`))
      const counts = yield* migrations.await.pipe(Effect.flatten)
      assert.sameDeepMembers([...counts], [Either.right(1), Either.right(0)])
      const found = yield* Schema.run(url, `SELECT indisvalid FROM pg_index WHERE indexrelid = '"planted"'::regclass`)
      assert.deepStrictEqual(found, [[true]])
    })
  )

  it.scopedLive("let the version before start on a store that names it, and no other", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const open = Effect.scoped(Instance.open({ store: address, rules: "contract" }))
      yield* open
      const driver = yield* opened(address.url)
      yield* migrate(driver, next({}))
      yield* open
      yield* migrate(driver, next({}), next({ number: Migration.latest + 2, serves: Migration.latest + 1 }))
      const refused = yield* Effect.flip(open)
      assert.strictEqual(refused._tag, "StoreTooNew")
    })
  )
})
