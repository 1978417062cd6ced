/**
 * Checks a store on PostgreSQL as far as a client can, and repairs it: indexes and constraints, the agreement of columns
 * and documents, and references to missing rows.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import { dialect } from "../../sql/postgres/PostgresDialect.ts"
import { join, render, sql, identifier, type Value } from "../../sql/Statement.ts"
import * as Table from "../../sql/Table.ts"
import type { Finding } from "../check/Finding.ts"
import * as LostRows from "../check/LostRows.ts"
import { type Options, RepairImpossible, type Report, stamp } from "../check/Report.ts"
import * as RowCheck from "../check/RowCheck.ts"
import * as Migration from "../migrations/Migration.ts"
import { NotAStore, StoreInUse, type StoreTooNew, type StoreTooOld, versionError } from "../OpenError.ts"
import { quote } from "../RuleSet.ts"
import { PostgresError } from "./connection/PostgresError.ts"
import * as PostgresServing from "./connection/PostgresServing.ts"
import type { Connection, PostgresDriver } from "./PostgresDriver.ts"
import * as PostgresMeta from "./PostgresMeta.ts"
import * as PostgresSnapshot from "./PostgresSnapshot.ts"

export type CheckError = NotAStore | StoreTooNew | StoreTooOld | StoreInUse | RepairImpossible

/** A defect, with the statement that repairs it; undefined if a client cannot. */
interface Defect {
  readonly finding: Finding
  readonly repair?: (connection: Connection, lost: LostRows.LostRows) => Promise<unknown>
}

/** The SQL of a column's value in the form in which it is compared. */
const comparable = ({ name, type }: Column.Column): string => {
  const column = quote(name)
  switch (type) {
    case "timestamp":
      return `(extract(epoch FROM ${column}) * 1000000)::bigint::text`
    case "boolean":
      return `${column}::integer`
    case "date":
      return `${column}::text`
    default:
      return column
  }
}

/** The number of rows that are read together. */
const page = 500

