import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import type { Parameter } from "../../../src/sql/Statement.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import { scratch } from "../scratch.ts"

const libsql = createRequire(import.meta.url).resolve("libsql")

/** The signal or the exit code of a child process that runs this on a database. */
const exitOf = (script: string) => {
  const open = `const db = new (require(${JSON.stringify(libsql)}))(":memory:")`
  const { signal, status } = spawnSync(process.execPath, ["-e", `${open}; ${script}`])
  return signal ?? status
}

const memory = () => {
  const driver = SqliteDriver.open(":memory:")
  const sql = (text: string, ...parameters: ReadonlyArray<Parameter>) => driver.execute({ text, parameters })
  sql(`CREATE TABLE "t" ("id" TEXT PRIMARY KEY, "n" REAL)`)
  return { driver, sql }
}

const failure = (body: () => unknown): unknown => {
  try {
    body()
  } catch (error) {
    return error
  }
  return assert.fail("nothing was thrown")
}

describe("SqliteDriver", () => {
  it("returns rows as arrays of text, numbers and null", () => {
    const { sql } = memory()
    assert.deepStrictEqual(sql("SELECT ?, ?, ? UNION ALL SELECT 'b', 2, 'c'", "a", 1.5, null), [
      ["a", 1.5, null],
      ["b", 2, "c"]
    ])
    assert.deepStrictEqual(sql(`INSERT INTO "t" VALUES (?, ?)`, "x", 1), [])
    assert.deepStrictEqual(sql(`INSERT INTO "t" VALUES (?, ?) RETURNING "id"`, "y", 1), [["y"]])
  })

  it("keeps every bit of a double and every character of a text", () => {
    const { sql } = memory()
    for (const number of [0.1 + 0.2, 5e-324, Number.MAX_VALUE, -1 / 3, 2 ** 53 + 2]) {
      assert.deepStrictEqual(sql("SELECT ?", number), [[number]])
    }
    for (const text of ["", "ü ß 漢", "👩‍🚀", "'\"`\\", "x".repeat(1_000_000)]) {
      assert.deepStrictEqual(sql("SELECT ?", text), [[text]])
    }
  })

  it("refuses a boolean, which ends the process inside libsql", () => {
    const { sql } = memory()
    for (const wrong of [true, undefined, 1n, {}, new Date(0)]) {
      // Types keep these out; the driver is the last that can.
      assert.instanceOf(
        failure(() => sql("SELECT ?", wrong as unknown as string)),
        TypeError
      )
    }
    assert.strictEqual(exitOf(`db.prepare("SELECT ?").raw(true).all([true])`), "SIGABRT")
  })

  it("refuses statements on a closed database, which end the process inside libsql", () => {
    const { driver, sql } = memory()
    driver.script("BEGIN")
    driver.close()
    driver.close()
    assert.isFalse(driver.inTransaction())
    for (const body of [() => driver.script("SELECT 1"), () => sql("SELECT 1")]) {
      assert.match(String(failure(body)), /closed/)
    }
    assert.strictEqual(exitOf("db.close(); db.inTransaction"), "SIGABRT")
  })

  it("checks the number of parameters, which libsql fills with null or drops", () => {
    const { sql } = memory()
    assert.match(String(failure(() => sql("SELECT ?, ?", 1))), /takes 2 parameters and was given 1/)
    assert.match(String(failure(() => sql("SELECT ?", 1, 2))), /takes 1 parameters and was given 2/)
    assert.deepStrictEqual(sql(`SELECT '?''?' AS "?", ?`, 1), [["?'?", 1]])
  })

  it("keeps 32 MB of pages in memory", () => {
    assert.deepStrictEqual(memory().sql("PRAGMA cache_size"), [[-32_768]])
  })

  it("has no hard limit of memory, under which libsql writes null in place of a parameter", () => {
    assert.deepStrictEqual(memory().sql("PRAGMA hard_heap_limit"), [[0]])
    assert.strictEqual(
      exitOf(`db.exec("PRAGMA hard_heap_limit = 8000000")
        if (db.prepare("SELECT ? IS NULL").raw(true).get(["x".repeat(20000000)])[0] === 1) process.abort()`),
      "SIGABRT"
    )
  })

  it("refuses several statements in one text, because libsql ignores all but the first", () => {
    const { sql } = memory()
    assert.match(String(failure(() => sql("SELECT 1; SELECT 2"))), /one statement/)
    assert.deepStrictEqual(sql("SELECT ';' ; "), [[";"]])
  })

  it("can repeat a statement that failed, unlike libsql's `get`", () => {
    const { driver, sql } = memory()
    const insert = `INSERT INTO "t" VALUES (?, 1) RETURNING "id"`
    sql(insert, "a")
    for (const _ of [1, 2]) failure(() => sql(insert, "a"))
    assert.deepStrictEqual(sql(insert, "b"), [["b"]])
    const single = (id: string) => driver.execute({ text: insert, parameters: [id], isSingle: true })
    for (const _ of [1, 2]) failure(() => single("a"))
    assert.deepStrictEqual(single("c"), [["c"]])
    const rows = `WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 300)
      SELECT CASE WHEN i = ? THEN json('{') END FROM s`
    failure(() => sql(rows, 250))
    assert.lengthOf(sql(rows, 1000), 300)
    const get = `const get = (id) => { try { return insert.get([id]) } catch (error) { return error.message } }`
    assert.strictEqual(
      exitOf(`db.exec("CREATE TABLE t (id TEXT PRIMARY KEY)")
        const insert = db.prepare("INSERT INTO t VALUES (?) RETURNING id").raw(true)
        ${get}
        get("a"); get("a")
        if (get("b")[0] === "b") process.abort()`),
      0
    )
  })

  it("names an error by SQLite's extended code, and distinguishes disk errors from statement errors", () => {
    const { sql } = memory()
    sql(`INSERT INTO "t" VALUES ('a', 1)`)
    const error = failure(() => sql(`INSERT INTO "t" VALUES ('a', 1)`))
    assert.instanceOf(error, SqliteDriver.SqliteError)
    assert.deepInclude(error, { code: "SQLITE_CONSTRAINT_PRIMARYKEY", message: "UNIQUE constraint failed: t.id" })
    assert.isFalse(error.isStorageFailure)
    const broken = (code: string) => new SqliteDriver.SqliteError({ code, message: "" }).isStorageFailure
    assert.isTrue(broken("SQLITE_FULL"))
    assert.isTrue(broken("SQLITE_IOERR_FSYNC"))
    assert.isFalse(broken("SQLITE_ERROR"))
  })

  it("runs a script of several statements", () => {
    const { driver, sql } = memory()
    driver.script(`INSERT INTO "t" VALUES ('a', 1); INSERT INTO "t" VALUES ('b', 2);`)
    assert.deepStrictEqual(sql(`SELECT count(*) FROM "t"`), [[2]])
  })

  it("rolls a transaction back on Left and on a throw", () => {
    const { driver, sql } = memory()
    const insert = () => sql(`INSERT INTO "t" VALUES ('a', 1)`)
    assert.deepStrictEqual(
      SqliteDriver.transaction(driver, () => Either.left(insert().length)),
      Either.left(0)
    )
    failure(() =>
      SqliteDriver.transaction(driver, () => {
        insert()
        return Either.right(insert())
      })
    )
    assert.isFalse(driver.inTransaction())
    assert.deepStrictEqual(sql(`SELECT * FROM "t"`), [])
  })

  it.scoped(
    "uses WAL without syncs and checkpoints of its own, checks references, and compares text case-sensitively",
    () =>
      Effect.gen(function* () {
        const driver = SqliteDriver.open(path.join(yield* scratch, "store.db"))
        const ask = (text: string) => driver.execute({ text, parameters: [] })[0]?.[0]
        assert.strictEqual(ask("PRAGMA journal_mode"), "wal")
        assert.strictEqual(ask("PRAGMA locking_mode"), "normal")
        assert.strictEqual(ask("PRAGMA synchronous"), 1)
        assert.strictEqual(ask("PRAGMA wal_autocheckpoint"), 0)
        assert.strictEqual(ask("PRAGMA foreign_keys"), 1)
        assert.strictEqual(ask("SELECT 'A' LIKE 'a'"), 0)
        driver.close()
      })
  )

  it.scoped("locks its file, and leaves one complete file and no lock, with statements still prepared", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const file = path.join(folder, "store.db")
      const first = SqliteDriver.open(file)
      first.script(`CREATE TABLE "t" ("id" TEXT)`)
      first.execute({ text: `INSERT INTO "t" VALUES ('a')`, parameters: [] })
      first.script("BEGIN")
      first.execute({ text: `INSERT INTO "t" VALUES ('never committed')`, parameters: [] })
      const refused = failure(() => SqliteDriver.open(file))
      assert.strictEqual((refused as SqliteDriver.SqliteError).code, "SQLITE_BUSY")
      first.close()
      first.close()
      assert.match(String(failure(() => first.execute({ text: `SELECT * FROM "t"`, parameters: [] }))), /closed/)
      assert.deepStrictEqual(fs.readdirSync(folder), ["store.db"])
      const second = SqliteDriver.open(file)
      assert.deepStrictEqual(second.execute({ text: `SELECT * FROM "t"`, parameters: [] }), [["a"]])
      second.close()
    })
  )

  it.scoped("closes a file that was removed", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const driver = SqliteDriver.open(path.join(folder, "store.db"))
      driver.script(`CREATE TABLE "t" ("id" TEXT)`)
      for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name))
      driver.close()
      assert.deepStrictEqual(fs.readdirSync(folder), [])
    })
  )

  it.scoped("reads the last committed state on a second connection while a transaction is open", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const file = path.join(folder, "it's.db")
      const driver = SqliteDriver.open(file)
      driver.script(`CREATE TABLE "t" ("id" TEXT); INSERT INTO "t" VALUES ('a')`)
      const reader = SqliteDriver.openReader(file, 2048)
      const ids = () => reader.execute({ text: `SELECT "id" FROM "t"`, parameters: [] })
      driver.script(`BEGIN IMMEDIATE; INSERT INTO "t" VALUES ('b')`)
      assert.deepStrictEqual(ids(), [["a"]])
      driver.script("COMMIT")
      assert.deepStrictEqual(ids(), [["a"], ["b"]])
      assert.match(
        String(failure(() => reader.execute({ text: `INSERT INTO "t" VALUES ('c')`, parameters: [] }))),
        /readonly/
      )
      reader.close()
      driver.close()
      assert.deepStrictEqual(fs.readdirSync(folder), ["it's.db"])
    })
  )

  it.scoped("gives the memory of the pages back when it closes, before its statements are garbage collected", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "pages.db")
      const opened = () => SqliteDriver.open(file, { durable: false })
      const first = opened()
      first.script(`CREATE TABLE "t" ("text" TEXT);
        WITH RECURSIVE "c"("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "c" WHERE "n" < 16384)
        INSERT INTO "t" SELECT printf('%.*c', 1000, 'x') FROM "c"`)
      first.close()
      const before = process.memoryUsage.rss()
      const closed = Array.from({ length: 12 }, () => {
        const driver = opened()
        driver.execute({ text: `SELECT sum(length("text")) FROM "t"`, parameters: [] })
        driver.close()
        return driver
      })
      // Each has read 16 MB.
      assert.isBelow((process.memoryUsage.rss() - before) / 1024 ** 2, 96)
      assert.lengthOf(closed, 12)
    })
  )

  it("keeps the limit of the caches when a copy is opened without one", () => {
    const limited = SqliteDriver.open(":memory:", { memoryBytes: 300_000_000 })
    const copy = SqliteDriver.open(":memory:")
    const limit = { text: "PRAGMA soft_heap_limit", parameters: [] }
    assert.deepStrictEqual(limited.execute(limit), [[300_000_000]])
    copy.close()
    limited.close()
  })
})
