/**
 * Reads the rows of a table past those that cannot be read.
 */
import type { Rows } from "../../../sql/Change.ts"
import type { Statement, Value } from "../../../sql/Statement.ts"
import { quote } from "../../RuleSet.ts"
import { SqliteError } from "../SqliteDriver.ts"

/** Runs a query on a connection that checks its texts. */
export type Query = (statement: Statement) => Promise<Rows>

/** A row with its number and some values; a row that cannot be read; or a part of the table that cannot be read. */
export type Stored =
  | { readonly _tag: "Row"; readonly number: number; readonly values: ReadonlyArray<Value> }
  | { readonly _tag: "Unreadable"; readonly number: number; readonly error: SqliteError }
  | { readonly _tag: "Gap"; readonly after: number; readonly before: number | undefined; readonly error: SqliteError }

export interface Source {
  readonly query: Query
  /** The schema of the database, such as `main`. */
  readonly schema: string
  readonly table: string
  /** The SQL of the values. */
  readonly values: ReadonlyArray<string>
}

/** The number of rows that are read together. */
const page = 100

/** The largest row number. */
const last = 2 ** 53

/** The result of a query, or the failure of the storage. */
const attempt = async (query: Query, statement: Statement): Promise<Rows | SqliteError> => {
  try {
    return await query(statement)
  } catch (error) {
    if (error instanceof SqliteError && error.isStorageFailure) return error
    throw error
  }
}

/** Reads all rows in the order of their numbers. */
export async function* all({ query, schema, table, values }: Source): AsyncGenerator<Stored> {
  const from = `${quote(schema)}.${quote(table)}`
  const selected = ["rowid", ...values].join(", ")
  const after = (number: number, limit: number) =>
    attempt(query, {
      text: `SELECT ${selected} FROM ${from} WHERE rowid > ? ORDER BY rowid LIMIT ${limit}`,
      parameters: [number]
    })
  const numberAfter = (number: number) =>
    attempt(query, { text: `SELECT rowid FROM ${from} WHERE rowid > ? ORDER BY rowid LIMIT 1`, parameters: [number] })

  /** The first number after which a row can be read again, past a part of the table that cannot be. */
  const resume = async (start: number): Promise<{ readonly from: number; readonly row: number } | undefined> => {
    let below = start
    let found: { readonly from: number; readonly row: number } | undefined
    for (let step = 1; start + step < last; step *= 2) {
      const rows = await numberAfter(start + step)
      if (rows instanceof SqliteError) below = start + step
      else if (rows[0] === undefined) return undefined
      else {
        found = { from: start + step, row: Number(rows[0][0]) }
        break
      }
    }
    while (found !== undefined && found.from - below > 1) {
      const middle = Math.floor((below + found.from) / 2)
      const rows = await numberAfter(middle)
      if (rows instanceof SqliteError || rows[0] === undefined) below = middle
      else found = { from: middle, row: Number(rows[0][0]) }
    }
    return found
  }

  let number = 0
  for (;;) {
    const rows = await after(number, page)
    if (!(rows instanceof SqliteError)) {
      if (rows.length === 0) return
      for (const [found, ...values] of rows) yield { _tag: "Row", number: (number = Number(found)), values }
      continue
    }
    // One row after the other, up to the one that cannot be read.
    for (let count = 0; count < page; count++) {
      const single = await after(number, 1)
      if (!(single instanceof SqliteError)) {
        const [row] = single
        if (row === undefined) return
        const [found, ...values] = row
        yield { _tag: "Row", number: (number = Number(found)), values }
        continue
      }
      const next = await numberAfter(number)
      if (next instanceof SqliteError) {
        const found = await resume(number)
        yield { _tag: "Gap", after: number, before: found?.row, error: next }
        if (found === undefined) return
        number = found.row - 1
      } else {
        const [row] = next
        if (row === undefined) return
        yield { _tag: "Unreadable", number: (number = Number(row[0])), error: single }
      }
    }
  }
}
