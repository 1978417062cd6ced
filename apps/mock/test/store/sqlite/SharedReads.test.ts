import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"

const count = { text: `SELECT count(*) FROM "a"`, parameters: [] }
const insert = { text: `INSERT INTO "a" VALUES (1)`, parameters: [] }
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe("SharedReads", () => {
  let folder: string
  let one: SqliteDriver.SqliteDriver
  let other: SqliteDriver.SqliteDriver

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "mfg-mock-test-"))
    const file = path.join(folder, "a.db")
    one = SqliteDriver.open(file, { durable: false })
    one.script(`CREATE TABLE "a" ("b" INTEGER)`)
    other = SqliteDriver.open(file, { durable: false })
  })
  afterEach(() => {
    other.close()
    one.close()
    fs.rmSync(folder, { recursive: true })
  })

  it("reads one state in a turn, and a later one in the next", async () => {
    one.read(count)
    assert.deepStrictEqual(one.read(count), [[0]])
    other.execute(insert)
    assert.deepStrictEqual(one.read(count), [[0]])
    await nextTurn()
    assert.deepStrictEqual(one.read(count), [[1]])
  })

  it("ends before a write of the same turn", () => {
    one.read(count)
    one.read(count)
    assert.isFalse(one.inTransaction())
    one.execute(insert)
    assert.deepStrictEqual(other.read(count), [[1]])
  })

  it("reads within a transaction what it has written", () => {
    one.script("BEGIN IMMEDIATE")
    one.execute(insert)
    assert.deepStrictEqual(one.read(count), [[1]])
    one.script("ROLLBACK")
    assert.deepStrictEqual(one.read(count), [[0]])
  })

  it("goes on after a failed query, and ends with the database", async () => {
    one.read(count)
    assert.throws(
      () => one.read({ text: `SELECT abs(-9223372036854775808)`, parameters: [] }),
      SqliteDriver.SqliteError
    )
    assert.deepStrictEqual(one.read(count), [[0]])
    one.close()
    await nextTurn()
  })
})
