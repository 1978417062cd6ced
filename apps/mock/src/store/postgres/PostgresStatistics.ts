/**
 * Keeps the statistics of the tables on PostgreSQL: caches their sizes, and has the server analyze a table that has more
 * than doubled since it was analyzed. The server does that by itself once a minute at most, and plans badly until then.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import { identifier, render, type Statement, sql } from "../../sql/Statement.ts"
import * as PostgresDialect from "../../sql/postgres/PostgresDialect.ts"
import type { TableSize } from "../Store.ts"
import type { PostgresDriver } from "./PostgresDriver.ts"

export interface PostgresStatistics {
  /** The size of a table as of the last refresh. The sizes of documents are unknown. */
  readonly of: (resource: Resource.Any) => TableSize
  /** Refreshes the sizes and the statistics within a second. */
  readonly changed: () => void
  readonly refresh: () => Promise<void>
  readonly close: () => void
}

/** The fewest bytes of a row: its header, its columns for the service, and an almost empty document. */
const fewestBytes = 60

/** The bytes of a table from which it is analyzed. */
const analyzedBytes = 65_536

/** The time between a change and the next refresh. */
const delayMillis = 1000

/**
 * The tables with an estimate of their rows from their size now, and whether to analyze them. Only the owner of a table
 * may analyze it.
 */
const facts: Statement = {
  text: `SELECT "relname",
      ceil(CASE WHEN "reltuples" >= 0 AND "relpages" > 0 THEN "size" * "reltuples"::float8 / ("relpages" * "block")
        ELSE "size" / ${fewestBytes}.0 END),
      "size" > 2 * "relpages" * "block" + ${analyzedBytes} AND pg_has_role("relowner", 'USAGE')
    FROM (SELECT "relname", "reltuples", "relpages"::bigint, "relowner", pg_relation_size("oid") AS "size",
      current_setting('block_size')::bigint AS "block" FROM pg_class
      WHERE "relnamespace" = current_schema()::regnamespace AND "relkind" = 'r') AS "table"`,
  parameters: []
}

export const make = (driver: Pick<PostgresDriver, "readOnce" | "transaction">): PostgresStatistics => {
  let rowsByTable: ReadonlyMap<string, number> = new Map()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const analyze = async (table: string): Promise<void> => {
    // Another instance may analyze it already.
    const statement = render(sql`ANALYZE (SKIP_LOCKED) ${identifier(table)}`, PostgresDialect.dialect)
    await driver.transaction(async (connection) => Either.right(await connection.execute(statement)))
  }

  const load = async () => {
    const rows = await driver.readOnce(facts)
    rowsByTable = new Map(rows.map(([table, count]) => [String(table), Number(count)]))
    return rows
  }

  const refresh = async (): Promise<void> => {
    const grown = (await load()).filter(([, , isGrown]) => isGrown === 1)
    for (const [table] of grown) if (!isClosed) await analyze(String(table))
    if (grown.length > 0) await load()
  }

  const changed = () => {
    if (isClosed) return
    timer ??= setTimeout(() => {
      // The next change tries again, and `maintain` reports the failure.
      refresh()
        .catch(() => undefined)
        .finally(() => (timer = undefined))
    }, delayMillis).unref()
  }

  return {
    of: ({ resource }) => ({
      rows: rowsByTable.get(resource) ?? Number.POSITIVE_INFINITY,
      bytes: Number.POSITIVE_INFINITY
    }),
    changed,
    refresh,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    }
  }
}
