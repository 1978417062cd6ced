/**
 * Builds the steps that change rows back: the undo of one change, and the rewind of all rows to a time.
 */
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Step } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import type { OwnedTable } from "../sql/Owner.ts"
import * as PastRow from "../sql/PastRow.ts"
import * as SelectStatement from "../sql/read/SelectStatement.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { empty, type Fragment, identifier, join, literal, render, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import * as Deliveries from "../sql/write/Deliveries.ts"
import * as Guard from "../sql/write/Guard.ts"
import * as Mutation from "../sql/write/Mutation.ts"
import * as Outbox from "../sql/write/Outbox.ts"

const past = identifier("past")

/** The columns of a table besides the hidden ones, in the order of both tables. */
const columnsOf = (dialect: Dialect, resource: Resource.Any): ReadonlyArray<string> =>
  Table.stored(dialect, resource).map(({ column }) => column.name)

/** Inserts past rows again, each under its number in the order of creation, if no other row has it. */
const insertion = (dialect: Dialect, resource: Resource.Any, revision: number, source: Fragment): Fragment => {
  const names = [...Table.ownerColumns(resource), ...columnsOf(dialect, resource), Table.document]
  const number = Table.column(past, Table.sequence)
  const isTaken = sql`EXISTS (SELECT 1 FROM ${Table.name(resource)} AS "taken" WHERE "taken".${identifier(Table.sequence)} = ${number})`
  // On PostgreSQL no number is given twice.
  const free = dialect.name === "sqlite" ? sql`CASE WHEN ${isTaken} THEN NULL ELSE ${number} END` : number
  const into = [Table.sequence, Table.revision, ...names].map(identifier)
  const values = [free, ServiceColumn.long(revision), ...names.map((name) => Table.column(past, name))]
  return sql`INSERT INTO ${Table.name(resource)} (${join(into, ", ")}) SELECT ${join(values, ", ")} ${source}`
}

/** A deletion or an update is undone only at the revision that the row was found with. */
interface Found {
  readonly owned: OwnedTable
  readonly key: string
  readonly revision: number
  readonly source: Outbox.Source | undefined
}

const byKey = ({ key, owned }: Pick<Found, "key" | "owned">) =>
  [{ _tag: "Compare", operator: "eq", target: SelectStatement.keyOf(owned), value: key }] as const

const whole = { order: [], selection: { _tag: "Document" } } as const

const isStill = (dialect: Dialect, { key, owned, revision }: Found): Step =>
  Guard.state(dialect, owned, key, { noneOf: [revision] })

/** Deletes a row, which a change has created. */
export const remove = (dialect: Dialect, found: Found, rules: RuleSet): ReadonlyArray<Step> => {
  const { owned, source } = found
  return [
    isStill(dialect, found),
    ...Mutation.remove(dialect, { owned, where: byKey(found), ...whole, rules, source }).steps
  ]
}

/** Sets columns of a row, which a change has set to other values. */
export const update = (dialect: Dialect, found: Found, set: JsonObject): ReadonlyArray<Step> => {
  const { owned, source } = found
  return [
    isStill(dialect, found),
    ...Mutation.update(dialect, { owned, where: byKey(found), ...whole, set, source }).steps
  ]
}

/** Creates a row again, which a change has deleted. */
export const create = (
  dialect: Dialect,
  { owned, revision, source }: Omit<Found, "key">,
  row: JsonObject,
  change: number
): ReadonlyArray<Step> => {
  const from = sql`FROM ${identifier(PastRow.tableName(owned.resource))} AS ${past}
    WHERE ${Table.column(past, PastRow.change)} = ${ServiceColumn.long(change)}`
  return [
    ...(source === undefined
      ? []
      : Outbox.unlessUnlikely(dialect, owned, source, Deliveries.single, (source) => [
          Outbox.inserted(dialect, owned, source, row)
        ])),
    ...Outbox.changing(dialect, owned),
    { _tag: "Run", statement: render(insertion(dialect, owned.resource, revision, from), dialect), returns: 0 }
  ]
}

/** A resource of which a sensitive value is required: a deleted row cannot be created again without it. */
const needsSecret = (resource: Resource.Any): boolean =>
  Column.fromResource(resource).some(({ nullable, sensitive }) => sensitive && !nullable)

const later = identifier("later")

