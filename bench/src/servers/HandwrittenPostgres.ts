/**
 * Runs a server written by hand on `postgres`: prepared statements, JSON text made by the database.
 */
import { readFileSync } from "node:fs"
import postgres from "postgres"
import * as Handwritten from "./Handwritten.ts"

const [, , database = "", , seed = ""] = process.argv
const sql = postgres(database, { onnotice: () => {} })

/** The single value of the single row. */
const ask = (text: string, parameters: Array<string | number>, done: (value: string | undefined) => void): void => {
  void sql
    .unsafe(text, parameters, { prepare: true })
    .values()
    .then(([row]) => done(row === undefined ? undefined : String(row[0])))
}

await sql.unsafe(`CREATE TABLE t (id text COLLATE "C" PRIMARY KEY, "itemId" text, status text, "lotSize" float8, doc jsonb);
  CREATE INDEX t_item ON t ("itemId", id)`)
const rows = readFileSync(seed, "utf8")
await sql.unsafe(
  `INSERT INTO t SELECT r->>'id', r->>'itemId', r->>'status', (r->>'lotSize')::float8, r
    FROM jsonb_array_elements($1::text::jsonb) r`,
  [rows]
)

Handwritten.listen({
  one: (id, done) => ask(`SELECT doc::text FROM t WHERE id = $1`, [id], done),
  list: (limit, done) =>
    ask(
      `SELECT coalesce(json_agg(doc), '[]')::text FROM (SELECT doc FROM t ORDER BY id LIMIT $1::text::int) p`,
      [String(limit)],
      (text = "") => done(text)
    ),
  filtered: (itemId, status, limit, done) =>
    ask(
      `SELECT coalesce(json_agg(doc), '[]')::text FROM
        (SELECT doc FROM t WHERE "itemId" = $1 AND status = $2 ORDER BY "lotSize" DESC, id LIMIT $3::text::int) p`,
      [itemId, status, String(limit)],
      (text = "") => done(text)
    ),
  create: (row, done) =>
    ask(
      `INSERT INTO t VALUES ($1, $2, $3, $4::text::float8, $5::text::jsonb) RETURNING doc::text`,
      [row.id, row.itemId, row.status, String(row.lotSize), JSON.stringify(row)],
      (text = "") => done(text)
    ),
  update: (id, lotSize, done) =>
    ask(
      `UPDATE t SET "lotSize" = $1::text::float8, doc = jsonb_set(doc, '{lotSize}', to_jsonb($1::text::float8))
        WHERE id = $2 RETURNING doc::text`,
      [String(lotSize), id],
      done
    )
})
