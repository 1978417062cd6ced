/**
 * A resource as a table: how it is declared, and the one way to name its rows, which never forgets whose they are.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Dialect } from "./Dialect.ts"
import type { OwnedTable, Owner } from "./Owner.ts"
import * as Statement from "./Statement.ts"

const { identifier, join, sql, text } = Statement

/** The hidden columns; no column of the contract begins like them. */
const tenant = "_tenant"
const user = "_user"
export const document = "_doc"
export const revision = "_revision"

/** The hidden columns that say whose a row is, and an owner's values of them. */
const ownership = ({ rules }: Resource.Any): ReadonlyArray<readonly [column: string, of: (owner: Owner) => string]> =>
  rules.owner === "user"
    ? [
        [tenant, ({ companyId }) => companyId],
        [user, ({ userId }) => userId]
      ]
    : [[tenant, ({ companyId }) => companyId]]

/** The names of those columns. */
export const ownerColumns = (resource: Resource.Any): ReadonlyArray<string> => ownership(resource).map(([name]) => name)

/** An owner's values in them. */
export const ownerValues = ({ owner, resource }: OwnedTable): ReadonlyArray<string> =>
  ownership(resource).map(([, of]) => of(owner))

const list = (names: ReadonlyArray<string>): Statement.Fragment => join(names.map(identifier), ", ")

/** What a resource's rows are called in a statement about them alone. */
export const name = ({ resource }: Resource.Any): Statement.Fragment => identifier(resource)

/** A column of a row that a statement calls `row`. */
export const column = (row: Statement.Fragment, name: string): Statement.Fragment => sql`${row}.${identifier(name)}`

/** Whether a row that stands in the table itself is the owner's. */
export const isOwned = (owned: OwnedTable): Statement.Fragment =>
  join(
    ownership(owned.resource).map(([name, of]) => sql`${identifier(name)} = ${of(owned.owner)}`),
    " AND "
  )

/** The owner's rows, as an item of `FROM`. Every `FROM` is made of it. */
export const from = (owned: OwnedTable, row = name(owned.resource)): Statement.Fragment =>
  sql`(SELECT * FROM ${name(owned.resource)} WHERE ${isOwned(owned)}) AS ${row}`

/** A column that has one of its own in the table, and its type there. */
interface Stored {
  readonly column: Column.Column
  readonly type: string
}

/** The columns that the table has beside the document. */
export const stored = (dialect: Dialect, resource: Resource.Any): ReadonlyArray<Stored> =>
  Column.fromResource(resource).flatMap((column) => {
    const type = dialect.columnType(column.type)
    return type === undefined ? [] : [{ column, type }]
  })

const declare = (name: string, type: string, isNullable = false): Statement.Fragment =>
  sql`${identifier(name)} ${text(type)}${text(isNullable ? "" : " NOT NULL")}`

/** Embeds find rows by both ends of a reference among the served resources; every other index costs each create. */
const isIndexed = (resource: Resource.Any, name: string): boolean =>
  resource.rules.indexed.includes(name) ||
  (name !== resource.key &&
    Catalogue.references.some(
      ({ child, column, field, parent }) =>
        (child === resource && column === name) || (parent === resource && field === name)
    ))

/** The columns by which an owner's rows are told apart, as a unique index has them: a key is short enough as it is. */
export const uniqueness = (
  dialect: Dialect,
  resource: Resource.Any,
  columns: ReadonlyArray<string>
): Statement.Fragment =>
  join(
    [
      ...ownerColumns(resource).map(identifier),
      ...columns.map((name) =>
        name !== resource.key && Column.byName(resource).get(name)?.type === "text"
          ? dialect.indexed(identifier(name))
          : identifier(name)
      )
    ],
    ", "
  )

/** The statements that make a resource's table and its indexes. */
export const create = (dialect: Dialect, resource: Resource.Any): ReadonlyArray<string> => {
  const owners = ownerColumns(resource)
  const table = sql`CREATE TABLE ${name(resource)} (${join(
    [
      ...owners.map((name) => declare(name, dialect.columnType("text") ?? "TEXT")),
      ...stored(dialect, resource).map(({ column, type }) => declare(column.name, type, column.nullable)),
      declare(document, dialect.documentType),
      declare(revision, dialect.revisionType),
      sql`PRIMARY KEY (${list([...owners, resource.key])})`
    ],
    ", "
  )})${text(dialect.tableOptions)}`
  const indexes = Column.fromResource(resource)
    .filter(({ name }) => isIndexed(resource, name))
    .map((column) => {
      const index = identifier(`${resource.resource}_${column.name}`)
      const by = dialect.index(owners.map(identifier), identifier(column.name), identifier(resource.key))
      return sql`CREATE INDEX ${index} ON ${name(resource)} ${by}`
    })
  return [table, ...indexes].map((fragment) => Statement.render(fragment, dialect).text)
}
