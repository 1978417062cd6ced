/** Opens the store of each release with this version, and compares every row. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { gunzipSync } from "node:zlib"
import type * as Settings from "../../src/Settings.ts"
import * as SqliteDriver from "../../src/store/sqlite/SqliteDriver.ts"
import * as Postgres from "../postgres/schema.ts"
import { scratch } from "../store/scratch.ts"
import * as StoreFixture from "./StoreFixture.ts"

const remake = `delete the fixture of this version if it was never released, and make it again: ${StoreFixture.command}`

if (StoreFixture.isWriting) await Effect.runPromise(StoreFixture.write)

const key = "mfg_upgraded_store_key"

/** The tables, columns, indexes and triggers of a closed store. */
const schemaOf = (address: Settings.StoreAddress) =>
  Effect.gen(function* () {
    if (address._tag === "Sqlite") {
      const driver = SqliteDriver.open(address.path)
      const rows = driver.execute({
        text: `SELECT "type", "tbl_name", "name", "sql" FROM sqlite_schema
          WHERE "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1, 2, 3`,
        parameters: []
      })
      driver.close()
      return rows
    }
    const rows = yield* Schema.run(
      address.url,
      `SELECT 'column', table_name::text, column_name::text, data_type || ' ' || is_nullable || ' ' || coalesce(collation_name, '')
        FROM information_schema.columns WHERE table_schema = current_schema()
      UNION ALL SELECT 'index', tablename, indexname, replace(indexdef, schemaname || '.', '')
        FROM pg_indexes WHERE schemaname = current_schema()
      UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, replace(pg_get_constraintdef(oid), current_schema() || '.', '')
        FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
      UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname, replace(pg_get_triggerdef(oid), current_schema() || '.', '')
        FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
          AND NOT tgisinternal
      UNION ALL SELECT 'function', '', proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
      ORDER BY 1, 2, 3, 4`
    )
    return rows
  })

describe("stores of releases", () => {
  it.each(StoreFixture.versions())("have all files of their fixture: %s", (version) => {
    const remedy =
      version === StoreFixture.version
        ? `make it with ${StoreFixture.command}`
        : "restore it: it is a file of a release"
    for (const file of Object.values(StoreFixture.files(version))) {
      assert.isTrue(existsSync(file), `${path.relative(process.cwd(), file)} is missing: ${remedy}`)
    }
  })

  it.each(StoreFixture.versions())("have migrations that never change: %s", (version) => {
    for (const [index, before] of StoreFixture.released(version).entries()) {
      assert.deepStrictEqual(
        StoreFixture.digests[index],
        before,
        version === StoreFixture.version
          ? `the migration ${before.name} was changed: ${remake}`
          : `the migration ${before.name} was changed since ${version}: restore it, and add another migration`
      )
    }
  })

  it("have every migration in the fixture of this version", () => {
    assert.deepStrictEqual(
      StoreFixture.released(StoreFixture.version).map(({ name }) => name),
      StoreFixture.digests.map(({ name }) => name),
      remake
    )
  })

  const stores = [
    [
      "SQLite",
      StoreFixture.sqlite,
      Effect.map(scratch, (place) => ({ _tag: "Sqlite", path: path.join(place, "new.db") }) as const)
    ],
    ["PostgreSQL", StoreFixture.postgres, Postgres.fresh]
  ] as const

  for (const [name, fixture, fresh] of stores) {
    for (const version of StoreFixture.versions()) {
      it.scopedLive(`are migrated with every row: ${version} on ${name}`, () =>
        Effect.gen(function* () {
          const address = yield* fixture(version)
          const copy = path.join(yield* scratch, "rows.ndjson.gz")
          const problems = yield* Effect.scoped(
            Effect.gen(function* () {
              const store = yield* StoreFixture.open(address)
              yield* store.save(copy)
              return yield* store.integrityProblems
            })
          )
          assert.deepStrictEqual(problems, [])
          const expected = yield* StoreFixture.rowsOf(StoreFixture.files(version).rows)
          const actual = yield* StoreFixture.rowsOf(copy)
          assert.isAbove(expected.size, 40)
          for (const [table, lines] of expected) {
            const found = actual.get(table) ?? []
            assert.lengthOf(found, lines.length, table)
            // A migration may add columns, and changes none that a row has.
            lines.forEach(({ row, ...owner }, index) => {
              assert.deepInclude(found[index], owner, table)
              assert.deepInclude(found[index]?.row, row, table)
            })
          }
          assert.sameMembers([...actual.keys()], [...expected.keys()])
        })
      )

      it.scopedLive(`are restored from a snapshot: ${version} on ${name}`, () =>
        Effect.gen(function* () {
          const { rows, snapshot } = StoreFixture.files(version)
          const expected = yield* StoreFixture.rowsOf(rows)
          const place = yield* scratch
          const unpacked = path.join(place, "snapshot.db")
          writeFileSync(unpacked, gunzipSync(readFileSync(snapshot)))
          for (const file of name === "SQLite" ? [rows, unpacked] : [rows]) {
            const copy = path.join(place, "copy.ndjson.gz")
            yield* Effect.scoped(
              Effect.gen(function* () {
                const store = yield* StoreFixture.open(yield* fresh)
                yield* store.restore(file)
                yield* store.save(copy)
              })
            )
            const actual = yield* StoreFixture.rowsOf(copy)
            assert.sameMembers([...actual.keys()], [...expected.keys()], file)
            for (const [table, lines] of expected) {
              assert.lengthOf(actual.get(table) ?? [], lines.length, table)
              lines.forEach(({ row }, index) => assert.deepInclude(actual.get(table)?.[index]?.row, row, table))
            }
          }
        })
      )

      it.scopedLive(`have the tables of a new store: ${version} on ${name}`, () =>
        Effect.gen(function* () {
          const [old, empty] = [yield* fixture(version), yield* fresh]
          for (const address of [old, empty]) yield* Effect.scoped(StoreFixture.open(address))
          assert.deepStrictEqual(yield* schemaOf(old), yield* schemaOf(empty), remake)
        })
      )

      it.scopedLive(`are served: ${version} on ${name}`, () =>
        Effect.gen(function* () {
          const { service } = yield* StoreFixture.serve(yield* fixture(version), key)
          const ask = (method: string, target: string, body = "") =>
            service.handle({
              method,
              target,
              headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
              body
            })
          const list = yield* ask("GET", "/rest/holiday")
          const holidays = (yield* StoreFixture.rowsOf(StoreFixture.files(version).rows)).get("holiday") ?? []
          assert.deepStrictEqual(
            JSON.parse(String(list.body)),
            holidays.map(({ row }) => row)
          )
          const created = yield* ask(
            "POST",
            "/rest/holiday",
            JSON.stringify({ name: "New", date: "2027-05-01", companyId: "c1" })
          )
          assert.strictEqual(created.status, 201)
        })
      )
    }
  }
})
