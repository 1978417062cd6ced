/**
 * Runs a query in memory: its filters, order and page, and the columns and embeds of its selection.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Order from "@mfgdata/domain/Order"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Select from "@mfgdata/domain/Select"
import * as FakeFilter from "./FakeFilter.ts"
import { FakeUnsupported } from "./FakeUnsupported.ts"
import * as FakeValue from "./FakeValue.ts"

type Any = Resource.Any
type Row = FakeValue.Row

/** The rows of a resource, in the order of their creation. */
export interface Tables {
  (resource: Any): ReadonlyArray<Row>
}

const nameOf = ({ alias, resource }: Select.Embed): string => alias ?? resource

const relationOf = (resource: Any, { hint, resource: name }: Select.Embed): Catalogue.Relation => {
  const found = Catalogue.relations(resource).filter(
    ({ column, field, target }) =>
      (target.resource === name || column === name) && (hint === undefined || column === hint || field === hint)
  )
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const problem = only === undefined ? "without a reference" : "with several references: name one as its hint"
  throw new FakeUnsupported({ feature: `the embed ${name} in ${resource.resource} ${problem}` })
}

/** The embedded rows of a row before their selection. */
const related = (tables: Tables, resource: Any, embed: Select.Embed, row: Row) => {
  const relation = relationOf(resource, embed)
  const rows = tables(relation.target).filter((other) => other[relation.field] === row[relation.column])
  return { relation, rows: matching(tables, relation.target, embed.query, rows) }
}

const embedsOf = ({ select }: Select.Query): ReadonlyArray<Select.Embed> =>
  select.filter((item) => item._tag === "Embed")

const compareBy = (tables: Tables, resource: Any, query: Select.Query, order: ReadonlyArray<Order.Order>) => {
  const valueOf = (row: Row, { embed: name, path }: Order.Order): readonly [unknown, FakeValue.ComparedAs] => {
    if (name === undefined) return [FakeValue.at(row, path), FakeValue.comparedAs(resource, path)]
    const embed = embedsOf(query).find((embed) => nameOf(embed) === name)
    if (embed === undefined) throw new FakeUnsupported({ feature: `an order by ${name}, which is not selected` })
    const { relation, rows } = related(tables, resource, embed, row)
    return [rows[0] === undefined ? null : FakeValue.at(rows[0], path), FakeValue.comparedAs(relation.target, path)]
  }
  return (one: Row, other: Row): number => {
    for (const term of order) {
      const [[left, type], [right]] = [valueOf(one, term), valueOf(other, term)]
      const isFirst = (term.nulls ?? (term.direction === "asc" ? "last" : "first")) === "first"
      if (left === null || right === null) {
        if (left !== right) return (left === null) === isFirst ? -1 : 1
      } else {
        const compared = FakeValue.compare(left, right, type) * (term.direction === "asc" ? 1 : -1)
        if (compared !== 0) return compared
      }
    }
    return 0
  }
}

/** The rows that match the filters of a query, and those of its inner embeds, in its order. */
const matching = (tables: Tables, resource: Any, query: Select.Query, rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const embeds = embedsOf(query)
  const hasRows = (embed: Select.Embed, row: Row) => related(tables, resource, embed, row).rows.length > 0
  const matched = rows.filter((row) => {
    const embedded = (name: string): unknown => {
      const embed = embeds.find((embed) => nameOf(embed) === name)
      if (embed === undefined)
        throw new FakeUnsupported({ feature: `the column or embed ${name} of ${resource.resource}` })
      return hasRows(embed, row) ? true : null
    }
    const candidate = { resource, row, embedded }
    return (
      query.where.every((filter) => FakeFilter.matches(filter, candidate) === true) &&
      embeds.every((embed) => embed.join === "left" || hasRows(embed, row))
    )
  })
  return query.order.length === 0 ? matched : matched.toSorted(compareBy(tables, resource, query, query.order))
}

const casts: { readonly [type: string]: (value: unknown) => unknown } = {
  text: (value) => (typeof value === "string" ? value : JSON.stringify(value)),
  numeric: Number,
  int: Number,
  integer: Number
}

const fieldOf = (row: Row, { aggregate, alias, cast, path }: Select.Field): readonly [string, unknown] => {
  const convert = cast === undefined ? (value: unknown) => value : casts[cast]
  if (aggregate !== undefined || convert === undefined) {
    throw new FakeUnsupported({ feature: aggregate === undefined ? `the cast to ${cast}` : "aggregates" })
  }
  const value = FakeValue.at(row, path)
  return [alias ?? String(path.json.at(-1)?.key ?? path.column), value === null ? null : convert(value)]
}

const embedOf = (tables: Tables, resource: Any, embed: Select.Embed, row: Row): Row => {
  const { relation, rows } = related(tables, resource, embed, row)
  const shown = cut(embed.query, rows).map((inner) => project(tables, relation.target, embed.query, inner, false))
  const isOne = relation.cardinality === "one"
  if (!embed.spread) return { [nameOf(embed)]: isOne ? (shown[0] ?? null) : shown }
  const names = Object.keys(project(tables, relation.target, embed.query, {}, false))
  return Object.fromEntries(
    names.map((name) => [name, isOne ? (shown[0]?.[name] ?? null) : shown.map((inner) => inner[name] ?? null)])
  )
}

/** A row with the columns and embeds of a selection; an empty one selects all columns, or none inside an embed. */
const project = (tables: Tables, resource: Any, query: Select.Query, row: Row, isRoot: boolean): Row => {
  if (query.select.length === 0) return isRoot ? row : {}
  const projected: { [name: string]: unknown } = {}
  for (const item of query.select) {
    switch (item._tag) {
      case "All":
        for (const name of Object.keys(resource.columns)) projected[name] = row[name] ?? null
        break
      case "Field": {
        const [name, value] = fieldOf(row, item)
        projected[name] = value
        break
      }
      case "Embed":
        Object.assign(projected, embedOf(tables, resource, item, row))
        break
      case "Count":
        throw new FakeUnsupported({ feature: "aggregates" })
    }
  }
  return projected
}

const cut = ({ limit, offset = 0 }: Select.Query, rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.slice(offset, limit === undefined ? undefined : offset + limit)

/** The rows of a query, before and after its page and selection. */
export const run = (tables: Tables, resource: Any, query: Select.Query) => {
  const matched = matching(tables, resource, query, tables(resource))
  return { matched, rows: cut(query, matched).map((row) => project(tables, resource, query, row, true)) }
}
