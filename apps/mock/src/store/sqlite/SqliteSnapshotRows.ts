/**
 * Converts the rows of an SQLite store to lines of a snapshot, and lines to rows.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
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

const ofResource = (resource: Resource.Any): Form => {
  const table = resource.resource
  const hidden = [Table.document, Table.revision, ...Table.ownerColumns(resource)]
  const stored = Table.stored(dialect, resource).map(({ column }) => column)
  const text = insertion(
    table,
    [...hidden, ...stored.map(({ name }) => name)],
    [...hidden.map(() => sql`${null}`), ...stored.map(({ type }) => dialect.typed(type, sql`${null}`))]
  )
  const read = Snapshot.rowOf(resource)
  return {
    columns: hidden,
    // The document is JSON already.
    line: ([row, revision, company, user]) => {
      const owned = user === undefined ? { company } : { company, user }
      return `${JSON.stringify({ table, ...owned, revision }).slice(0, -1)},"row":${row}}`
    },
    insert: (driver, { company = null, revision = 1, row, user = null }) => {
      const whole = read(row)
      const owned = [company, user].slice(0, hidden.length - 2)
      const values = stored.map(({ name, type }) => dialect.parameter(type, whole[name] ?? null))
      driver.execute({ text, parameters: [JSON.stringify(whole), revision, ...owned, ...values] })
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
      const resource = Catalogue.find(table.name)
      return [table.name, resource === undefined ? ofService(table) : ofResource(resource)]
    })
  )

const count = (driver: SqliteDriver, table: string): number =>
  Number(driver.execute({ text: `SELECT count(*) FROM ${quote(table)}`, parameters: [] })[0]?.[0])

/** Returns the header of a database's snapshot. */
export const header = (driver: SqliteDriver): Snapshot.Header =>
  Snapshot.header(
    SqliteMeta.ruleSet(driver),
    Object.fromEntries(SqliteTables.list(driver).map(({ name }) => [name, count(driver, name)])),
    SqliteMeta.secretKey(driver)
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
