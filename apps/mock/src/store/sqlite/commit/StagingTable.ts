/**
 * Copies the rows of long changes into the staging table, in short transactions that do not lock the database. The table
 * contains the rows of one change at a time.
 */
import * as SqliteStaging from "../../../sql/sqlite/SqliteStaging.ts"
import type { Parameter } from "../../../sql/Statement.ts"
import type { SqliteDriver } from "../SqliteDriver.ts"

type Driver = Pick<SqliteDriver, "execute" | "script" | "inTransaction">

export interface StagingTable {
  /** Replaces the rows. It can be suspended wherever it yields: no transaction is open then. */
  readonly fill: (rows: ReadonlyArray<ReadonlyArray<Parameter>>) => Generator<void, void>
  /** Deletes the rows. */
  readonly clear: () => void
}

/** The number of rows of a transaction. */
const partLength = 50

export const make = (driver: Driver): StagingTable => {
  let width = 0
  const clear = () => {
    if (width > 0) driver.script(SqliteStaging.clear)
  }

  /** Prepares the table. A wider one is created only for wider rows, because all statements are then prepared again. */
  const prepare = (columns: number) => {
    if (columns <= width) return clear()
    driver.script(SqliteStaging.create(columns))
    width = columns
  }

  const insert = (rows: ReadonlyArray<ReadonlyArray<Parameter>>, start: number) => {
    const text = SqliteStaging.insert(rows[0]?.length ?? 0)
    driver.script("BEGIN")
    try {
      rows.forEach((row, index) => driver.execute({ text, parameters: [start + index, ...row], isSingle: true }))
      driver.script("COMMIT")
    } catch (error) {
      if (driver.inTransaction()) driver.script("ROLLBACK")
      throw error
    }
  }

  return {
    fill: function* (rows) {
      prepare(rows[0]?.length ?? 0)
      for (let start = 0; start < rows.length; start += partLength) {
        insert(rows.slice(start, start + partLength), start)
        yield
      }
    },
    clear
  }
}
