/**
 * Builds the update of stored rows: their columns, their document and their revision, which always change together.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Dialect, Member } from "../Dialect.ts"
import { type Fragment, identifier, join, sql } from "../Statement.ts"
import * as Table from "../Table.ts"
import type { NewRow } from "./InsertStatement.ts"

/** An assignment to a column: its value in the table, and its JSON in the document. */
export interface Assignment {
  readonly column: Column.Column
  readonly value: Fragment
  readonly json: Fragment
}

/** The columns of a resource that have one of the names. */
export const columnsOf = (resource: Resource.Any, names: ReadonlyArray<string>): ReadonlyArray<Column.Column> =>
  Column.fromResource(resource).filter(({ name }) => names.includes(name))

/** Assigns constants to columns. */
export const constants = (dialect: Dialect, resource: Resource.Any, values: NewRow): ReadonlyArray<Assignment> =>
  columnsOf(resource, Object.keys(values)).map((column) => {
    const value = values[column.name] ?? null
    const parameter = dialect.typed(column.type, sql`${dialect.parameter(column.type, value)}`)
    return { column, value: parameter, json: dialect.literal(value) }
  })

/** The members of the document that assignments change. */
export const membersOf = (assignments: ReadonlyArray<Assignment>): ReadonlyArray<Member> =>
  assignments.map(({ column, json }) => ({ name: column.name, json }))

/** The list after `SET`. */
export const set = (dialect: Dialect, resource: Resource.Any, assignments: ReadonlyArray<Assignment>): Fragment => {
  const row = Table.name(resource)
  return join(
    [
      ...assignments
        .filter(({ column }) => Table.typeOf(dialect, column) !== undefined)
        .map(({ column, value }) => sql`${identifier(column.name)} = ${value}`),
      sql`${identifier(Table.document)} = ${dialect.replace(Table.column(row, Table.document), membersOf(assignments))}`,
      sql`${identifier(Table.revision)} = ${Table.column(row, Table.revision)} + 1`
    ],
    ", "
  )
}

/** Updates the rows that meet a condition. */
export const make = (
  dialect: Dialect,
  resource: Resource.Any,
  assignments: ReadonlyArray<Assignment>,
  where: Fragment
): Fragment => sql`UPDATE ${Table.name(resource)} SET ${set(dialect, resource, assignments)} WHERE ${where}`
