/**
 * Checks the integrity of an SQLite store, and computes a digest of its state.
 */
import { createHash } from "node:crypto"
import * as Table from "../../sql/Table.ts"
import { quote } from "../RuleSet.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import * as SqliteTables from "./SqliteTables.ts"

const list = (driver: SqliteDriver, pragma: string) => driver.execute({ text: `PRAGMA ${pragma}`, parameters: [] })

/** Returns corrupt pages and indexes, and references to missing rows. */
export const integrityProblems = (driver: SqliteDriver): ReadonlyArray<string> => [
  ...list(driver, "integrity_check").flatMap(([flaw]) => (flaw === "ok" ? [] : [String(flaw)])),
  ...list(driver, "foreign_key_check").map(
    ([table, row, parent]) => `row ${row} of ${table} refers to nothing in ${parent}`
  )
]

/** Computes a digest of each table's rows, with hidden columns, that does not depend on their order. */
export const checksum = (driver: SqliteDriver): { readonly [table: string]: string } =>
  Object.fromEntries(
    SqliteTables.list(driver).map(({ columns, name }) => {
      // Quoted in SQL, where whole numbers and doubles keep all their digits.
      const row = columns
        .filter((column) => column !== Table.sequence)
        .map((column) => `quote(${quote(column)})`)
        .join(` || ',' || `)
      const hash = createHash("sha256")
      for (const [text] of driver.execute({ text: `SELECT ${row} FROM ${quote(name)} ORDER BY 1`, parameters: [] })) {
        hash.update(`${text}\n`)
      }
      return [name, hash.digest("hex")]
    })
  )
