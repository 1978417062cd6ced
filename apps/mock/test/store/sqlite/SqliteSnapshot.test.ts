import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as fs from "node:fs"
import * as path from "node:path"
import { gzipSync } from "node:zlib"
import * as SqliteMigrator from "../../../src/store/sqlite/SqliteMigrator.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as SqliteSnapshotRows from "../../../src/store/sqlite/SqliteSnapshotRows.ts"
import * as SqliteMeta from "../../../src/store/sqlite/SqliteMeta.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { lines } from "../rows.ts"
import { scratch } from "../scratch.ts"
import { statement, run, company, companies } from "./companies.ts"

const open = (file: string) => SqliteStore.open({ path: file })

const generated = [...lines("c2", 10, 2), ...lines("c3", 101, 3, [Catalogue.byName.holiday])]

/** A closed store file with rows in every table, more than are read in one batch. */
const filled = (file: string) => {
  const driver = SqliteDriver.open(file)
  Either.getOrThrow(SqliteMigrator.migrate(driver, { store: file, ruleSet: "contract" }))
  const insert = SqliteSnapshotRows.insert(driver)
  driver.script("BEGIN")
  for (const line of [...lines("c1", 3, 1), ...generated]) insert(line)
  driver.script(`
    INSERT INTO "_company" VALUES ('c1', 'One'), ('c2', 'Two "2" ü');
    INSERT INTO "_attributeCategory" VALUES ('k1', 'c1', 'Skills', NULL, 1, 1);
    INSERT INTO "_attribute" VALUES ('a1', 'k1', 'Weight', 0.1, 'numeric', NULL, 1, 1);
    INSERT INTO "_user" ("id", "email", "firstName", "lastName", "about", "flags", "acknowledgedITAR", "isConsoleOperator", "createdAt")
      VALUES ('u1', 'u1@example.com', 'User', 'One', '', '{}', 0, 0, '2026-01-01');
    INSERT INTO "_attributeValue" ("id", "attributeId", "userId", "valueNumeric") VALUES ('v1', 'a1', 'u1', 0.30000000000000004);
    INSERT INTO "_outbox" ("sequence", "change", "companyId", "table", "key", "type", "record", "at")
      VALUES (41, 'e1', 'c1', 'holiday', 'h1', 'INSERT', '{}', 1700000000000000);
    COMMIT;
  `)
  driver.close()
}

