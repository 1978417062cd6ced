/**
 * Compiles the order of rows to SQL.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Related } from "./Condition.ts"
import type { Target } from "./Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as Filter from "./Filter.ts"
import { type Fragment, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** A term of an order. */
export interface OrderTerm {
  readonly target: Target
  /** The to-one relation whose row has the target; `undefined` for the row itself. */
  readonly through: Related | undefined
  readonly direction: "asc" | "desc"
  readonly nulls: "first" | "last"
}

const isNullable = ({ target: { column, json }, through }: OrderTerm): boolean =>
  column.nullable || json.length > 0 || through !== undefined

const keys = (dialect: Dialect, row: Fragment, { target, through }: OrderTerm): ReadonlyArray<Fragment> => {
  const own = dialect.sortKeys(row, target)
  return through === undefined
    ? own
    : own.map((_, index) =>
        Filter.relatedTo(dialect, row, through, (other) => dialect.sortKeys(other, target)[index] ?? text("NULL"))
      )
}

const term = (dialect: Dialect, row: Fragment, one: OrderTerm): ReadonlyArray<Fragment> =>
  keys(dialect, row, one).map((key, index) => {
    // Without `NULLS`, which a column without nulls does not need, an index can give the order.
    const place = index === 0 && isNullable(one) ? ` NULLS ${one.nulls.toUpperCase()}` : ""
    return sql`${key} ${text(`${one.direction.toUpperCase()}${place}`)}`
  })

/** The order of a resource's rows by their key. */
export const byKey = (resource: Resource.Any): ReadonlyArray<OrderTerm> =>
  Column.fromResource(resource)
    .filter(({ name }) => name === resource.key)
    .map((column) => ({ target: { column, json: [] }, through: undefined, direction: "asc", nulls: "last" }))

/**
 * The order of a resource's rows, which the statement names after the resource: with terms the key breaks ties, without
 * any it is the order of creation.
 */
export const toSql = (dialect: Dialect, resource: Resource.Any, order: ReadonlyArray<OrderTerm>): Fragment => {
  const row = Table.name(resource)
  const last = Table.column(row, order.length === 0 ? Table.sequence : resource.key)
  const terms = order.flatMap((one) => term(dialect, row, one))
  return sql`ORDER BY ${join([...terms, sql`${last} ASC`], ", ")}`
}
