/**
 * Keeps the statistics of the tables on PostgreSQL: caches their sizes, and has the server analyze a table that has more
 * than doubled since it was analyzed. The server does that by itself once a minute at most, and plans badly until then.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import { identifier, render, type Statement, sql } from "../../sql/Statement.ts"
import * as PostgresDialect from "../../sql/postgres/PostgresDialect.ts"
import type { Step } from "../../sql/Change.ts"
import type { TableSize } from "../Store.ts"
import type { PostgresDriver } from "./PostgresDriver.ts"

export interface PostgresStatistics {
  /** The size of a table as of the last refresh; infinite after a large change. The sizes of documents are unknown. */
  readonly of: (resource: Resource.Any) => TableSize
  /** Refreshes the sizes and the statistics within a second, and immediately after a large change. */
  readonly changed: (steps: ReadonlyArray<Step>) => void
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
      ceil(CASE WHEN "reltuples" > 0 AND "relpages" > 0 THEN "size" * "reltuples"::float8 / ("relpages" * "block")
        ELSE "size" / ${fewestBytes}.0 END),
      "size" > 2 * "relpages" * "block" + ${analyzedBytes} AND pg_has_role("relowner", 'USAGE')
    FROM (SELECT "relname", "reltuples", "relpages"::bigint, "relowner", pg_relation_size("oid") AS "size",
      current_setting('block_size')::bigint AS "block" FROM pg_class
      WHERE "relnamespace" = current_schema()::regnamespace AND "relkind" = 'r') AS "table"`,
  parameters: []
}

/** The characters of one parameter from which a change may add many rows: a list of rows is one parameter. */
const largeCharacters = 8192

/** The number of steps above which a change writes its rows in parts. */
const manySteps = 16

/** Reports whether a change may add many rows. */
const isLarge = (steps: ReadonlyArray<Step>): boolean =>
  steps.length > manySteps ||
  steps.some(({ statement: { parameters } }) =>
    parameters.some((value) => typeof value === "string" && value.length > largeCharacters)
  )

export const make = (driver: Pick<PostgresDriver, "readOnce" | "transaction">): PostgresStatistics => {
  let rowsByTable: ReadonlyMap<string, number> = new Map()
  let timer: NodeJS.Timeout | undefined
  let largeChanges = 0
  /** The number of large changes that the sizes include. */
  let included = 0
  let isClosed = false

  const analyze = async (table: string): Promise<void> => {
    // Another instance may analyze it already.
    const statement = render(sql`ANALYZE (SKIP_LOCKED) ${identifier(table)}`, PostgresDialect.dialect)
    await driver.transaction(async (connection) => Either.right(await connection.execute(statement)))
  }

  const load = async () => {
    const changes = largeChanges
    const rows = await driver.readOnce(facts)
    included = changes
    rowsByTable = new Map(rows.map(([table, count]) => [String(table), Number(count)]))
    return rows
  }

  const refresh = async (): Promise<void> => {
    const grown = (await load()).filter(([, , isGrown]) => isGrown === 1)
    for (const [table] of grown) if (!isClosed) await analyze(String(table))
    if (grown.length > 0) await load()
  }

  const refreshAfter = (millis: number) => {
    timer ??= setTimeout(() => {
      // The next change tries again, and `maintain` reports the failure.
      refresh()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined
          if (included < largeChanges && !isClosed) refreshAfter(delayMillis)
        })
    }, millis).unref()
  }

  const changed = (steps: ReadonlyArray<Step>) => {
    if (isClosed) return
    if (isLarge(steps)) {
      largeChanges += 1
      // The sizes alone are read immediately; the statistics can wait.
      load().catch(() => undefined)
    }
    refreshAfter(delayMillis)
  }

  return {
    of: ({ resource }) => ({
      rows:
        included < largeChanges ? Number.POSITIVE_INFINITY : (rowsByTable.get(resource) ?? Number.POSITIVE_INFINITY),
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
