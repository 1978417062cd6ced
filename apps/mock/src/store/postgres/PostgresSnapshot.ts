/**
 * Saves and restores the portable snapshot on PostgreSQL: a save reads one consistent state, and a restore replaces all
 * rows in one transaction.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dialect } from "../../sql/postgres/PostgresDialect.ts"
import type { Value } from "../../sql/Statement.ts"
import * as SqlTable from "../../sql/Table.ts"
import type { RulesViolated } from "../OpenError.ts"
import type { Connection, PostgresDriver } from "./PostgresDriver.ts"
import * as PostgresMeta from "./PostgresMeta.ts"
import * as PostgresRuleSet from "./PostgresRuleSet.ts"
import * as PostgresTables from "./PostgresTables.ts"
import { list, quote } from "../RuleSet.ts"
import * as Snapshot from "../Snapshot.ts"
import type { StoredTable } from "../StoredTable.ts"

/** The number of rows in memory at a time. */
const page = 200

async function* rows(connection: Connection, query: string): AsyncGenerator<ReadonlyArray<Value>> {
  await connection.script(`DECLARE "lines" NO SCROLL CURSOR FOR ${query}`)
  for (;;) {
    const found = await connection.execute({ text: `FETCH ${page} FROM "lines"`, parameters: [] })
    yield* found
    if (found.length < page) break
  }
  await connection.script(`CLOSE "lines"`)
}

const hiddenOf = (table: string): ReadonlyArray<string> | undefined => {
  const resource = Catalogue.find(table)
  return resource === undefined ? undefined : [SqlTable.document, SqlTable.revision, ...SqlTable.ownerColumns(resource)]
}

async function* lines(connection: Connection, tables: ReadonlyArray<StoredTable>): AsyncGenerator<string> {
  for (const { columns, name: table } of tables) {
    const hidden = hiddenOf(table)
    const order = hidden === undefined ? "" : ` ORDER BY ${quote(SqlTable.sequence)}`
    const query = `SELECT ${list(hidden ?? columns)} FROM ${quote(table)}${order}`
    for await (const values of rows(connection, query)) {
      if (hidden === undefined) {
        const row = Object.fromEntries(columns.map((column, index) => [column, values[index]]))
        yield JSON.stringify({ table, row })
      } else {
        const [document, revision, company, user] = values
        const owned = user === undefined ? { company } : { company, user }
        // The document is JSON already.
        yield `${JSON.stringify({ table, ...owned, revision }).slice(0, -1)},"row":${document}}`
      }
    }
  }
}

const count = async (connection: Connection, table: string): Promise<number> => {
  const [row] = await connection.execute({ text: `SELECT count(*) FROM ${quote(table)}`, parameters: [] })
  return Number(row?.[0])
}

/** Writes a snapshot. */
export const save = (driver: PostgresDriver, file: string): Promise<Either.Either<void, Snapshot.SnapshotUnwritable>> =>
  driver.transaction(
    async (connection) => {
      const tables = await PostgresTables.list(connection)
      const counts: { [table: string]: number } = {}
      for (const { name } of tables) counts[name] = await count(connection, name)
      const header = Snapshot.header(
        await PostgresMeta.ruleSet(connection),
        counts,
        await PostgresMeta.secretKey(connection)
      )
      return Effect.runPromise(Effect.either(Snapshot.write(file, header, lines(connection, tables))))
    },
    { mode: "isolation level repeatable read read only" }
  )

