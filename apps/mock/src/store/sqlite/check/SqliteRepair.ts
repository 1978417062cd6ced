/**
 * Repairs an SQLite store by a new file: it copies every row that can be read, with columns rebuilt from its document,
 * and writes what is left of the others to a file. The old file is replaced when the new one is complete.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as fs from "node:fs"
import { dialect } from "../../../sql/sqlite/SqliteDialect.ts"
import type { Parameter, Value } from "../../../sql/Statement.ts"
import * as Table from "../../../sql/Table.ts"
import type { Lost, LostRows } from "../../check/LostRows.ts"
import * as RowCheck from "../../check/RowCheck.ts"
import * as StoredRow from "../../StoredRow.ts"
import { list, quote } from "../../RuleSet.ts"
import type { StoredTable } from "../../StoredTable.ts"
import * as SqliteDriver from "../SqliteDriver.ts"
import * as SqliteMeta from "../SqliteMeta.ts"
import * as SqliteMigrator from "../SqliteMigrator.ts"
import * as SqliteRuleSet from "../SqliteRuleSet.ts"
import * as SqliteTables from "../SqliteTables.ts"
import * as SqliteCheck from "./SqliteCheck.ts"
import * as StoredRows from "./StoredRows.ts"

type Driver = SqliteDriver.SqliteDriver
type Reader = Pick<Driver, "execute">

/** The schema of the damaged store on the reader. */
const schema = "store"

/** The value of a column as far as it can be read. */
const salvage = (source: Reader, table: string, row: number, column: string): unknown => {
  const from = `FROM ${schema}.${quote(table)} WHERE rowid = ?`
  for (const value of [quote(column), `hex(CAST(${quote(column)} AS BLOB))`]) {
    try {
      const [found] = source.execute({ text: `SELECT ${value} ${from}`, parameters: [row] })
      return value === quote(column) ? found?.[0] : { hex: found?.[0] }
    } catch (error) {
      if (!(error instanceof SqliteDriver.SqliteError)) throw error
    }
  }
  return undefined
}

const columnsLeft = (source: Reader, { columns, name }: StoredTable, row: number): Lost["columns"] =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const value = salvage(source, name, row, column)
      return value === undefined ? [] : [[column, value]]
    })
  )

/** The owners and keys of the rows in a damaged part, which the index of keys may still contain. */
const keysLeft = (source: Reader, resource: Resource.Any, after: number, before = 2 ** 53): ReadonlyArray<Lost> => {
  const table = resource.resource
  const columns = [...Table.ownerColumns(resource), resource.key]
  try {
    return source
      .execute({
        text: `SELECT rowid, ${list(columns)} FROM ${schema}.${quote(table)} INDEXED BY ${quote(`sqlite_autoindex_${table}_1`)}
          WHERE +rowid > ? AND +rowid < ?`,
        parameters: [after, before]
      })
      .map(([row, ...values]) => ({
        table,
        row: Number(row),
        reason: "its page cannot be read; the key is from an index",
        columns: Object.fromEntries(columns.map((column, index) => [column, values[index]]))
      }))
  } catch (error) {
    if (error instanceof SqliteDriver.SqliteError) return []
    throw error
  }
}

/** Copies the rows of one table. */
const copyTable = async (source: Reader, target: Driver, table: StoredTable, lost: LostRows): Promise<void> => {
  const { columns, name } = table
  const resource = Catalogue.find(name)
  const stored = resource === undefined ? [] : RowCheck.columnsOf(dialect, resource)
  const check = resource === undefined ? undefined : RowCheck.make(dialect, resource)
  const hidden = resource === undefined ? 0 : SqliteCheck.hiddenCount(resource)
  const written =
    resource === undefined
      ? columns
      : [
          Table.sequence,
          Table.document,
          Table.revision,
          ...Table.ownerColumns(resource),
          ...stored.map((column) => column.name)
        ]
  const isInstant = new Map(stored.map((column) => [column.name, column.type === "timestamp"]))
  const places = written.map((column) => (isInstant.get(column) === true ? "CAST(? AS INTEGER)" : "?"))
  const text = `INSERT INTO ${quote(name)} (${list(written)}) VALUES (${places.join(", ")})`
  const aside = (row: number, reason: string) =>
    lost.add({ table: name, row, reason, columns: columnsLeft(source, table, row) })

  /** The values of a row in the new table, or the reason why it is not one. */
  const valuesOf = (number: number, values: ReadonlyArray<Value>): ReadonlyArray<Parameter> | string => {
    if (check === undefined) return values
    const outcome = check(String(values[0]), values.slice(hidden))
    if (outcome._tag === "NoRow") return `the document is not a row of the resource: ${outcome.reason}`
    const { row } = outcome
    const held = resource === undefined ? row : StoredRow.columns(resource, row)
    return [
      number,
      JSON.stringify(row),
      ...values.slice(1, hidden),
      ...stored.map((column) => dialect.parameter(column.type, held[column.name] ?? null))
    ]
  }

  const selected = resource === undefined ? columns.map(quote) : SqliteCheck.valuesOf(resource)
  const query: StoredRows.Query = async (statement) => source.execute(statement)
  for await (const found of StoredRows.all({ query, schema, table: name, values: selected })) {
    if (found._tag === "Gap") {
      const { after, before, error } = found
      lost.add({ table: name, after, before, reason: error.message })
      if (resource !== undefined) for (const key of keysLeft(source, resource, after, before)) lost.add(key)
    } else if (found._tag === "Unreadable") aside(found.number, found.error.message)
    else {
      const values = valuesOf(found.number, found.values)
      if (typeof values === "string") {
        aside(found.number, values)
        continue
      }
      try {
        target.execute({ text, parameters: values })
      } catch (error) {
        if (!(error instanceof SqliteDriver.SqliteError) || error.isStorageFailure) throw error
        aside(found.number, `the row breaks a constraint of its table (${error.code})`)
      }
    }
  }
}

