import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as fc from "effect/FastCheck"
import * as Statement from "../../src/sql/Statement.ts"
import * as Table from "../../src/sql/Table.ts"
import * as SqliteMigrator from "../../src/store/sqlite/SqliteMigrator.ts"
import * as SqliteDriver from "../../src/store/sqlite/SqliteDriver.ts"
import { dialect, open, ownedBy, owner, type Row } from "./memory.ts"

const schema = (driver: SqliteDriver.SqliteDriver) =>
  driver
    .execute({
      text: `SELECT "sql" FROM sqlite_schema
        WHERE "sql" IS NOT NULL AND ("tbl_name" NOT GLOB '_*' OR "tbl_name" GLOB '_past_*') AND "tbl_name" <> 'sqlite_sequence'`,
      parameters: []
    })
    .map(([sql]) => String(sql).replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")"))
    .toSorted()

describe("Table", () => {
  it("describes the tables that the migrations create", () => {
    const described = SqliteDriver.open(":memory:")
    for (const resource of Catalogue.importOrder) {
      for (const text of [...Table.create(dialect, resource), Table.createPast(dialect, resource)])
        described.execute({ text, parameters: [] })
    }
    const migrated = SqliteDriver.open(":memory:")
    SqliteMigrator.migrate(migrated, { store: ":memory:", ruleSet: "contract" })
    assert.deepStrictEqual(schema(migrated), schema(described))
  })

  it("puts the owner in the key, and leaves references to the rules", () => {
    const [line = ""] = Table.create(dialect, Catalogue.byName.warehouseTransferLine)
    assert.include(line, `UNIQUE ("_tenant", "id")`)
    assert.notInclude(line, "REFERENCES")
    const [favorite = ""] = Table.create(dialect, Catalogue.byName.salesOrderFavorite)
    assert.include(favorite, `UNIQUE ("_tenant", "_user", "salesOrderId")`)
  })

  it("qualifies every table of FROM by the owner", () => {
    const from = (resource: Resource.Any, row?: Statement.Fragment) =>
      Statement.render(Table.from(ownedBy(owner, resource), row), dialect)
    assert.deepStrictEqual(from(Catalogue.byName.holiday), {
      text: `(SELECT * FROM "holiday" WHERE "_tenant" = ?) AS "holiday"`,
      parameters: ["acme"]
    })
    assert.deepStrictEqual(from(Catalogue.byName.salesOrderFavorite, Statement.identifier("mine")), {
      text: `(SELECT * FROM "salesOrderFavorite" WHERE "_tenant" = ? AND "_user" = ?) AS "mine"`,
      parameters: ["acme", "ann"]
    })
  })

  it("stores rows of every resource unchanged", () => {
    const memory = open()
    const written = new Map<Resource.Any, ReadonlyArray<Row>>()
    for (const resource of Catalogue.importOrder) {
      const sampled: ReadonlyArray<Row> = fc.sample(Arbitrary.make(Resource.rowSchema(resource)), {
        numRuns: 20,
        seed: 3
      })
      const parents = Catalogue.references.filter(({ child }) => child === resource)
      const unique = new Set([resource.key, ...resource.rules.unique.flatMap(({ columns }) => columns)])
      const text = new Set(
        Column.fromResource(resource)
          .filter(({ type }) => type === "text")
          .map(({ name }) => name)
      )
      const rows = sampled.map((row, index) => ({
        ...row,
        ...Object.fromEntries([...unique].filter((name) => text.has(name)).map((name) => [name, `${10 + index}`])),
        ...Object.fromEntries(
          parents
            .filter(({ column }) => row[column] !== null)
            .map(({ column, field, parent }) => [column, written.get(parent)?.[index]?.[field] ?? null])
        )
      }))
      memory.insert(resource, rows)
      written.set(resource, rows)
      assert.deepStrictEqual(memory.list(resource), rows)
    }
  })
})
