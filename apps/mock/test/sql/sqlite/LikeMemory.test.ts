import { assert, describe, it } from "@effect/vitest"
import * as SqliteDialect from "../../../src/sql/sqlite/SqliteDialect.ts"
import * as Statement from "../../../src/sql/Statement.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"

const { sql } = Statement

/** Compares a text of a megabyte with many patterns, within 32 MB. */
const matches = (patterns: ReadonlyArray<string>, foldCase: boolean): boolean => {
  const driver = SqliteDriver.open(":memory:")
  try {
    driver.script(`CREATE TABLE t (n TEXT); PRAGMA hard_heap_limit = ${32 * 1024 ** 2}`)
    driver.execute({ text: "INSERT INTO t VALUES (?)", parameters: [`${"a".repeat(1_000_000)}B_`] })
    const conditions = patterns.map((pattern) => SqliteDialect.dialect.like(Statement.text("n"), pattern, foldCase))
    const where = Statement.join(conditions, " OR ")
    const rows = driver.execute(Statement.render(sql`SELECT 1 FROM t WHERE ${where}`, SqliteDialect.dialect))
    return rows.length === 1
  } finally {
    driver.close()
  }
}

const unmatched = Array.from({ length: 99 }, (_, index) => `%b${index}`)

describe("many patterns on a long text", () => {
  for (const foldCase of [false, true]) {
    it(`do not each keep the text in memory, ${foldCase ? "without" : "with"} the case of letters`, () => {
      assert.isFalse(matches(unmatched, foldCase))
      assert.strictEqual(matches([...unmatched, "%ab%"], foldCase), foldCase)
      assert.isTrue(matches([...unmatched, "%aB\\_"], foldCase))
      assert.isFalse(matches([...unmatched, "%\\_B_"], foldCase))
    })
  }
})
