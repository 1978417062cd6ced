/**
 * Caches the sizes of the tables on PostgreSQL, as the server estimates them. The sizes of documents are unknown.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import type { Statement } from "../../sql/Statement.ts"
import type { TableSize } from "../Store.ts"
import type { PostgresDriver } from "./PostgresDriver.ts"

/** A table that was never analyzed has an estimate of -1. */
const estimates: Statement = {
  text: `SELECT "relname", "reltuples" FROM pg_class
    WHERE "relnamespace" = current_schema()::regnamespace AND "relkind" = 'r' AND "reltuples" >= 0`,
  parameters: []
}

export const make = (driver: Pick<PostgresDriver, "read">) => {
  let rowsByTable: ReadonlyMap<string, number> = new Map()
  return {
    of: ({ resource }: Resource.Any): TableSize => ({
      rows: rowsByTable.get(resource) ?? Number.POSITIVE_INFINITY,
      bytes: Number.POSITIVE_INFINITY
    }),
    refresh: async (): Promise<void> => {
      const rows = await driver.read(estimates)
      rowsByTable = new Map(rows.map(([table, count]) => [String(table), Number(count)]))
    }
  }
}