/** Converts a line to a row of its table; throws when it is not one. */
const reader = (table: string): ((line: Snapshot.Line) => JsonObject) => {
  const resource = Catalogue.find(table)
  if (resource === undefined) return ({ row }) => row
  const read = Snapshot.rowOf(resource)
  const owners = SqlTable.ownerColumns(resource)
  const moments = Column.fromResource(resource).filter(({ type }) => type === "timestamp")
  return ({ company = null, revision = 1, row, user = null }) => {
    const whole = read(row)
    const owned = Object.fromEntries(owners.map((column, index) => [column, index === 0 ? company : user]))
    const instants = moments.map(({ name, type }) => [name, dialect.parameter(type, whole[name] ?? null)])
    return {
      ...whole,
      ...Object.fromEntries(instants),
      ...owned,
      [SqlTable.document]: whole,
      [SqlTable.revision]: revision
    }
  }
}

/** Inserts lines in their order, consecutive lines of a table in batches. */
const inserter = (connection: Connection, tables: ReadonlyArray<StoredTable>) => {
  const readers = new Map(tables.map(({ name }) => [name, reader(name)]))
  // The columns of a row as it was saved: its new number follows from the order of the lines.
  const saved = new Map(
    tables.map(({ columns, name }) => [name, list(columns.filter((column) => column !== SqlTable.sequence))])
  )
  let current = ""
  let waiting: Array<JsonObject> = []
  const flush = async () => {
    if (waiting.length === 0) return
    const table = quote(current)
    const columns = saved.get(current) ?? ""
    const rows = `json_populate_recordset(NULL::${table}, $1::text::json) WITH ORDINALITY`
    const text = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${rows} ORDER BY "ordinality"`
    await connection.execute({ text, parameters: [JSON.stringify(waiting)] })
    waiting = []
  }
  return {
    flush,
    line: async (line: Snapshot.Line) => {
      const read = readers.get(line.table)
      if (read === undefined) throw new Error(`there is no table ${line.table}`)
      if (line.table !== current || waiting.length === page) await flush()
      current = line.table
      waiting.push(read(line))
    }
  }
}

/** Sets the identity columns to continue after the restored numbers. */
const recount = async (connection: Connection): Promise<void> => {
  const counted = await connection.execute({
    text: `SELECT c.relname, a.attname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attidentity <> ''`,
    parameters: []
  })
  for (const [table, column] of counted) {
    const [name, number] = [quote(String(table)), quote(String(column))]
    await connection.execute({
      text: `SELECT setval(pg_get_serial_sequence($1::text, $2::text), coalesce(max(${number}), 0) + 1, false) FROM ${name}`,
      parameters: [name, String(column)]
    })
  }
}

/** Replaces all data by a snapshot. */
export const restore = (
  driver: PostgresDriver,
  file: string
): Promise<Either.Either<void, Snapshot.SnapshotUnreadable | RulesViolated>> =>
  driver.transaction<void, Snapshot.SnapshotUnreadable | RulesViolated>(async (connection) => {
    const tables = await PostgresTables.list(connection)
    await connection.script(`TRUNCATE ${list(tables.map(({ name }) => name))}`)
    const cleared = await PostgresRuleSet.apply(connection, "contract")
    if (Either.isLeft(cleared)) return cleared
    // A row may precede the row that it refers to.
    await connection.script("SET CONSTRAINTS ALL DEFERRED")
    const { flush, line } = inserter(connection, tables)
    const given = await PostgresMeta.secretKey(connection)
    let header: Snapshot.Header = Snapshot.header("contract", {})
    const read = await Effect.runPromise(
      Effect.either(Snapshot.read(file, { header: (first) => void (header = first), line }))
    )
    if (Either.isLeft(read)) return read
    const problem = Snapshot.keyProblem(header.secretKey, given)
    if (problem !== undefined) return Either.left(new Snapshot.SnapshotUnreadable({ file, cause: problem }))
    if (header.secretKey === undefined) await PostgresMeta.dropSecretKey(connection)
    try {
      await flush()
      await connection.script("SET CONSTRAINTS ALL IMMEDIATE")
    } catch (cause) {
      return Either.left(new Snapshot.SnapshotUnreadable({ file, cause }))
    }
    await recount(connection)
    return PostgresRuleSet.apply(connection, header.ruleSet)
  })
