/**
 * Groups rows by some of their values and aggregates the others. Sums and averages have 15 digits, in which both stores
 * agree. The groups of all pages are bounded before any of them is built, because a page is sorted from all.
 */
import type { Aggregate as Function } from "@mfgdata/domain/Select"
import { type Field, type Kind, type Target, kindOf } from "./Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as ObjectText from "./ObjectText.ts"
import type { OrderTerm } from "./Order.ts"
import type { OwnedTable } from "../Owner.ts"
import { type Fragment, commonTable, empty, identifier, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

export interface Aggregate {
  /** The key in the response. */
  readonly name: string
  readonly function: Function
  /** The aggregated target; `undefined` counts rows. */
  readonly target: Target | undefined
}

const kinds: { readonly [F in Function]: ReadonlyArray<Kind> | undefined } = {
  count: undefined,
  sum: ["number"],
  avg: ["number"],
  min: ["number", "text", "date", "timestamp"],
  max: ["number", "text", "date", "timestamp"]
}

/** Reports whether a function accepts the values of a target. */
export const takes = (name: Function, target: Target): boolean => kinds[name]?.includes(kindOf(target)) ?? true

/** An array or object with a cast is sorted by its text alone, so that equal texts form one group. */
const isSortable = ({ cast, target }: Field): boolean =>
  cast === undefined || (kindOf(target) !== "object" && kindOf(target) !== "array")

const isSame = (one: Target, other: Target): boolean =>
  one.column === other.column && JSON.stringify(one.json) === JSON.stringify(other.json)

/** Finds the grouped field that a term of the order names. */
export const fieldOf = (fields: ReadonlyArray<Field>, { target, through }: OrderTerm): Field | undefined =>
  through === undefined ? fields.find((field) => field.cast === undefined && isSame(field.target, target)) : undefined

export interface Groups {
  readonly owned: OwnedTable
  readonly fields: ReadonlyArray<Field>
  readonly aggregates: ReadonlyArray<Aggregate>
  readonly order: ReadonlyArray<OrderTerm>
  /** The `FROM` and `WHERE` clauses of the rows. */
  readonly source: Fragment
  /** The maximum size of all groups; undefined for groups that are certainly smaller. */
  readonly bytes: number | undefined
}

/** The bytes that each group is counted with, besides the values of its fields: the least that SQLite takes to sort it. */
export const groupBytes = 200

interface GroupQuery {
  /** Selects the groups as JSON text in a column `json`, in order. */
  readonly rows: Fragment
  /** Counts the groups. */
  readonly total: Fragment
  /** Reports whether the groups are larger than the maximum; there are no rows then. Undefined without a maximum. */
  readonly isLarger: Fragment | undefined
}

/**
 * The condition that the groups of some rows are larger than a maximum, and are not built. Different values are added up
 * as they are found, up to the maximum.
 */
const larger = (reads: ReadonlyArray<Fragment>, source: Fragment, bytes: number): Fragment => {
  const names = reads.map((_, index) => identifier(`_json${index}`))
  const columns = reads.map((read, index) => sql`(${read}) AS ${names[index] ?? empty}`)
  const size = join([text(String(groupBytes)), ...names.map((name) => sql`coalesce(octet_length(${name}), 0)`)], " + ")
  const different = sql`(SELECT DISTINCT ${join(columns, ", ")} ${source}) AS "different"`
  const added = sql`(SELECT sum(${size}) OVER (ROWS UNBOUNDED PRECEDING) AS "sum" FROM ${different}) AS "added"`
  const first = sql`(SELECT 1 FROM ${added} WHERE "sum" > ${text(String(bytes))} LIMIT 1) AS "first"`
  const table = commonTable("_groups_size", sql`SELECT count(*) AS "larger" FROM ${first}`)
  return sql`(SELECT "larger" FROM ${table}) = 1`
}

/** Builds the queries of the groups of some rows. */
export const toSql = (dialect: Dialect, { aggregates, bytes, fields, order, owned, source }: Groups): GroupQuery => {
  const row = Table.name(owned.resource)
  const { json, value } = dialect.aggregates
  const keys = fields.map((field, index) => {
    const read =
      field.cast === undefined ? dialect.json(row, field.target) : dialect.cast(row, field.target, field.cast)
    const sorts = isSortable(field) ? dialect.sortKeys(row, field.target) : []
    return {
      field,
      json: { name: identifier(`_json${index}`), read },
      sorts: sorts.map((read, place) => ({ name: identifier(`_sort${index}_${place}`), read }))
    }
  })
  const values = aggregates.map(({ target }, index) => ({
    name: identifier(`_value${index}`),
    read: target === undefined ? text("1") : value(row, target)
  }))
  const grouping = keys.flatMap(({ json, sorts }) => [json, ...sorts])
  const columns = [...grouping, ...values].map(({ name, read }) => sql`(${read}) AS ${name}`)
  const isLarger =
    bytes === undefined || keys.length === 0
      ? undefined
      : larger(
          keys.map(({ json }) => json.read),
          source,
          bytes
        )
  const within = isLarger === undefined ? empty : sql`WHERE NOT (${isLarger})`
  const each = sql`FROM (SELECT ${join(columns, ", ")} ${source}) AS "each" ${within}`
  const names = grouping.map(({ name }) => name)
  const grouped = names.length === 0 ? each : sql`${each} GROUP BY ${join(names, ", ")}`

  const requested = order.flatMap((term): ReadonlyArray<Fragment> => {
    const key = keys.find(({ field }) => field === fieldOf(fields, term))
    const towards = text(`${term.direction.toUpperCase()} NULLS ${term.nulls.toUpperCase()}`)
    return key?.sorts.map(({ name }) => sql`${name} ${towards}`) ?? []
  })
  const rest = keys.flatMap(({ json, sorts }) => [...sorts, json].map(({ name }) => sql`${name} ASC NULLS LAST`))
  const ordered = names.length === 0 ? grouped : sql`${grouped} ORDER BY ${join([...requested, ...rest], ", ")}`

  const members = [
    ...keys.map(({ field, json }) => ({ name: field.name, json: json.name })),
    ...aggregates.map((aggregate, index) => ({
      name: aggregate.name,
      json: json(
        aggregate.function,
        aggregate.target === undefined ? "number" : kindOf(aggregate.target),
        values[index]?.name ?? text("NULL")
      )
    }))
  ]
  return {
    rows: sql`SELECT ${ObjectText.print(members)} AS "json" ${ordered}`,
    total: sql`SELECT count(*) FROM (SELECT count(*) ${grouped}) AS "groups"`,
    isLarger
  }
}
