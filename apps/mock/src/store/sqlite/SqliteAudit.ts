/**
 * Whether an embedded store is sound, and a digest by which two states of it can be told apart.
 */
import { createHash } from "node:crypto"
import { quote } from "../RuleSet.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import * as SqliteTables from "./SqliteTables.ts"

const list = (driver: SqliteDriver, pragma: string) => driver.execute({ text: `PRAGMA ${pragma}`, parameters: [] })

/** Broken pages and indexes, and references that lead nowhere. */
export const integrityProblems = (driver: SqliteDriver): ReadonlyArray<string> => [
  ...list(driver, "integrity_check").flatMap(([flaw]) => (flaw === "ok" ? [] : [String(flaw)])),
  ...list(driver, "foreign_key_check").map(
    ([table, row, parent]) => `row ${row} of ${table} refers to nothing in ${parent}`
  )
]

/** A digest of each table's rows, hidden columns included, whatever order they were written in. */
export const checksum = (driver: SqliteDriver): { readonly [table: string]: string } =>
  Object.fromEntries(
    SqliteTables.list(driver).map(({ columns, name }) => {
      // Quoted in SQL, where whole numbers and doubles keep all their digits.
      const row = columns.map((column) => `quote(${quote(column)})`).join(` || ',' || `)
      const hash = createHash("sha256")
      for (const [text] of driver.execute({ text: `SELECT ${row} FROM ${quote(name)} ORDER BY 1`, parameters: [] })) {
        hash.update(`${text}\n`)
      }
      return [name, hash.digest("hex")]
    })
  )
