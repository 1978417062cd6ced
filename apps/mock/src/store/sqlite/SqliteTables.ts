/**
 * Lists the tables of an embedded store.
 */
import type { StoredTable } from "../StoredTable.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"

/** The tables with rows, parents first, without the store's metadata. */
export const list = (driver: SqliteDriver): ReadonlyArray<StoredTable> =>
  all(driver).filter(({ name }) => name !== "_meta")

/** All tables, parents first. */
export const all = (driver: SqliteDriver): ReadonlyArray<StoredTable> =>
  driver
    .execute({
      text: `SELECT t."name", c."name" FROM sqlite_schema AS t JOIN pragma_table_info(t."name") AS c
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