const schemaDefects = async (connection: Connection): Promise<ReadonlyArray<Defect>> => {
  const found = await connection.execute({
    text: `SELECT 'constraint', conrelid::regclass::text, conname FROM pg_constraint
      WHERE connamespace = current_schema()::regnamespace AND NOT convalidated
      UNION ALL SELECT 'index', i.indrelid::regclass::text, c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid`,
    parameters: []
  })
  return found.map(([kind, table, name]): Defect =>
    kind === "index"
      ? {
          finding: { _tag: "Index", text: `the index ${name} of ${table} is not valid` },
          repair: (connection) => connection.script(`REINDEX INDEX ${quote(String(name))}`)
        }
      : {
          finding: { _tag: "Structure", text: `the constraint ${name} of ${table} was never checked` },
          repair: (connection) => connection.script(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${quote(String(name))}`)
        }
  )
}

/** Moves a row to the file of lost rows. */
const aside =
  (table: string, row: number, reason: string, number = Table.sequence) =>
  async (connection: Connection, lost: LostRows.LostRows) => {
    const where = `WHERE ${quote(number)} = $1::bigint`
    const [found] = await connection.execute({
      text: `SELECT row_to_json(t)::text FROM ${quote(table)} AS t ${where}`,
      parameters: [String(row)]
    })
    lost.add({ table, row, reason, columns: JSON.parse(String(found?.[0] ?? "null")) ?? undefined })
    await connection.execute({ text: `DELETE FROM ${quote(table)} ${where}`, parameters: [String(row)] })
  }

/** Sets the columns of a row to the values of its document. */
const rebuild = (
  resource: Resource.Any,
  number: number,
  { different, row }: Extract<RowCheck.Outcome, { readonly _tag: "Row" }>
): NonNullable<Defect["repair"]> => {
  const assignments = RowCheck.columnsOf(dialect, resource)
    .filter(({ name }) => different.includes(name))
    .map(
      ({ name, type }) =>
        sql`${identifier(name)} = ${dialect.typed(type, sql`${dialect.parameter(type, row[name] ?? null)}`)}`
    )
  const update = sql`UPDATE ${Table.name(resource)} SET ${join(assignments, ", ")}
    WHERE ${identifier(Table.sequence)} = ${String(number)}::bigint`
  return (connection) => connection.execute(render(update, dialect))
}

/** Judges a row by its document and the values of its columns. */
const judge = (resource: Resource.Any, outcome: RowCheck.Outcome, row: number): Defect | undefined => {
  const table = resource.resource
  const place = { row }
  if (outcome._tag === "NoRow") {
    const text = outcome.reason
    return {
      finding: { _tag: "Document", table, place, text },
      repair: aside(table, row, `the document is not a row of the resource: ${text}`)
    }
  }
  const { different } = outcome
  return different.length === 0
    ? undefined
    : { finding: { _tag: "Columns", table, place, columns: different }, repair: rebuild(resource, row, outcome) }
}

/** Checks the rows of a resource. After a page that cannot be read it cannot go on: the server has ended the transaction. */
const rowDefects = async (connection: Connection, resource: Resource.Any): Promise<ReadonlyArray<Defect>> => {
  const check = RowCheck.make(dialect, resource)
  const values = RowCheck.columnsOf(dialect, resource).map(comparable)
  const sequence = quote(Table.sequence)
  const text = `SELECT ${[sequence, `${quote(Table.document)}::text`, ...values].join(", ")} FROM ${quote(resource.resource)}
    WHERE ${sequence} > $1::bigint ORDER BY ${sequence} LIMIT ${page}`
  const defects: Array<Defect> = []
  let last = 0
  for (;;) {
    const rows: ReadonlyArray<ReadonlyArray<Value>> = await connection.execute({ text, parameters: [String(last)] })
    for (const [number, document, ...found] of rows) {
      last = Number(number)
      const defect = judge(resource, check(String(document), found), last)
      if (defect !== undefined) defects.push(defect)
    }
    if (rows.length < page) return defects
  }
}

/** The references of the event tables, which deliveries need. */
const references = [
  { child: "_delivery", column: "sequence", parent: "_outbox", key: "sequence" },
  { child: "_deliveryAttempt", column: "deliveryId", parent: "_delivery", key: "id" }
] as const

const orphans = async (connection: Connection): Promise<ReadonlyArray<Defect>> => {
  const defects: Array<Defect> = []
  for (const { child, column, key, parent } of references) {
    const rows = await connection.execute({
      text: `SELECT "id" FROM ${quote(child)} AS c WHERE NOT EXISTS
        (SELECT 1 FROM ${quote(parent)} AS p WHERE p.${quote(key)} = c.${quote(column)}) ORDER BY "id"`,
      parameters: []
    })
    for (const [id] of rows) {
      const row = Number(id)
      defects.push({
        finding: { _tag: "Orphan", table: child, place: { row }, parent },
        repair: aside(child, row, `the row refers to a missing row of ${parent}`, "id")
      })
    }
  }
  return defects
}

/** Runs a part of the check in a transaction, and reports what the server cannot read. */
const part = async (
  driver: PostgresDriver,
  table: string,
  body: (connection: Connection) => Promise<ReadonlyArray<Defect>>
): Promise<ReadonlyArray<Defect>> => {
  try {
    return Either.merge(
      await driver.transaction<ReadonlyArray<Defect>, never>(
        async (connection) => Either.right(await body(connection)),
        {
          mode: "isolation level repeatable read read only"
        }
      )
    )
  } catch (error) {
    if (!(error instanceof PostgresError) || !(error.isDamaged || error.code.startsWith("58"))) throw error
    return [
      {
        finding: { _tag: "Unreadable", table, place: { after: 0, before: undefined }, text: error.message }
      }
    ]
  }
}

const defectsOf = async (driver: PostgresDriver): Promise<ReadonlyArray<Defect>> => {
  const defects = [...(await part(driver, "pg_index", schemaDefects))]
  for (const { resource } of Catalogue.resources) {
    const found = Catalogue.find(resource)
    if (found !== undefined)
      defects.push(...(await part(driver, resource, (connection) => rowDefects(connection, found))))
  }
  return [...defects, ...(await part(driver, "_delivery", orphans))]
}

/** The error of a database that is not a store of this version. */
const versionProblem = async (driver: PostgresDriver, store: string) => {
  const [row] = await driver.readOnce({ text: `SELECT to_regclass('"_meta"')::text`, parameters: [] })
  if (row?.[0] === null) return new NotAStore({ store })
  const found = await PostgresMeta.schema({ execute: driver.readOnce })
  return versionError({ store, found, known: Migration.latest })
}

/** Reports whether no instance uses the store, and keeps instances from it until the transaction ends. */
const isFree = async (connection: Connection): Promise<boolean> => {
  const [row] = await connection.execute({ text: PostgresServing.take, parameters: [] })
  return row?.[0] === 1
}

/** Checks a store, and repairs it if that is wanted and needed. Files of a repair go to the folder. */
export const run = async (
  driver: PostgresDriver,
  store: string,
  folder: string,
  { hasBackup, isRepair }: Options
): Promise<Either.Either<Report, CheckError>> => {
  const problem = await versionProblem(driver, store)
  if (problem !== undefined) return Either.left(problem)
  const free = driver.transaction<boolean, never>(async (connection) => Either.right(await isFree(connection)))
  if (isRepair && !Either.merge(await free)) return Either.left(new StoreInUse({ store }))
  const defects = await defectsOf(driver)
  const findings = defects.map(({ finding }) => finding)
  if (!isRepair || defects.length === 0) return Either.right({ findings, repair: undefined })
  const beyond = defects.find(({ repair }) => repair === undefined)
  if (beyond?.finding._tag === "Unreadable") {
    return Either.left(new RepairImpossible({ store, reason: beyond.finding.text }))
  }
  const name = `${folder}/mfg-mock-${stamp(Date.now())}`
  const backup = hasBackup ? `${name}.backup.ndjson.gz` : undefined
  if (backup !== undefined) {
    const saved = await PostgresSnapshot.save(driver, backup)
    if (Either.isLeft(saved)) return Either.left(new RepairImpossible({ store, reason: saved.left.message }))
  }
  const lost = LostRows.make(`${name}.lost.ndjson`)
  const repaired = await driver.transaction<void, StoreInUse>(async (connection) => {
    if (!(await isFree(connection))) return Either.left(new StoreInUse({ store }))
    for (const { repair } of defects) await repair?.(connection, lost)
    return Either.void
  })
  const place = lost.close()
  return Either.map(repaired, () => ({
    findings,
    repair: { backup, lost: place, lostRows: lost.count(), hasLostRules: false }
  }))
}
