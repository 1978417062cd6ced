/**
 * Applies a migration to a store with rows, in a transaction that is rolled back, and finds what would stop instances that
 * use the store: tables that are read, rewritten or changed under a lock, and columns that they use and no longer find.
 */
import * as Effect from "effect/Effect"
import postgres from "postgres"

/** Rows of two tables. */
export const rows = `
  INSERT INTO "holiday" ("_tenant", "id", "createdBy", "createdAt", "name", "date", "companyId", "year", "_doc", "_revision")
    SELECT 'c', 'h' || i, 'u', now(), 'n' || i, '2026-01-01', 'c', 2026, '{}', 1 FROM generate_series(1, 50) AS n(i);
  INSERT INTO "kanban" ("_tenant", "id", "companyId", "itemId", "replenishmentSystem", "quantity", "locationId",
      "conversionFactor", "autoRelease", "autoStartJob", "_doc", "_revision")
    SELECT 'c', 'k' || i, 'c', 'i', 'r', 1, 'l', 1, false, false, '{}', 1 FROM generate_series(1, 50) AS n(i)`

/** The most rows that a migration changes. */
const most = 10

const columns = `SELECT c.relname AS "table", a.attname AS "column",
    a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS "isRequired"
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`

const files = `SELECT oid::bigint::text AS "oid", relname AS "name", relfilenode::text AS "file" FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`

/** The locks of this transaction that keep others from writing. */
const locks = `SELECT relation::bigint::text AS "oid", mode FROM pg_locks
  WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
    AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`

const scans = `SELECT relid::bigint::text AS "oid", coalesce(seq_scan, 0)::integer AS "scans",
    (n_tup_ins + n_tup_upd + n_tup_del)::integer AS "changed"
  FROM pg_stat_xact_user_tables WHERE schemaname = current_schema()`

class RolledBack extends Error {}

/** The problems of the SQL of a migration. */
export const problems = (url: string, migration: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined })
    const found: Array<string> = []
    try {
      await sql.begin(async (transaction) => {
        const [tables, old] = [await transaction.unsafe(files), await transaction.unsafe(columns)]
        await transaction.unsafe(migration)
        const [held, seen] = [await transaction.unsafe(locks), await transaction.unsafe(scans)]
        const after = new Map((await transaction.unsafe(files)).map(({ file, oid }) => [oid, file]))
        for (const { file, name, oid } of tables) {
          const mode = held.find((lock) => lock["oid"] === oid)?.["mode"]
          const seenOf = seen.find((row) => row["oid"] === oid)
          const isRewritten = after.has(oid) && after.get(oid) !== file
          if (mode !== undefined && after.has(oid) && (isRewritten || Number(seenOf?.["scans"] ?? 0) > 0)) {
            found.push(`reads or rewrites ${name} under ${mode}`)
          }
          const changed = Number(seenOf?.["changed"] ?? 0)
          if (changed > most) found.push(`changes ${changed} rows of ${name}`)
          if (!after.has(oid)) found.push(`removes ${name}`)
        }
        const fresh = await transaction.unsafe(columns)
        const is = (one: postgres.Row, other: postgres.Row) =>
          one["table"] === other["table"] && one["column"] === other["column"]
        for (const column of old) {
          if (after.size > 0 && !fresh.some((other) => is(column, other))) {
            found.push(`removes ${column["table"]}.${column["column"]}`)
          }
        }
        for (const column of fresh) {
          const isNew = !old.some((other) => is(column, other))
          const isOldTable = old.some((other) => other["table"] === column["table"])
          if (isNew && isOldTable && column["isRequired"] === true) {
            found.push(`requires ${column["table"]}.${column["column"]}`)
          }
        }
        throw new RolledBack()
      })
    } catch (error) {
      if (!(error instanceof RolledBack)) found.push(String(error))
    } finally {
      await sql.end()
    }
    return found
  })
