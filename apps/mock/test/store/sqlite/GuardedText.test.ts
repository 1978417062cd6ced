import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as path from "node:path"
import * as AsyncConnection from "../../../src/store/sqlite/readers/AsyncConnection.ts"
import * as GuardedText from "../../../src/store/sqlite/GuardedText.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import { scratch } from "../scratch.ts"

const invalid = "CAST(X'61ff62' AS TEXT)"

/** A driver, whose texts are guarded as in every store that was not checked, on a table with a row that is not UTF-8. */
const prepared = Effect.gen(function* () {
  const file = path.join(yield* scratch, "a.db")
  const driver = SqliteDriver.open(file)
  yield* Effect.addFinalizer(() => Effect.sync(driver.close))
  driver.script(`CREATE TABLE "t" ("id" INTEGER PRIMARY KEY, "a" TEXT, "n" REAL) STRICT;
    INSERT INTO "t" VALUES (1, ${invalid}, 0.5), (2, 'é', 1), (3, NULL, 2.5)`)
  return { file, driver }
})

const codeOf = (body: () => unknown): unknown => {
  try {
    return body()
  } catch (error) {
    return error instanceof SqliteDriver.SqliteError ? error.code : error
  }
}

describe("GuardedText", () => {
  it("rewrites the values that a statement returns, without their names", () => {
    const bytes = `CASE typeof("v") WHEN 'text' THEN CAST("v" AS BLOB) ELSE "v" END`
    assert.strictEqual(
      GuardedText.rewrite(`UPDATE "t" SET "a" = '),RETURNING' RETURNING coalesce("a", ',') AS "b", ("n")`, 2),
      `UPDATE "t" SET "a" = '),RETURNING' RETURNING (SELECT ${bytes} FROM (SELECT coalesce("a", ',') AS "v")), ` +
        `(SELECT ${bytes} FROM (SELECT ("n") AS "v"))`
    )
    assert.strictEqual(GuardedText.rewrite("PRAGMA quick_check", 1), "PRAGMA quick_check")
  })

  it.scoped("reads texts, numbers and nulls as they are, in the order of the query", () =>
    Effect.gen(function* () {
      const { driver } = yield* prepared
      const rows = (text: string, ...parameters: ReadonlyArray<number>) => driver.execute({ text, parameters })
      assert.deepStrictEqual(rows(`SELECT "id", "a", "n" FROM "t" WHERE "id" > ? ORDER BY "n" DESC;`, 1), [
        [3, null, 2.5],
        [2, "é", 1]
      ])
      assert.deepStrictEqual(rows(`INSERT INTO "t" VALUES (?, 'x', 3) RETURNING "a" || 'y' AS "b", "n" + ?`, 4, 1), [
        ["xy", 4]
      ])
    })
  )

  it.scoped("fails for a text that is not UTF-8, by every kind of statement, and for no other row", () =>
    Effect.gen(function* () {
      const { driver } = yield* prepared
      const statements = [
        `SELECT "a" FROM "t" ORDER BY "id"`,
        `SELECT json_group_array("a") FROM "t"`,
        `WITH "w" AS (SELECT "a" FROM "t") SELECT * FROM "w"`,
        `UPDATE "t" SET "n" = 7 WHERE "id" = 1 RETURNING "a"`,
        `INSERT INTO "t" ("a") SELECT "a" FROM "t" WHERE "id" = 1 RETURNING 'x' || "a"`,
        `DELETE FROM "t" WHERE "id" = 1 RETURNING "id", "a"`
      ]
      for (const text of statements) {
        driver.script("BEGIN")
        assert.strictEqual(
          codeOf(() => driver.execute({ text, parameters: [] })),
          "SQLITE_CORRUPT_TEXT",
          text
        )
        driver.script("ROLLBACK")
      }
      assert.strictEqual(
        codeOf(() => driver.execute({ text: `SELECT "a" FROM "t" WHERE "id" = ?`, parameters: [1], isSingle: true })),
        "SQLITE_CORRUPT_TEXT"
      )
      assert.deepStrictEqual(driver.execute({ text: `SELECT "a" FROM "t" WHERE "id" = 2`, parameters: [] }), [["é"]])
    })
  )

  it.scoped("guards the queries of further connections too", () =>
    Effect.gen(function* () {
      const { file } = yield* prepared
      const connection = yield* Effect.acquireRelease(
        Effect.promise(() =>
          AsyncConnection.open(file, { durable: true, isReadOnly: true, cacheKiB: 1024, threads: 2 })
        ),
        ({ close }) => Effect.promise(close)
      )
      const query = (id: number) =>
        connection.query({ text: `SELECT "a" FROM store."t" WHERE "id" = ?`, parameters: [id] })
      const failed = yield* Effect.flip(Effect.tryPromise({ try: () => query(1), catch: (error) => error }))
      assert.propertyVal(failed, "code", "SQLITE_CORRUPT_TEXT")
      assert.deepStrictEqual(yield* Effect.promise(() => query(2)), [["é"]])
      const reader = SqliteDriver.openReader(file, 1024)
      assert.strictEqual(
        codeOf(() => reader.execute({ text: `SELECT "a" FROM store."t"`, parameters: [] })),
        "SQLITE_CORRUPT_TEXT"
      )
      reader.close()
    })
  )
})
