import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as path from "node:path"
import * as SqliteDialect from "../../../src/sql/sqlite/SqliteDialect.ts"
import * as Table from "../../../src/sql/Table.ts"
import * as SqliteMigrator from "../../../src/store/sqlite/SqliteMigrator.ts"
import * as Migration from "../../../src/store/migrations/Migration.ts"
import { NotAStore, StoreTooNew } from "../../../src/store/OpenError.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as SqliteMeta from "../../../src/store/sqlite/SqliteMeta.ts"
import * as SqliteTables from "../../../src/store/sqlite/SqliteTables.ts"
import { scratch } from "../scratch.ts"

const options = { store: "here", ruleSet: "contract" } as const

/** The schema of a database, without its layout of statements. */
const describeSchema = (driver: SqliteDriver.SqliteDriver) =>
  driver
    .execute({
      text: `SELECT "tbl_name", "type", "name", "sql" FROM sqlite_schema
        WHERE "sql" IS NOT NULL AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1, 2, 3`,
      parameters: []
    })
    .map(([table, type, name, sql]) => ({
      table,
      type,
      name,
      sql: String(sql).replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")")
    }))

describe("SqliteMigrator", () => {
  it("numbers migrations from 1 without a gap", () => {
    assert.deepStrictEqual(
      Migration.migrations.map(({ number }) => number),
      Array.from({ length: Migration.latest }, (_, index) => index + 1)
    )
  })

  it("creates a table for each resource, parents first", () => {
    const driver = SqliteDriver.open(":memory:")
    SqliteMigrator.migrate(driver, options)
    const names = SqliteTables.list(driver).map(({ name }) => name)
    assert.deepStrictEqual(
      names.filter((name) => !name.startsWith("_")),
      Catalogue.importOrder.map(({ resource }) => resource)
    )
    for (const [index, table] of names.entries()) {
      const parents = driver.execute({ text: `PRAGMA foreign_key_list("${table}")`, parameters: [] })
      for (const [, , parent] of parents) assert.isBelow(names.indexOf(String(parent)), index)
    }
  })

  it("creates the tables and indexes that the catalogue describes", () => {
    const migrated = SqliteDriver.open(":memory:")
    SqliteMigrator.migrate(migrated, options)
    const described = SqliteDriver.open(":memory:")
    for (const resource of Catalogue.importOrder) {
      for (const text of Table.create(SqliteDialect.dialect, resource)) described.script(text)
    }
    assert.deepStrictEqual(
      describeSchema(migrated).filter(({ table }) => !String(table).startsWith("_")),
      describeSchema(described)
    )
  })

  it.scoped("applies each migration once", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "store.db")
      const first = SqliteDriver.open(file)
      assert.deepStrictEqual(SqliteMigrator.migrate(first, options), Either.right(Migration.migrations))
      const schema = describeSchema(first)
      first.close()
      const second = SqliteDriver.open(file)
      assert.deepStrictEqual(SqliteMigrator.migrate(second, options), Either.right([]))
      assert.deepStrictEqual(describeSchema(second), schema)
      second.close()
    })
  )

  it("keeps the rule set of a store", () => {
    const driver = SqliteDriver.open(":memory:")
    SqliteMigrator.migrate(driver, { ...options, ruleSet: "public" })
    SqliteMigrator.migrate(driver, options)
    assert.strictEqual(SqliteMeta.ruleSet(driver), "public")
  })

  it("refuses a store of a newer version, and leaves it unchanged", () => {
    const driver = SqliteDriver.open(":memory:")
    SqliteMigrator.migrate(driver, options)
    SqliteMeta.setSchema(driver, Migration.latest + 1)
    const error = new StoreTooNew({ store: "here", found: Migration.latest + 1, known: Migration.latest })
    assert.deepStrictEqual(SqliteMigrator.migrate(driver, options), Either.left(error))
    assert.match(error.message, /The store here has schema 3, but this version supports schemas up to 2/)
    assert.strictEqual(SqliteMeta.schema(driver), Migration.latest + 1)
  })

  it("refuses a database of another application, and leaves it unchanged", () => {
    const driver = SqliteDriver.open(":memory:")
    driver.script(`CREATE TABLE "theirs" ("id" TEXT)`)
    const schema = describeSchema(driver)
    assert.deepStrictEqual(SqliteMigrator.migrate(driver, options), Either.left(new NotAStore({ store: "here" })))
    assert.deepStrictEqual(describeSchema(driver), schema)
  })
})
