/**
 * Builds the statements of the staging table, a temporary table of SQLite: rows are written there without a lock on the
 * database, so that the transaction of a long change only copies them.
 */
import { type Fragment, identifier, join, sql, text } from "../Statement.ts"

const table = text(`temp."_staged"`)

const column = (index: number): string => `"c${index}"`

const columns = (width: number): ReadonlyArray<string> => Array.from({ length: width }, (_, index) => column(index))

/** Creates an empty table of a number of columns. Its memory is released when its rows are deleted. */
export const create = (width: number): string => `PRAGMA temp.auto_vacuum = FULL;
  DROP TABLE IF EXISTS temp."_staged";
  CREATE TABLE temp."_staged" ("place" INTEGER PRIMARY KEY, ${columns(width).join(", ")})`

/** Inserts one row: its place, and the values of its first columns. */
export const insert = (width: number): string =>
  `INSERT INTO temp."_staged" ("place", ${columns(width).join(", ")}) VALUES (?${", ?".repeat(width)})`

export const clear = `DELETE FROM temp."_staged"`

/** A `FROM` item of the rows from one place up to another, whose columns have the given names. */
export const rows = (names: ReadonlyArray<string>, from: number, to: number): Fragment => {
  const named = names.map((name, index) => sql`${text(column(index))} AS ${identifier(name)}`)
  return sql`(SELECT "place", ${join(named, ", ")} FROM ${table} WHERE "place" >= ${from} AND "place" < ${to}) AS "given"`
}