describe("a snapshot of a SqliteStore", () => {
  for (const name of ["all.ndjson.gz", "all.db"]) {
    it.scoped(`${name} restores every table`, () =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const [file, source, other] = [name, "source.db", "other.db"].map((name) => path.join(folder, name))
        filled(source!)
        const before = yield* Effect.scoped(
          Effect.gen(function* () {
            const store = yield* open(source!)
            yield* store.save(file!)
            assert.strictEqual(fs.statSync(file!).mode & 0o777, 0o600)
            return yield* store.checksum
          })
        )
        const saved = fs.readFileSync(file!)
        for (const target of [other!, ":memory:"]) {
          const store = yield* SqliteStore.open({ path: target, ruleSet: "public" })
          yield* store.change(company("gone"))
          yield* store.restore(file!)
          assert.deepStrictEqual(yield* store.checksum, before)
          assert.strictEqual(yield* store.ruleSet, "contract")
          assert.deepStrictEqual(yield* store.integrityProblems, [])
          // A sequence continues after the highest number of the snapshot.
          yield* store.change(
            run(`INSERT INTO "_outbox" ("change", "companyId", "table", "key", "type", "record", "at")
              VALUES ('e2', 'c1', 'holiday', 'h1', 'DELETE', '{}', 0)`)
          )
          assert.deepStrictEqual(yield* store.read(statement(`SELECT max("sequence") FROM "_outbox"`)), [[42]])
        }
        assert.deepStrictEqual(fs.readFileSync(file!), saved)
        const store = ["other.db", "other.db-wal", "other.db-shm", "other.db-lock", "other.db.lock"]
        assert.sameMembers(fs.readdirSync(folder), [name, "source.db", ...store])
      })
    )
  }

  for (const name of ["all.ndjson.gz", "all.db"]) {
    it.scoped(`${name} keeps the order of creation, and new rows come after it`, () =>
      Effect.gen(function* () {
        const file = path.join(yield* scratch, name)
        const insert = (key: string) =>
          run(
            `INSERT INTO "webhookTable" ("_tenant", "table", "module", "name", "_doc", "_revision")
              VALUES ('c1', ?, 'm', ?, '{"table":"' || ? || '","module":"m","name":"' || ? || '"}', 1)`,
            key,
            key,
            key,
            key
          )
        const keys = statement(`SELECT "table" FROM "webhookTable" ORDER BY "_sequence"`)
        const store = yield* open(":memory:")
        for (const key of ["m", "gone", "z", "a"]) yield* store.change(insert(key))
        yield* store.change(run(`DELETE FROM "webhookTable" WHERE "table" = 'gone'`))
        yield* store.save(file)
        const copy = yield* open(":memory:")
        for (const key of ["x", "a", "b", "c", "d"]) yield* copy.change(insert(key))
        yield* copy.restore(file)
        yield* copy.change(insert("0"))
        assert.deepStrictEqual(yield* copy.read(keys), [["m"], ["z"], ["a"], ["0"]])
      })
    )
  }

  it.scoped("keeps every double, timestamp and character", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const file = path.join(folder, "all.ndjson.gz")
      const source = path.join(folder, "source.db")
      filled(source)
      const documents = statement(
        Catalogue.resources.map(({ resource }) => `SELECT "_doc" FROM "${resource}"`).join(" UNION ALL ")
      )
      const store = yield* open(source)
      yield* store.save(file)
      const copy = yield* open(":memory:")
      yield* copy.restore(file)
      const restored = new Set((yield* copy.read(documents)).map(([text]) => text))
      for (const { row } of generated) assert.isTrue(restored.has(JSON.stringify(row)), JSON.stringify(row))
    })
  )

  it.scoped("does not block its store, and has the state of one moment", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const store = yield* open(path.join(folder, "mock.db"))
      yield* store.change(company("a"))
      const saving = yield* Effect.fork(store.save(path.join(folder, "all.ndjson.gz")))
      yield* Effect.yieldNow()
      const ids = ["b", "c", "d", "e"]
      for (const id of ids) yield* store.change(company(id))
      yield* Fiber.join(saving)
      assert.deepStrictEqual(yield* store.read(companies), [["a"], ...ids.map((id) => [id])])
      yield* store.restore(path.join(folder, "all.ndjson.gz"))
      // The moment is one during the save: the snapshot has a beginning of the changes.
      const restored = (yield* store.read(companies)).map(([id]) => id)
      assert.isAtLeast(restored.length, 1)
      assert.deepStrictEqual(restored, ["a", ...ids].slice(0, restored.length))
    })
  )

  it.scoped("changes nothing when it cannot be restored", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const at = (name: string) => path.join(folder, name)
      const store = yield* open(":memory:")
      yield* store.change(company("a"))
      const before = yield* store.checksum

      const snapshot = (name: string, lines: ReadonlyArray<object>, counts: Record<string, number>) => {
        const header = { format: "mfgdata-snapshot", version: 1, ruleSet: "public", counts }
        return fs.writeFileSync(at(name), gzipSync([header, ...lines].map((line) => JSON.stringify(line)).join("\n")))
      }
      const [line] = lines("c1", 1, 5, [Catalogue.byName.holiday])
      const holiday = { ...line!, row: { ...line!.row, companyId: "c1" } }
      snapshot("table.gz", [{ table: "nowhere", row: {} }], { nowhere: 1 })
      snapshot("field.gz", [{ ...holiday, row: { ...holiday.row, date: "2026-02-30" } }], { holiday: 1 })
      snapshot("long.gz", [{ ...holiday, row: { ...holiday.row, id: "h".repeat(513) } }], { holiday: 1 })
      snapshot("twice.gz", [holiday, holiday], { holiday: 2 })
      snapshot("owner.gz", [{ ...holiday, company: undefined }], { holiday: 1 })
      snapshot("type.gz", [{ table: "_company", row: { id: "a", name: true } }], { _company: 1 })
      snapshot("parent.gz", [{ table: "_companyUser", row: { companyId: "a", userId: "u" } }], { _companyUser: 1 })
      snapshot("rules.gz", [holiday, { ...holiday, row: { ...holiday.row, id: "other" } }], { holiday: 2 })
      fs.copyFileSync(at("rules.gz"), at("rules.db"))
      filled(at("newer.db"))
      const newer = SqliteDriver.open(at("newer.db"))
      SqliteMeta.setSchema(newer, 99)
      newer.close()
      yield* open(at("used.db"))

      const expected: Record<string, RegExp> = {
        "missing.gz": /no such file/,
        "table.gz": /line 2 .*there is no table nowhere/,
        "field.gz": /line 2 .*holiday\.date: expected/,
        "long.gz": /line 2 .*holiday\.id: expected at most 512 characters and 1024 bytes/,
        "twice.gz": /line 3 .*UNIQUE constraint failed/,
        "owner.gz": /line 2 .*NOT NULL constraint failed/,
        "type.gz": /line 2 .*_company\.name is text, a number or null/,
        "parent.gz": /FOREIGN KEY constraint failed/,
        "rules.gz": /breaks holiday_date_key in 2 rows/,
        "rules.db": /breaks holiday_date_key in 2 rows/,
        "newer.db": /schema 99, but this version supports schemas up to/,
        "used.db": /it is a store in use/
      }
      for (const [name, message] of Object.entries(expected)) {
        const error = yield* Effect.flip(store.restore(at(name)))
        assert.match(error.message, message)
        assert.deepStrictEqual(yield* store.checksum, before)
        assert.strictEqual(yield* store.ruleSet, "contract")
      }
      const unwritable = yield* Effect.flip(store.save(at("no/such/folder.gz")))
      assert.match(unwritable.message, /cannot be written: .*no such file/)
    })
  )

  it.scoped("refuses to overwrite its own store", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const store = yield* open(path.join(folder, "mock.db"))
      const error = yield* Effect.flip(store.save(path.join(folder, "..", path.basename(folder), "mock.db")))
      assert.match(error.message, /it is the store itself/)
      yield* store.change(company("a"))
    })
  )
})
