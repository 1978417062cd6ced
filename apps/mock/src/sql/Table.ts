/**
 * Declares the table of a resource, and selects its rows: always those of one owner.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Dialect } from "./Dialect.ts"
import type { OwnedTable, Owner } from "./Owner.ts"
import * as PastRow from "./PastRow.ts"
import * as Statement from "./Statement.ts"

const { identifier, join, sql, text } = Statement

/** The hidden columns. No column of the contract begins with an underscore. */
export const tenant = "_tenant"
const user = "_user"
export const document = "_doc"
export const revision = "_revision"
/** Numbers the rows of a table in the order of their creation. A change keeps the number of its row. */
export const sequence = "_sequence"

type Ownership = ReadonlyArray<readonly [column: string, of: (owner: Owner) => string]>

const ofCompany: Ownership = [[tenant, ({ companyId }) => companyId]]
const ofUser: Ownership = [...ofCompany, [user, ({ userId }) => userId]]

/** The hidden columns of a row's owner, with the values of an owner. */
const ownership = ({ rules }: Resource.Any): Ownership => (rules.owner === "user" ? ofUser : ofCompany)

/** The names of the owner columns. */
export const ownerColumns = (resource: Resource.Any): ReadonlyArray<string> => ownership(resource).map(([name]) => name)

/** The values of the owner columns. */
export const ownerValues = ({ owner, resource }: OwnedTable): ReadonlyArray<string> =>
  ownership(resource).map(([, of]) => of(owner))

const list = (names: ReadonlyArray<string>): Statement.Fragment => join(names.map(identifier), ", ")

/** The name of a resource's table. */
export const name = ({ resource }: Resource.Any): Statement.Fragment => identifier(resource)

/** A column of the row that the statement names `row`. */
export const column = Statement.member

/** The condition that a row of the table belongs to the owner. */
export const isOwned = (owned: OwnedTable): Statement.Fragment =>
  join(
    ownership(owned.resource).map(([name, of]) => sql`${identifier(name)} = ${of(owned.owner)}`),
    " AND "
  )

/** The query of an owner's rows. Its text is memoized, because every statement has it: only the owner is new. */
const present = Memo.make(
  (resource: Resource.Any): Statement.Fragment =>
    sql`SELECT * FROM ${name(resource)} WHERE ${isOwned({ resource, owner: { companyId: "", userId: "" } })}`
)

/** Queries that together select the owner's rows. */
export const parts = (owned: OwnedTable): ReadonlyArray<Statement.Fragment> => {
  const { owner, resource } = owned
  if (owner.asOf === undefined) return [{ ...present(resource), parameters: ownerValues(owned) }]
  const owners = ownership(resource).map(([column, of]) => [column, of(owner)] as const)
  return PastRow.parts(resource, { owners, document, revision, sequence }, owner.asOf)
}

/** The owner's rows, as an item of `FROM`. Every `FROM` is built by this function. */
export const from = (owned: OwnedTable, row = name(owned.resource)): Statement.Fragment =>
  sql`(${join(parts(owned), " UNION ALL ")}) AS ${row}`

/** A column of the resource that is also a column of the table, with its SQL type. */
interface Stored {
  readonly column: Column.Column
  readonly type: string
}

/** The SQL type of a column; `undefined` when only the document contains its values. */
export const typeOf = (dialect: Dialect, { isOpaque, type }: Column.Column): string | undefined =>
  isOpaque ? undefined : dialect.columnType(type)

/** The columns that the table has besides the document. */
export const stored = (dialect: Dialect, resource: Resource.Any): ReadonlyArray<Stored> =>
  Column.fromResource(resource).flatMap((column) => {
    const type = typeOf(dialect, column)
    return type === undefined ? [] : [{ column, type }]
  })

const declare = (name: string, type: string, isNullable = false): Statement.Fragment =>
  sql`${identifier(name)} ${text(type)}${text(isNullable ? "" : " NOT NULL")}`

/**
 * Reports whether a column has an index: embeds find rows by both ends of a reference between resources. Any other index
 * would slow each insert.
 */
export const isIndexed = (resource: Resource.Any, name: string): boolean =>
  resource.rules.indexed.includes(name) ||
  (name !== resource.key &&
    Catalogue.references.some(
      ({ child, column, field, parent }) =>
        (child === resource && column === name) || (parent === resource && field === name)
    ))

/** The columns of a unique index, after those of the owner. A key is short enough to be indexed itself. */
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

/** The statements that create a resource's table and its indexes. */
export const create = (dialect: Dialect, resource: Resource.Any): ReadonlyArray<string> => {
  const owners = ownerColumns(resource)
  const table = sql`CREATE TABLE ${name(resource)} (${join(
    [
      sql`${identifier(sequence)} ${text(dialect.sequenceType)}`,
      ...owners.map((name) => declare(name, dialect.columnType("text") ?? "TEXT")),
      ...stored(dialect, resource).map(({ column, type }) => declare(column.name, type, column.nullable)),
      declare(document, dialect.documentType),
      declare(revision, dialect.revisionType),
      sql`${text(dialect.keyConstraint)} (${list([...owners, resource.key])})`
    ],
    ", "
  )})${text(dialect.tableOptions)}`
  const index = (suffix: string, by: Statement.Fragment): Statement.Fragment =>
    sql`CREATE INDEX ${identifier(`${resource.resource}_${suffix}`)} ON ${name(resource)} ${by}`
  const size = dialect.sizeIndex === undefined ? [] : [index("size", dialect.sizeIndex(identifier(document)))]
  const indexes = Column.fromResource(resource)
    .filter(({ name }) => isIndexed(resource, name))
    .map((column) => index(column.name, dialect.index(owners.map(identifier), identifier(column.name))))
  const order = index("sequence", dialect.sequenceIndex(owners.map(identifier), identifier(sequence)))
  return [table, order, ...size, ...indexes].map((fragment) => Statement.render(fragment, dialect).text)
}

/** The statement that creates the table of a resource's overwritten and deleted rows. */
export const createPast = (dialect: Dialect, resource: Resource.Any): string =>
  Statement.render(
    PastRow.create(resource, { owners: ownerColumns(resource), document, revision, sequence }, dialect),
    dialect
  ).text
