/**
 * Saves and restores the portable snapshot on PostgreSQL: a save reads one consistent state, and a restore replaces all
 * rows in one transaction.
 */
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
import * as PostgresRecorder from "./PostgresRecorder.ts"
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

async function* lines(connection: Connection, tables: ReadonlyArray<StoredTable>): AsyncGenerator<string> {
  for (const { columns, name: table } of tables) {
    const kind = Snapshot.rowTable(table)
    const order = kind === undefined ? "" : ` ORDER BY ${quote(SqlTable.sequence)}`
    const query = `SELECT ${list(kind?.hidden ?? columns)} FROM ${quote(table)}${order}`
    for await (const values of rows(connection, query)) {
      if (kind === undefined) {
        const row = Object.fromEntries(columns.map((column, index) => [column, values[index]]))
        yield JSON.stringify({ table, row })
      } else yield Snapshot.toLine(table, kind, values)
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
  const kind = Snapshot.rowTable(table)
  if (kind === undefined) return ({ row }) => row
  const read = Snapshot.decoderOf(kind)
  const moments = Column.fromResource(kind.resource).filter(({ type }) => type === "timestamp")
  return (line) => {
    const { columns, document } = read(line)
    const instants = moments.map(({ name, type }) => [name, dialect.parameter(type, columns[name] ?? null)])
    return {
      ...columns,
      ...Object.fromEntries(instants),
      ...Snapshot.hiddenOf(kind, line),
      [SqlTable.document]: document
    }
  }
}

/** Inserts lines in their order, consecutive lines of a table in batches. */
const inserter = (connection: Connection, tables: ReadonlyArray<StoredTable>) => {
  const readers = new Map(tables.map(({ name }) => [name, reader(name)]))
  const saved = new Map(tables.map(({ columns, name }) => [name, columns]))
  let current = ""
  let waiting: Array<JsonObject> = []
  const flush = async () => {
    if (waiting.length === 0) return
    const table = quote(current)
    // A snapshot of an earlier version has no numbers: they follow from the order of the lines.
    const isNumbered = waiting.every((row) => row[SqlTable.sequence] !== null)
    const named = saved.get(current) ?? []
    const columns = list(isNumbered ? named : named.filter((column) => column !== SqlTable.sequence))
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

const isOwner = async (connection: Connection): Promise<boolean> => {
  const [row] = await connection.execute({
    text: `SELECT pg_has_role(relowner, 'USAGE')::integer FROM pg_class WHERE oid = to_regclass('"_meta"')`,
    parameters: []
  })
  return row?.[0] === 1
}

/**
 * Replaces all data by a snapshot. `recordedFrom` is the time in microseconds from which on the history of the rows is
 * kept, if the snapshot has none.
 */
export const restore = (
  driver: PostgresDriver,
  file: string,
  recordedFrom?: number
): Promise<Either.Either<void, Snapshot.SnapshotUnreadable | RulesViolated>> =>
  driver.transaction<void, Snapshot.SnapshotUnreadable | RulesViolated>(async (connection) => {
    if (!(await isOwner(connection))) {
      const cause = new Error("only the owner of the tables can replace their rows: restore it with its role")
      return Either.left(new Snapshot.SnapshotUnreadable({ file, cause }))
    }
    await connection.script(PostgresRecorder.pause)
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
    if (recordedFrom !== undefined) await PostgresRecorder.span(connection, recordedFrom)
    return PostgresRuleSet.apply(connection, header.ruleSet)
  })
