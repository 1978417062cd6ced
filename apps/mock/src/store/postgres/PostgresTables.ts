/**
 * The tables of a store on PostgreSQL as the server describes them.
 */
import type { StoredTable } from "../StoredTable.ts"
import type { Connection } from "./PostgresDriver.ts"

/** The tables that hold rows, in the order they were made, parents first; what the store remembers of itself is none. */
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