/** The first change of a row after a time, of any company. */
const first = (resource: Resource.Any, row: Fragment, key: string, micros: Fragment, select: Fragment): Fragment => {
  const [tenant = "", user] = Table.ownerColumns(resource)
  const isOwn = user === undefined ? empty : sql` AND ${later}."ownerId" = ${Table.column(row, user)}`
  return sql`(SELECT ${select} FROM "_history" AS ${later} WHERE ${later}."companyId" = ${Table.column(row, tenant)}
    AND ${later}."resource" = ${literal(resource.resource)} AND ${later}."key" = ${Table.column(row, key)}${isOwn}
    AND ${later}."at" > ${micros} ORDER BY ${later}."at", ${later}."sequence" LIMIT 1)`
}

const removeLater = (resource: Resource.Any, micros: Fragment): Fragment => {
  const row = Table.name(resource)
  return sql`DELETE FROM ${row} WHERE ${first(resource, row, resource.key, micros, sql`${later}."kind"`)} = 'INSERT'`
}

const revert = (dialect: Dialect, resource: Resource.Any, micros: Fragment): Fragment => {
  const row = Table.name(resource)
  const sensitive = Column.fromResource(resource).filter((column) => column.sensitive)
  const pastDocument = Table.column(past, Table.document)
  // Secrets are not kept, so they stay as they are.
  const document =
    sensitive.length === 0
      ? pastDocument
      : dialect.replace(
          pastDocument,
          sensitive.map((column) => ({ name: column.name, json: dialect.json(row, { column, json: [] }) }))
        )
  const set = columnsOf(dialect, resource)
    .filter((name) => sensitive.every((column) => column.name !== name))
    .map((name) => sql`${identifier(name)} = ${Table.column(past, name)}`)
  return sql`UPDATE ${row} SET ${join(set, ", ")}, ${identifier(Table.document)} = ${document},
    ${identifier(Table.revision)} = ${Table.column(row, Table.revision)} + 1
    FROM ${identifier(PastRow.tableName(resource))} AS ${past}
    WHERE ${Table.column(past, PastRow.change)} = ${first(resource, row, resource.key, micros, sql`${later}."sequence"`)}`
}

const createAgain = (dialect: Dialect, resource: Resource.Any, micros: Fragment, revision: number): Fragment => {
  const [gone, row] = [identifier("gone"), identifier("now")]
  const owners = Table.ownerColumns(resource)
  const fields = ["companyId", "ownerId"].slice(0, owners.length)
  const keys = [...fields, "key"]
  const deletions = sql`SELECT DISTINCT ${join(keys.map(identifier), ", ")} FROM "_history"
    WHERE "resource" = ${literal(resource.resource)} AND "kind" = 'DELETE' AND "at" > ${micros}`
  const named = join(
    [
      ...owners.map((name, index) => sql`${identifier(fields[index] ?? "")} AS ${identifier(name)}`),
      sql`"key" AS ${identifier(resource.key)}`
    ],
    ", "
  )
  const isSame = join(
    [...owners, resource.key].map((name) => sql`${Table.column(row, name)} = ${Table.column(gone, name)}`),
    " AND "
  )
  return insertion(
    dialect,
    resource,
    revision,
    sql`FROM (SELECT ${named} FROM (${deletions}) AS "deleted") AS ${gone}
      JOIN ${identifier(PastRow.tableName(resource))} AS ${past}
        ON ${Table.column(past, PastRow.change)} = ${first(resource, gone, resource.key, micros, sql`${later}."sequence"`)}
      WHERE NOT EXISTS (SELECT 1 FROM ${Table.name(resource)} AS ${row} WHERE ${isSame})
      ORDER BY ${Table.column(past, Table.sequence)}`
  )
}

/** Changes the rows of resources, parents first, back to a time, and notifies the subscribers of the store. */
export const rewind = (
  dialect: Dialect,
  resources: ReadonlyArray<Resource.Any>,
  micros: number,
  revision: number
): ReadonlyArray<Step> => {
  const to = ServiceColumn.long(micros)
  const statements = [
    ...resources.toReversed().map((resource) => removeLater(resource, to)),
    ...resources.flatMap((resource) => [
      ...(needsSecret(resource) ? [] : [createAgain(dialect, resource, to, revision)]),
      revert(dialect, resource, to)
    ])
  ]
  return [
    ...statements.map((statement): Step => ({ _tag: "Run", statement: render(statement, dialect) })),
    { _tag: "Publish", statement: render(text("SELECT 1"), dialect), returns: 1 }
  ]
}
