/**
 * Checks an SQLite store: its pages and indexes, the texts of all rows, the agreement of columns and documents, and
 * references to missing rows.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import { dialect } from "../../../sql/sqlite/SqliteDialect.ts"
import * as Table from "../../../sql/Table.ts"
import type { Finding } from "../../check/Finding.ts"
import * as RowCheck from "../../check/RowCheck.ts"
import { quote } from "../../RuleSet.ts"
import type { StoredTable } from "../../StoredTable.ts"
import { SqliteError } from "../SqliteDriver.ts"
import * as StoredRows from "./StoredRows.ts"

export interface Options {
  readonly query: StoredRows.Query
  /** The schema of the store: `main`, or that of an attached file. */
  readonly schema: string
  readonly tables: ReadonlyArray<StoredTable>
}

/** The SQL of a column's value in the form in which it is compared. */
const comparable = ({ name, type }: Pick<Column.Column, "name" | "type">): string =>
  type === "timestamp" ? `CAST(${quote(name)} AS TEXT)` : quote(name)

/** The values of a resource's rows that {@link ofRows} takes: the document, the hidden columns, and the others. */
export const valuesOf = (resource: Resource.Any): ReadonlyArray<string> => [
  quote(Table.document),
  ...[Table.revision, ...Table.ownerColumns(resource)].map(quote),
  ...RowCheck.columnsOf(dialect, resource).map(comparable)
]

/** The number of values before those of the columns. */
export const hiddenCount = (resource: Resource.Any): number => 2 + Table.ownerColumns(resource).length

/** The finding for a row or a part of a table that cannot be read. */
const unreadable = (table: string, stored: Exclude<StoredRows.Stored, { readonly _tag: "Row" }>): Finding => ({
  _tag: "Unreadable",
  table,
  place: stored._tag === "Gap" ? { after: stored.after, before: stored.before } : { row: stored.number },
  text: stored.error.message
})

/** All texts of a row as one, which can be read if each of them can. */
const together = (columns: ReadonlyArray<string>): ReadonlyArray<string> => [
  `concat_ws(char(31), ${columns.map(quote).join(", ")})`
]

/** Finds the texts that cannot be read, which takes much less time than a complete check. */
export async function* texts({ query, schema, tables }: Options): AsyncGenerator<Finding> {
  for (const { columns, name: table } of tables) {
    for await (const stored of StoredRows.all({ query, schema, table, values: together(columns) })) {
      if (stored._tag !== "Row") yield unreadable(table, stored)
    }
  }
}

async function* ofRows({ query, schema, tables }: Options): AsyncGenerator<Finding> {
  for (const { columns, name: table } of tables) {
    const resource = Catalogue.find(table)
    const values = resource === undefined ? together(columns) : valuesOf(resource)
    const check = resource === undefined ? undefined : RowCheck.make(dialect, resource)
    const hidden = resource === undefined ? 0 : hiddenCount(resource)
    for await (const stored of StoredRows.all({ query, schema, table, values })) {
      if (stored._tag !== "Row") yield unreadable(table, stored)
      else if (check !== undefined) {
        const place = { row: stored.number }
        const outcome = check(String(stored.values[0]), stored.values.slice(hidden))
        if (outcome._tag === "NoRow") yield { _tag: "Document", table, place, text: outcome.reason }
        else if (outcome.different.length > 0) yield { _tag: "Columns", table, place, columns: outcome.different }
      }
    }
  }
}

/** Messages on indexes, which can be built again from their tables. */
const onIndex = /missing from index|wrong # of entries in index|non-unique entry in index|rowid not at end-of-record/

/** The problems of pages and indexes, one table after the other, so that no transaction takes long. */
async function* ofPages({ query, schema, tables }: Options): AsyncGenerator<Finding> {
  for (const { name } of tables) {
    try {
      const [row] = await query({
        text: `SELECT group_concat("integrity_check", char(10)) FROM pragma_integrity_check(?, ?)`,
        parameters: [name, schema]
      })
      for (const text of String(row?.[0] ?? "ok").split("\n")) {
        if (text === "ok") continue
        yield onIndex.test(text) ? { _tag: "Index", text } : { _tag: "Structure", text: `${name}: ${text}` }
      }
    } catch (error) {
      if (!(error instanceof SqliteError) || !error.isStorageFailure) throw error
      yield { _tag: "Structure", text: `${name}: ${error.message}` }
    }
  }
}

async function* orphans({ query, schema, tables }: Options): AsyncGenerator<Finding> {
  for (const { name } of tables) {
    const [row] = await query({
      text: `SELECT json_group_array(json_array("rowid", "parent")) FROM (
        SELECT "rowid", "parent" FROM pragma_foreign_key_check(?, ?) LIMIT 1000)`,
      parameters: [name, schema]
    })
    const found: ReadonlyArray<readonly [number, string]> = JSON.parse(String(row?.[0] ?? "[]"))
    for (const [number, parent] of found) yield { _tag: "Orphan", table: name, place: { row: number }, parent }
  }
}

/** Finds all damage. */
export async function* complete(options: Options): AsyncGenerator<Finding> {
  yield* ofPages(options)
  yield* ofRows(options)
  try {
    yield* orphans(options)
  } catch (error) {
    // The pages that it could not read are among the findings already.
    if (!(error instanceof SqliteError) || !error.isStorageFailure) throw error
  }
}
