import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as SqliteMigrator from "../../../src/store/sqlite/SqliteMigrator.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as Measurement from "../../Measurement.ts"
import * as SqliteTableSize from "../../../src/store/sqlite/SqliteTableSize.ts"

const { oauthClient } = Catalogue.byName

const open = () => {
  const driver = SqliteDriver.open(":memory:")
  SqliteMigrator.migrate(driver, { store: ":memory:", ruleSet: "contract" })
  const insert = (id: string, document: string) =>
    driver.execute({
      text: `INSERT INTO "oauthClient"
        ("_tenant", "id", "name", "clientId", "tokenEndpointAuthMethod", "_doc", "_revision") VALUES ('a', ?, '', '', '', ?, 1)`,
      parameters: [id, document]
    })
  return { driver, insert }
}

describe("SqliteTableSize", () => {
  it("bounds the rows of a table and the bytes of its largest document", () => {
    const { driver, insert } = open()
    const now = () => SqliteTableSize.make(driver)(oauthClient)
    assert.deepStrictEqual(now(), { rows: 0, bytes: 16_384 })
    for (let number = 0; number < 5; number++) insert(String(number), "é".repeat(10_000))
    insert("5", "{}")
    assert.deepStrictEqual(now(), { rows: 6, bytes: 20_000 })
    driver.execute({ text: `DELETE FROM "oauthClient" WHERE "id" = '5'`, parameters: [] })
    driver.execute({ text: `UPDATE "oauthClient" SET "_doc" = '{}'`, parameters: [] })
    assert.deepStrictEqual(now(), { rows: 5, bytes: 16_384 })
    driver.close()
  })

  it("reads a size again when it is old", Measurement.retried, async () => {
    const { driver, insert } = open()
    const tableSize = SqliteTableSize.make(driver)
    assert.strictEqual(tableSize(oauthClient).rows, 0)
    insert("1", "{}")
    assert.strictEqual(tableSize(oauthClient).rows, 0)
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.strictEqual(tableSize(oauthClient).rows, 1)
    driver.close()
  })

  it("reads a size again after a commit", () => {
    const { driver, insert } = open()
    let version = 0
    const tableSize = SqliteTableSize.make(driver, () => version)
    assert.strictEqual(tableSize(oauthClient).rows, 0)
    insert("1", "{}")
    version++
    assert.strictEqual(tableSize(oauthClient).rows, 1)
    driver.close()
  })

  it("reads no table: both bounds come from the end of an index", () => {
    const { driver } = open()
    const texts: Array<string> = []
    const spied = SqliteTableSize.make({
      execute: (statement) => {
        texts.push(statement.text)
        return driver.execute(statement)
      }
    })
    for (const resource of Catalogue.importOrder) spied(resource)
    for (const text of texts) {
      const plan = driver.execute({ text: `EXPLAIN QUERY PLAN ${text}`, parameters: [] }).map((row) => String(row[3]))
      assert.isEmpty(plan.filter((step) => step.startsWith("SCAN") && step !== "SCAN CONSTANT ROW"))
      assert.isNotEmpty(plan.filter((step) => step.includes("_size")))
    }
    driver.close()
  })
})
