/**
 * Selects rows as they were at a time: the rows without a later change, and the rows that the first later change of each
 * key overwrote or deleted, which the history keeps in a table besides that of the resource.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type { AsOf } from "./Owner.ts"
import * as ServiceColumn from "./ServiceColumn.ts"
import { empty, type Fragment, identifier, join, literal, sql, text } from "./Statement.ts"

/** The number of the change that overwrote or deleted a row. */
export const change = "_change"

/** The name of the table of a resource's overwritten and deleted rows. */
export const tableName = ({ resource }: Resource.Any): string => `_past_${resource}`

/** The hidden columns of the owner, the document, the revision and the number of a row. */
export interface HiddenColumns {
  readonly owners: ReadonlyArray<readonly [name: string, value: string]>
  readonly document: string
  readonly revision: string
  readonly sequence: string
}

/** The columns of a table that both dialects have: objects and arrays are in the document alone. */
const stored = (resource: Resource.Any): ReadonlyArray<Column.Column> =>
  Column.fromResource(resource).filter(({ type }) => type !== "object" && type !== "array")

const of = (row: Fragment, name: string): Fragment => sql`${row}.${identifier(name)}`

const later = identifier("later")
const now = identifier("now")
const past = identifier("past")
const gone = identifier("gone")

/** The condition of the changes of a key after a time. */
const isLater = (resource: Resource.Any, { owners }: HiddenColumns, key: Fragment, { micros }: AsOf): Fragment => {
  const [[, companyId] = ["", ""], user] = owners
  const ofUser = user === undefined ? empty : sql` AND ${later}."ownerId" = ${user[1]}`
  return sql`${later}."companyId" = ${companyId} AND ${later}."resource" = ${literal(resource.resource)}
    AND ${later}."key" = ${key} AND ${later}."at" > ${ServiceColumn.long(micros)}${ofUser}`
}

/** The number of the first change of a key after a time. */
const first = (resource: Resource.Any, hidden: HiddenColumns, key: Fragment, asOf: AsOf): Fragment =>
  sql`(SELECT ${later}."sequence" FROM "_history" AS ${later} WHERE ${isLater(resource, hidden, key, asOf)}
    ORDER BY ${later}."at", ${later}."sequence" LIMIT 1)`

/**
 * Tests whether a key has a change. PostgreSQL would read all changes into a hash for `EXISTS`, also for a page of a few
 * rows; a scalar query looks at one key by an index.
 */
const hasChange = (condition: Fragment): Fragment =>
  sql`(SELECT 1 FROM "_history" AS ${later} WHERE ${condition} LIMIT 1) IS NOT NULL`

/** The condition of the overwritten row of a key at a time. */
const isPast = (resource: Resource.Any, hidden: HiddenColumns, key: Fragment, asOf: AsOf): Fragment => {
  const [[name, companyId] = ["", ""]] = hidden.owners
  return sql`${of(past, change)} = ${first(resource, hidden, key, asOf)} AND ${of(past, name)} = ${companyId}`
}

/** The rows that are still there, as they were. A row that was deleted and created again is not among them. */
const kept = (resource: Resource.Any, hidden: HiddenColumns, asOf: AsOf): Fragment => {
  const table = identifier(resource.resource)
  const key = of(now, resource.key)
  const condition = isLater(resource, hidden, key, asOf)
  const isUntouched = sql`${of(past, change)} IS NULL`
  const either = (name: string): Fragment =>
    sql`CASE WHEN ${isUntouched} THEN ${of(now, name)} ELSE ${of(past, name)} END`
  const sensitive = Column.fromResource(resource).filter((column) => column.sensitive)
  // The value of a sensitive column is not kept: it is known where no later change has another.
  const isHidden = hasChange(sql`${condition} AND ${later}."hides" = 1`)
  const document =
    sensitive.length === 0
      ? either(hidden.document)
      : sql`CASE WHEN ${isUntouched} THEN ${of(now, hidden.document)} WHEN ${isHidden} THEN ${of(past, hidden.document)}
          ELSE ${asOf.dialect.replace(
            of(past, hidden.document),
            sensitive.map((column) => ({
              name: column.name,
              json: asOf.dialect.json(now, { column, json: [] })
            }))
          )} END`
  const columns = [
    ...hidden.owners.map(([name]) => of(now, name)),
    ...stored(resource).map(({ name, sensitive }) =>
      name === resource.key
        ? key
        : sql`${sensitive ? sql`CASE WHEN ${isHidden} THEN NULL ELSE ${of(now, name)} END` : either(name)} AS ${identifier(name)}`
    ),
    sql`${document} AS ${identifier(hidden.document)}`,
    sql`${either(hidden.revision)} AS ${identifier(hidden.revision)}`
  ]
  const isOwned = hidden.owners.map(([name, value]) => sql`${of(now, name)} = ${value}`)
  return sql`SELECT ${of(now, hidden.sequence)}, ${join(columns, ", ")} FROM ${table} AS ${now}
    LEFT JOIN ${identifier(tableName(resource))} AS ${past}
      ON ${isPast(resource, hidden, key, asOf)}
    WHERE ${join(isOwned, " AND ")} AND (${of(past, change)} IS NOT NULL OR NOT (${hasChange(condition)}))
      AND NOT (${hasChange(sql`${condition} AND ${later}."kind" = 'DELETE'`)})`
}

