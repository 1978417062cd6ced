/**
 * Runs a server written by hand on libsql. Concurrent writes share a commit, as in the service.
 */
import Database from "libsql"
import { readFileSync } from "node:fs"
import * as Handwritten from "./Handwritten.ts"

const [, , database = "", , seed = ""] = process.argv
const db = new Database(database)
for (const pragma of ["locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"]) {
  db.prepare(`PRAGMA ${pragma}`).all()
}
db.exec(`CREATE TABLE t (id TEXT PRIMARY KEY, "itemId" TEXT, status TEXT, "lotSize" REAL, doc TEXT);
  CREATE INDEX t_item ON t ("itemId", id)`)

const insertion = db.prepare(`INSERT INTO t VALUES (?, ?, ?, ?, ?) RETURNING doc`).raw(true)
const one = db.prepare(`SELECT doc FROM t WHERE id = ?`).raw(true)
const list = db
  .prepare(`SELECT '[' || group_concat(doc, ',') || ']' FROM (SELECT doc FROM t ORDER BY id LIMIT ?)`)
  .raw(true)
const filtered = db
  .prepare(
    `SELECT '[' || coalesce(group_concat(doc, ','), '') || ']' FROM
      (SELECT doc FROM t WHERE "itemId" = ? AND status = ? ORDER BY "lotSize" DESC, id LIMIT ?)`
  )
  .raw(true)
const change = db
  .prepare(`UPDATE t SET "lotSize" = ?, doc = json_set(doc, '$.lotSize', ?) WHERE id = ? RETURNING doc`)
  .raw(true)

/** The single value of the single row. */
const value = (statement: Database.Statement, ...parameters: ReadonlyArray<string | number>): string | undefined => {
  // Raw rows are arrays, which the driver's types do not express.
  const [row] = statement.all(...parameters) as ReadonlyArray<ReadonlyArray<string>>
  return row?.[0]
}

const insert = (row: Handwritten.Row): string =>
  value(insertion, row.id, row.itemId, row.status, row.lotSize, JSON.stringify(row)) ?? ""

const waiting: Array<() => () => void> = []
const commit = () => {
  db.exec("BEGIN IMMEDIATE")
  const answers = waiting.splice(0).map((write) => write())
  db.exec("COMMIT")
  for (const answer of answers) answer()
}
const write = <A>(body: () => A, done: (value: A) => void) => {
  if (waiting.length === 0) setImmediate(commit)
  waiting.push(() => {
    const answer = body()
    return () => done(answer)
  })
}

const rows: ReadonlyArray<Handwritten.Row> = JSON.parse(readFileSync(seed, "utf8"))
db.exec("BEGIN")
for (const row of rows) insert(row)
db.exec("COMMIT")

Handwritten.listen({
  one: (id, done) => done(value(one, id)),
  list: (limit, done) => done(value(list, limit) ?? ""),
  filtered: (itemId, status, limit, done) => done(value(filtered, itemId, status, limit) ?? ""),
  create: (row, done) => write(() => insert(row), done),
  update: (id, lotSize, done) => write(() => value(change, lotSize, lotSize, id), done)
})
