/**
 * Lists the tables of an embedded store.
 */
import type { StoredTable } from "../StoredTable.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"

/** The tables with rows, parents first, without the store's metadata. */
export const list = (driver: SqliteDriver): ReadonlyArray<StoredTable> =>
  all(driver).filter(({ name }) => name !== metadata)

/** The table of the store's metadata. */
export const metadata = "_meta"

/** All tables of a database, parents first. */
export const all = (driver: Pick<SqliteDriver, "execute">, schema = "main"): ReadonlyArray<StoredTable> =>
  driver
    .execute({
      text: `SELECT t."name", c."name" FROM ${schema}.sqlite_schema AS t JOIN pragma_table_info(t."name", '${schema}') AS c
        WHERE t."type" = 'table' AND t."name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY t."rowid", c."cid"`,
      parameters: []
    })
    .reduce<Array<{ name: string; columns: Array<string> }>>((list, [table, column]) => {
      const last = list.at(-1)
      if (last !== undefined && last.name === table) last.columns.push(String(column))
      else list.push({ name: String(table), columns: [String(column)] })
      return list
    }, [])
