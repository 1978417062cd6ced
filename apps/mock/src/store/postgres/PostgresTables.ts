/**
 * Lists the tables of a store on PostgreSQL.
 */
import type { StoredTable } from "../StoredTable.ts"
import type { Connection } from "./PostgresDriver.ts"

/** The tables with rows in the order of their creation, parents first, without the store's metadata. */
export const list = async (connection: Connection): Promise<ReadonlyArray<StoredTable>> => {
  const rows = await connection.execute({
    text: `SELECT c.relname, json_agg(a.attname ORDER BY a.attnum)
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> '_meta'
      GROUP BY c.oid, c.relname ORDER BY c.oid`,
    parameters: []
  })
  return rows.map(([name, columns]) => ({ name: String(name), columns: JSON.parse(String(columns)) }))
}
