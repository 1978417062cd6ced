/**
 * Converts the rows of an SQLite store to lines of a snapshot, and lines to rows.
 */
import * as SqliteDialect from "../../sql/sqlite/SqliteDialect.ts"
import * as Statement from "../../sql/Statement.ts"
import * as Table from "../../sql/Table.ts"
import { list, quote } from "../RuleSet.ts"
import * as Snapshot from "../Snapshot.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import * as SqliteMeta from "./SqliteMeta.ts"
import type { StoredTable } from "../StoredTable.ts"
import * as SqliteTables from "./SqliteTables.ts"

/** The conversion of the rows of one table. */
interface Form {
  /** The columns that `line` takes. */
  readonly columns: ReadonlyArray<string>
  readonly line: (values: ReadonlyArray<Statement.Value>) => string
  readonly insert: (driver: SqliteDriver, line: Snapshot.Line) => void
}

const { identifier, join, sql } = Statement
const { dialect } = SqliteDialect

/** Builds the INSERT of a row. */
const insertion = (
  table: string,
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<Statement.Fragment> = columns.map(() => sql`${null}`)
): string =>
  Statement.render(
    sql`INSERT INTO ${identifier(table)} (${join(columns.map(identifier), ", ")}) VALUES (${join(values, ", ")})`,
    dialect
  ).text

const ofRows = (table: string, kind: Snapshot.RowTable): Form => {
  const { hidden, resource } = kind
  const stored = Table.stored(dialect, resource).map(({ column }) => column)
  const text = insertion(
    table,
    [...hidden, ...stored.map(({ name }) => name)],
    [...hidden.map(() => sql`${null}`), ...stored.map(({ type }) => dialect.typed(type, sql`${null}`))]
  )
  const read = Snapshot.decoderOf(kind)
  return {
    columns: hidden,
    line: (values) => Snapshot.toLine(table, kind, values),
    insert: (driver, line) => {
      const { columns, document } = read(line)
      const owned = Snapshot.hiddenOf(kind, line)
      const values = stored.map(({ name, type }) => dialect.parameter(type, columns[name] ?? null))
      const known = hidden.slice(1).map((name) => owned[name] ?? null)
      driver.execute({ text, parameters: [JSON.stringify(document), ...known, ...values] })
    }
  }
}

/** The conversion of a service table, whose columns contain only text and numbers. */
const ofService = ({ columns, name: table }: StoredTable): Form => {
  const text = insertion(table, columns)
  return {
    columns,
    line: (values) =>
      JSON.stringify({ table, row: Object.fromEntries(columns.map((column, index) => [column, values[index]])) }),
    insert: (driver, { row }) => {
      const parameters = columns.map((column): Statement.Parameter => {
        const value = row[column] ?? null
        if (value === null || typeof value === "string" || typeof value === "number") return value
        throw new Error(`${table}.${column} is text, a number or null`)
      })
      driver.execute({ text, parameters })
    }
  }
}

const forms = (driver: SqliteDriver): ReadonlyMap<string, Form> =>
  new Map(
    SqliteTables.list(driver).map((table) => {
      const rows = Snapshot.rowTable(table.name)
      return [table.name, rows === undefined ? ofService(table) : ofRows(table.name, rows)]
    })
  )

const count = (driver: SqliteDriver, table: string): number =>
  Number(driver.execute({ text: `SELECT count(*) FROM ${quote(table)}`, parameters: [] })[0]?.[0])

/** Returns the header of a database's snapshot. */
export const header = (driver: SqliteDriver): Snapshot.Header =>
  Snapshot.header(
    SqliteMeta.ruleSet(driver),
    Object.fromEntries(SqliteTables.list(driver).map(({ name }) => [name, count(driver, name)])),
    SqliteMeta.secretKey(driver),
    SqliteMeta.clock(driver)
  )

/** The number of rows in memory at a time. */
const page = 100

function* rows(
  driver: SqliteDriver,
  table: string,
  columns: ReadonlyArray<string>
): Generator<ReadonlyArray<Statement.Value>> {
  const text = `SELECT ${list(["rowid", ...columns])} FROM ${quote(table)} WHERE "rowid" > ? ORDER BY "rowid" LIMIT ${page}`
  for (let last: Statement.Value | undefined = 0; last !== undefined;) {
    const found: ReadonlyArray<ReadonlyArray<Statement.Value>> = driver.execute({ text, parameters: [last] })
    for (const [, ...values] of found) yield values
    last = found.at(-1)?.[0]
  }
}

/** Every row of a database, parents before the rows that refer to them. */
export function* all(driver: SqliteDriver): Generator<string> {
  for (const [table, { columns, line }] of forms(driver)) {
    for (const values of rows(driver, table, columns)) yield line(values)
  }
}

/** Inserts lines into a database; throws when a line is not a row of its table. */
export const insert = (driver: SqliteDriver): ((line: Snapshot.Line) => void) => {
  const known = forms(driver)
  return (line) => {
    const form = known.get(line.table)
    if (form === undefined) throw new Error(`there is no table ${line.table}`)
    form.insert(driver, line)
  }
}