/** Removes rows that refer to missing ones, until none does. */
const removeOrphans = (source: Reader, target: Driver, tables: ReadonlyArray<StoredTable>, lost: LostRows): void => {
  for (;;) {
    const [orphan] = target.execute({
      text: `SELECT "table", "rowid", "parent" FROM pragma_foreign_key_check LIMIT 1`,
      parameters: []
    })
    if (orphan === undefined) return
    const [name, row, parent] = [String(orphan[0]), Number(orphan[1]), String(orphan[2])]
    const columns = tables.find((table) => table.name === name)?.columns ?? []
    const [values = []] = target.execute({
      text: `SELECT ${list(columns)} FROM ${quote(name)} WHERE rowid = ?`,
      parameters: [row]
    })
    lost.add({
      table: name,
      row,
      reason: `the row refers to a missing row of ${parent}`,
      columns: Object.fromEntries(columns.map((column, index) => [column, values[index]]))
    })
    target.execute({ text: `DELETE FROM ${quote(name)} WHERE rowid = ?`, parameters: [row] })
  }
}

/** Continues the numbers of tables that never use one twice. */
const continueNumbers = (source: Reader, target: Driver): void => {
  try {
    for (const [name = null, number = null] of source.execute({
      text: `SELECT "name", "seq" FROM ${schema}.sqlite_sequence`,
      parameters: []
    })) {
      target.execute({ text: `DELETE FROM sqlite_sequence WHERE "name" = ? AND "seq" < ?`, parameters: [name, number] })
      target.execute({
        text: `INSERT INTO sqlite_sequence ("name", "seq") SELECT ?, ?
          WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE "name" = ?)`,
        parameters: [name, number, name]
      })
    }
  } catch (error) {
    // The numbers then follow those of the rows that are left.
    if (!(error instanceof SqliteDriver.SqliteError)) throw error
  }
}

/** Copies the metadata, without the rules, which are applied to the copied rows. */
const copyMetadata = async (source: Reader, target: Driver, lost: LostRows): Promise<void> => {
  const query: StoredRows.Query = async (statement) => source.execute(statement)
  const values = ["key", "value"].map(quote)
  for await (const found of StoredRows.all({ query, schema, table: SqliteTables.metadata, values })) {
    if (found._tag !== "Row") lost.add({ table: SqliteTables.metadata, reason: found.error.message })
    else if (found.values[0] !== "ruleSet" && found.values[0] !== "schema") {
      target.execute({
        text: `INSERT OR REPLACE INTO "_meta" ("key", "value") VALUES (?, ?)`,
        parameters: found.values
      })
    }
  }
}

/** Builds a store from what can be read of another one. Returns whether the rules of the store are violated now. */
export const rebuild = async (source: Reader, file: string, lost: LostRows): Promise<boolean> => {
  for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(`${file}${suffix}`, { force: true })
  fs.closeSync(fs.openSync(file, "a", 0o600))
  const target = SqliteDriver.open(file, { durable: false })
  try {
    Either.getOrThrow(SqliteMigrator.migrate(target, { store: file, ruleSet: "contract" }))
    target.script("PRAGMA foreign_keys = OFF; BEGIN")
    await copyMetadata(source, target, lost)
    const tables = SqliteTables.list(target)
    for (const table of tables) await copyTable(source, target, table, lost)
    removeOrphans(source, target, tables, lost)
    continueNumbers(source, target)
    target.script("COMMIT")
    const applied = SqliteDriver.transaction(target, () =>
      SqliteRuleSet.apply(target, SqliteMeta.ruleSet(source, schema))
    )
    return Either.isLeft(applied)
  } finally {
    target.close()
  }
}
