import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import * as SqliteDialect from "../../../src/sql/sqlite/SqliteDialect.ts"
import * as Statement from "../../../src/sql/Statement.ts"

const { sql } = Statement

const libsql = createRequire(import.meta.url).resolve("libsql")

/** Runs a statement on a text of a megabyte within 32 MB, in a process of its own: a process cannot raise its limit. */
const rowsOf = ({ parameters, text }: Statement.Statement): unknown => {
  const script = `const db = new (require(${JSON.stringify(libsql)}))(":memory:")
    db.exec("PRAGMA case_sensitive_like = ON; CREATE TABLE t (n TEXT); PRAGMA hard_heap_limit = 33554432")
    db.prepare("INSERT INTO t VALUES (?)").run(["a".repeat(1000000) + "B_"])
    console.log(JSON.stringify(db.prepare(${JSON.stringify(text)}).raw(true).all(${JSON.stringify(parameters)})))`
  const { stderr, stdout } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" })
  assert.strictEqual(stderr, "")
  return JSON.parse(stdout)
}

/** Compares the text with many patterns. */
const matches = (patterns: ReadonlyArray<string>, foldCase: boolean): boolean => {
  const conditions = patterns.map((pattern) => SqliteDialect.dialect.like(Statement.text("n"), pattern, foldCase))
  const where = Statement.join(conditions, " OR ")
  const rows = rowsOf(Statement.render(sql`SELECT 1 FROM t WHERE ${where}`, SqliteDialect.dialect))
  return Array.isArray(rows) && rows.length === 1
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