/** The rows of keys that were deleted later, as they were. */
const deleted = (resource: Resource.Any, hidden: HiddenColumns, asOf: AsOf): Fragment => {
  const key = of(gone, "key")
  const deletions = sql`SELECT DISTINCT ${later}."key" FROM "_history" AS ${later}
    WHERE ${isLater(resource, hidden, of(later, "key"), asOf)} AND ${later}."kind" = 'DELETE'`
  const names = [
    hidden.sequence,
    ...hidden.owners.map(([name]) => name),
    ...stored(resource).map(({ name }) => name),
    hidden.document,
    hidden.revision
  ]
  const columns = names.map((name) => (name === resource.key ? sql`${key} AS ${identifier(name)}` : of(past, name)))
  return sql`SELECT ${join(columns, ", ")} FROM (${deletions}) AS ${gone}
    JOIN ${identifier(tableName(resource))} AS ${past} ON ${isPast(resource, hidden, key, asOf)}`
}

/** Queries that together select the rows of an owner as they were, none of them twice. */
export const parts = (resource: Resource.Any, hidden: HiddenColumns, asOf: AsOf): ReadonlyArray<Fragment> => [
  kept(resource, hidden, asOf),
  deleted(resource, hidden, asOf)
]

/** Tests whether a sensitive value of an owner's rows, as it was, is not known. */
export const isHidden = (companyId: string, resource: Resource.Any, { micros }: AsOf): Fragment =>
  sql`SELECT 1 FROM "_history" AS ${later} WHERE ${later}."companyId" = ${companyId}
    AND ${later}."resource" = ${literal(resource.resource)} AND ${later}."at" > ${ServiceColumn.long(micros)}
    AND ${later}."hides" = 1 LIMIT 1`

/** The columns of the table of overwritten and deleted rows, with their types. */
export const create = (
  resource: Resource.Any,
  hidden: Omit<HiddenColumns, "owners"> & { readonly owners: ReadonlyArray<string> },
  {
    columnType,
    documentType,
    keyConstraint,
    revisionType,
    tableOptions
  }: Pick<AsOf["dialect"], "columnType" | "documentType" | "keyConstraint" | "revisionType" | "tableOptions">
): Fragment => {
  const declare = (name: string, type: string, rest = "") => sql`${identifier(name)} ${text(`${type}${rest}`)}`
  // Where a key may have several columns it names the owner, so that rows can be distributed by company.
  const isWide = keyConstraint === "PRIMARY KEY"
  const [tenant = ""] = hidden.owners
  const columns = [
    declare(change, revisionType, isWide ? "" : " PRIMARY KEY"),
    declare(hidden.sequence, revisionType, " NOT NULL"),
    ...hidden.owners.map((name) => declare(name, columnType("text") ?? "TEXT", " NOT NULL")),
    ...stored(resource).map(({ name, type }) => declare(name, columnType(type) ?? "TEXT")),
    declare(hidden.document, documentType, " NOT NULL"),
    declare(hidden.revision, revisionType, " NOT NULL"),
    ...(isWide ? [sql`PRIMARY KEY (${identifier(change)}, ${identifier(tenant)})`] : [])
  ]
  return sql`CREATE TABLE ${identifier(tableName(resource))} (${join(columns, ", ")})${text(tableOptions)}`
}
