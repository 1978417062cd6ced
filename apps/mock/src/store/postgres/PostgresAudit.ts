/**
 * Checks the integrity of a store on PostgreSQL as far as a client can, and computes a digest of its state.
 */
import { createHash } from "node:crypto"
import * as Table from "../../sql/Table.ts"
import type { Connection } from "./PostgresDriver.ts"
import * as PostgresTables from "./PostgresTables.ts"
import { list, quote } from "../RuleSet.ts"

/** Returns constraints that were never validated, and invalid indexes. */
export const integrityProblems = async (connection: Connection): Promise<ReadonlyArray<string>> => {
  const found = await connection.execute({
    text: `SELECT 'the constraint ' || conname || ' was never checked' FROM pg_constraint
      WHERE connamespace = current_schema()::regnamespace AND NOT convalidated
      UNION ALL SELECT 'the index ' || c.relname || ' is not valid' FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid`,
    parameters: []
  })
  return found.map(([flaw]) => String(flaw))
}

/** Computes a digest of each table's rows, with hidden columns, that does not depend on their order. */
export const checksum = async (connection: Connection): Promise<{ readonly [table: string]: string }> => {
  const row = `md5(t::text) COLLATE "C"`
  const tables = (await PostgresTables.list(connection)).map(({ columns, name }, index) => {
    const rows = `SELECT ${list(columns.filter((column) => column !== Table.sequence))} FROM ${quote(name)}`
    return {
      name,
      query: `SELECT ${index}, coalesce(string_agg(${row}, '' ORDER BY ${row}), '') FROM (${rows}) AS t`
    }
  })
  const sums = await connection.execute({
    text: tables.map(({ query }) => query).join(" UNION ALL "),
    parameters: []
  })
  return Object.fromEntries(
    sums.map(([index, rows]) => [
      tables[Number(index)]?.name ?? "",
      createHash("sha256").update(String(rows)).digest("hex")
    ])
  )
}
