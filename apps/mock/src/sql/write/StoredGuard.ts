/**
 * Builds the guards of columns that the service sets: a write may repeat the stored value, but not change it.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import type { Step, StoreRefusal } from "../Change.ts"
import type { Dialect } from "../Dialect.ts"
import type { NewRow } from "./InsertStatement.ts"
import type { Matching, OwnedTable } from "../Owner.ts"
import { type Fragment, commonTable, identifier, join, render, sql } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The values that the rows of an upsert give to one column that the service sets. */
export interface Expected {
  readonly column: Column.Column
  readonly values: ReadonlyArray<{
    readonly row: NewRow
    readonly value: Json
    /** Set when the service gives a new row the same value. */
    readonly isDefault: boolean
  }>
}

const guard = (dialect: Dialect, column: Column.Column, writing: "insert" | "update", differing: Fragment): Step => {
  const refusal: StoreRefusal = { _tag: "FieldSetByService", column: column.name, writing }
  return { _tag: "Guard", statement: render(sql`SELECT 1 FROM ${differing} LIMIT 1`, dialect), refusal }
}

/** Refuses an update when a matching row has another value, with one guard for each column. */
export const unchanged = (
  dialect: Dialect,
  { owned, where }: Matching,
  columns: ReadonlyArray<Column.Column>,
  values: NewRow
): ReadonlyArray<Step> => {
  const row = Table.name(owned.resource)
  return columns
    .filter(({ name }) => name in values)
    .map((column) => {
      const { name, type } = column
      // The lock keeps the value until the end of the transaction.
      const stored = commonTable(
        "_stored",
        sql`SELECT ${Table.column(row, name)} AS "value" FROM ${Table.from(owned)} WHERE ${where}${dialect.lock(row)}`
      )
      const value = dialect.typed(type, sql`${dialect.parameter(type, values[name] ?? null)}`)
      return guard(dialect, column, "update", sql`${stored} WHERE "value" IS DISTINCT FROM ${value}`)
    })
}

/** Refuses a change of rows when a column of a matching row has one of some texts. */
export const noneOf = (
  dialect: Dialect,
  { owned, where }: Matching,
  column: string,
  texts: ReadonlyArray<string>,
  refusal: StoreRefusal
): Step => {
  const row = Table.name(owned.resource)
  const stored = commonTable(
    "_stored",
    sql`SELECT ${Table.column(row, column)} AS "value" FROM ${Table.from(owned)} WHERE ${where}${dialect.lock(row)}`
  )
  const isOne = join(
    texts.map((text) => sql`"value" = ${text}`),
    " OR "
  )
  return { _tag: "Guard", statement: render(sql`SELECT 1 FROM ${stored} WHERE ${isOne} LIMIT 1`, dialect), refusal }
}

/** The column of the given value. No column of a resource begins with an underscore. */
const given = "_given"

/**
 * Refuses an upsert when an existing row has another value, or a new row would get another one, with one or two guards
 * for each column.
 */
export const repeated = (
  dialect: Dialect,
  owned: OwnedTable,
  target: ReadonlyArray<Column.Column>,
  expected: ReadonlyArray<Expected>
): ReadonlyArray<Step> => {
  const row = Table.name(owned.resource)
  const rows = identifier("row")
  const isTarget = join(
    target.map(({ name }) => sql`${Table.column(row, name)} = ${Table.column(rows, name)}`),
    " AND "
  )
  return expected.flatMap(({ column, values }) => {
    const { name, type } = column
    const columns = [...target, { name: given, type }]
    const records = values.map(({ row, value }) => ({ ...row, [given]: value }))
    const stored = commonTable(
      "_stored",
      sql`SELECT ${Table.column(row, name)} AS "value", ${Table.column(rows, given)} AS "given"
        FROM ${dialect.records(columns, records)} JOIN ${Table.from(owned)} ON ${isTarget}${dialect.lock(row)}`
    )
    const differing = guard(dialect, column, "insert", sql`${stored} WHERE "value" IS DISTINCT FROM "given"`)
    const others = values.filter(({ isDefault }) => !isDefault).map(({ row }) => row)
    if (others.length === 0) return [differing]
    const exists = sql`SELECT 1 FROM ${Table.from(owned)} WHERE ${isTarget}`
    const isNew = sql`${dialect.records(target, others)} WHERE NOT EXISTS (${exists})`
    return [differing, guard(dialect, column, "insert", isNew)]
  })
}
