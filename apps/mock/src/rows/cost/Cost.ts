/**
 * Estimates the cost of a read from its plan and the sizes of its tables, for the worst content of the tables. A read that
 * is certainly small runs inline, where it costs least; any other is offloaded, where it can be stopped and delays nobody.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Aggregation from "../../sql/read/Aggregation.ts"
import type { Condition } from "../../sql/read/Condition.ts"
import type { OrderTerm } from "../../sql/read/Order.ts"
import { countBytes, type Embed, isCounted, type Selection } from "../../sql/read/Selection.ts"
import type { Field, Target } from "../../sql/read/Target.ts"
import * as Table from "../../sql/Table.ts"
import type { Read } from "../plan/RowPlan.ts"
import {
  isStored,
  knownBytes,
  micros,
  orderMicros,
  type Sizes,
  sum,
  times,
  typicalBytes,
  valueMicros,
  whereMicros
} from "./ConditionCost.ts"

type Class = "inline" | "offloaded"

export interface Cost {
  readonly class: Class
  /** An upper bound of the rows that are looked at; infinite if it is unknown. */
  readonly rows: number
  /** The rows that are looked at as far as the caller may know it: not from the sizes of tables, which companies share. */
  readonly known: number | undefined
  /** Upper bounds of the answer: its bytes, and its embedded rows, each counted as often as it appears. */
  readonly bytes: number
  readonly embedded: number
}

/** The part of a plan that a read and the search of a filtered write have in common. */
export type Readable = Pick<Read, "resource" | "where" | "order" | "limit" | "offset" | "counted" | "selection">

/** The limits of an inline read. */
const mostMicros = 3000
const mostBytes = 2 * 1024 ** 2

const isColumn = ({ target: { column, json } }: { readonly target: Target }, name: string): boolean =>
  json.length === 0 && column.name === name

/** The number of rows that conditions on the key select at most. */
const keyRows = ({ resource, where }: Pick<Readable, "resource" | "where">): number =>
  Math.min(
    Infinity,
    ...where.map((condition) => {
      switch (condition._tag) {
        case "Compare":
          return condition.operator === "eq" && isColumn(condition, resource.key) ? 1 : Infinity
        case "OneOf":
          return isColumn(condition, resource.key) ? condition.values.length : Infinity
        default:
          return Infinity
      }
    })
  )

const isKeyRange = (resource: Resource.Any, condition: Condition): boolean =>
  condition._tag === "Compare" &&
  ["gt", "gte", "lt", "lte"].includes(condition.operator) &&
  isColumn(condition, resource.key)

const isByKey = (resource: Resource.Any, [first, ...others]: ReadonlyArray<OrderTerm>): boolean =>
  first !== undefined && others.length === 0 && first.through === undefined && isColumn(first, resource.key)

/** Reports whether the rows are read in order from an index, up to the end of the page. */
const isAlongIndex = ({ order, resource, where }: Readable): boolean =>
  (where.length === 0 && order.length === 0) ||
  (isByKey(resource, order) && where.every((condition) => isKeyRange(resource, condition)))

/** The rows of a level: the different ones, how often one of them appears, and how often all of them appear. */
interface Occurrences {
  readonly rows: number
  readonly most: number
  readonly all: number
}

/** The bounds of the rows of an embed, of those of the level that it is embedded in. */
const embeddedIn = (
  { resource }: Pick<Read, "resource">,
  level: Occurrences,
  { related }: Embed,
  sizes: Sizes
): Occurrences => {
  const { cardinality, column, limit, owned } = related
  const { rows } = sizes(owned.resource)
  if (cardinality === "one") return { rows: Math.min(rows, level.rows), most: level.all, all: level.all }
  // A row is a child of one parent, if the column is the key of the parents.
  const most = column === resource.key ? level.most : level.all
  const all = Math.min(times(level.all, Math.min(limit, rows)), times(most, rows))
  return { rows: Math.min(rows, all), most, all }
}

interface Printed {
  readonly micros: number
  readonly bytes: number
  readonly embedded: number
  readonly rows: number
}

/** A value may be printed once for each field that names its column, and a cast value takes more text than its JSON. */
const fieldBytes = (fields: ReadonlyArray<Field>, bytes: number): number => {
  const columns = new Map<string, number>()
  for (const { cast, target } of fields) {
    const count = columns.get(target.column.name) ?? 0
    columns.set(target.column.name, count + (cast === undefined ? 1 : 4))
  }
  const names = sum(fields.map(({ name }) => name.length * 2 + 4))
  return names + times(Math.max(0, ...columns.values()), bytes)
}

const fieldMicros = (fields: ReadonlyArray<Field>, bytes: number): number => {
  const parsed = fields.filter(({ cast, target }) => cast !== undefined || !isStored(target))
  const parses = Math.ceil(parsed.length / 4) + parsed.filter(({ cast }) => cast !== undefined).length
  return fields.length * micros.field + parses * micros.parsedByte * bytes
}

const printed = (
  level: Pick<Read, "resource">,
  occurrences: Occurrences,
  selection: Selection,
  sizes: Sizes
): Printed => {
  const size = sizes(level.resource)
  if (selection._tag === "Document") {
    const bytes = times(occurrences.all, size.bytes + 1)
    const text = times(occurrences.all, knownBytes(size) + 1)
    return { bytes, micros: micros.field * occurrences.rows + micros.printedByte * text, embedded: 0, rows: 0 }
  }
  const own = times(occurrences.rows, fieldMicros(selection.fields, knownBytes(size)))
  const text = times(occurrences.all, fieldBytes(selection.fields, knownBytes(size)))
  const embeds = selection.embeds.map((embed): Printed => {
    const { related } = embed
    const { resource } = related.owned
    const inner = embeddedIn(level, occurrences, embed, sizes)
    const child = sizes(resource)
    const found = related.cardinality === "many" ? times(occurrences.rows, child.rows) : inner.rows
    // Without a unique column, each row of the level may find all rows of the table.
    const looked = Math.min(found, child.rows)
    const each = micros.related + whereMicros(related.where, child, sizes) + orderMicros(embed.order, child, sizes)
    if (isCounted(embed.selection)) {
      const bytes = (embed.name?.length ?? 0) + 8 + countBytes(embed.selection)
      const counted = micros.statement + times(looked, each + micros.grouped)
      return { bytes: times(occurrences.all, bytes), micros: counted, embedded: 0, rows: looked }
    }
    const rest = printed({ resource }, inner, embed.selection, sizes)
    return {
      bytes: rest.bytes + times(occurrences.all, (embed.name?.length ?? 0) + 8),
      micros: micros.statement + times(looked, each) + times(inner.all, micros.field) + rest.micros,
      embedded: inner.all + rest.embedded,
      rows: looked + rest.rows
    }
  })
  return {
    bytes: times(occurrences.all, fieldBytes(selection.fields, size.bytes) + 3) + sum(embeds.map(({ bytes }) => bytes)),
    micros: own + micros.printedByte * text + sum(embeds.map((embed) => embed.micros)),
    embedded: sum(embeds.map(({ embedded }) => embedded)),
    rows: sum(embeds.map(({ rows }) => rows))
  }
}

/** The cost of a read that looks at some rows at most. */
const estimate = (plan: Readable, lookedAt: number, isOrdered: boolean, sizes: Sizes, known?: number): Cost => {
  const { counted, limit = Infinity, offset, order, resource, selection, where } = plan
  const size = sizes(resource)
  const page = Math.min(limit, lookedAt)
  const groups = selection._tag === "Fields" ? selection.aggregates : undefined
  const row = micros.row + whereMicros(where, size, sizes)
  const total = !counted ? 0 : where.length === 0 ? times(size.rows, micros.skipped) : times(size.rows, row)
  const sorted = isOrdered
    ? 0
    : times(lookedAt, order.length === 0 ? micros.condition : orderMicros(order, size, sizes))
  const level: Occurrences = { rows: page, most: 1, all: page }
  const text = printed({ resource }, level, selection, sizes)
  const grouped =
    groups === undefined || selection._tag === "Document"
      ? 0
      : times(
          lookedAt,
          (1 + groups.length + selection.fields.length) * micros.grouped +
            fieldMicros(selection.fields, knownBytes(size)) * 2 +
            sum(groups.map(({ target }) => (target === undefined ? 0 : valueMicros(target, knownBytes(size)))))
        )
  // An aggregate is a number or a value of a column.
  const values = groups === undefined ? 0 : times(page, groups.length * (size.bytes + 32))
  const work = micros.statement + times(lookedAt, row) + total + sorted + grouped + text.micros
  const bytes = text.bytes + values
  // A page is sorted from the groups of all pages, of which each row may be one.
  const built =
    groups === undefined || selection._tag === "Document"
      ? 0
      : times(lookedAt, fieldBytes(selection.fields, size.bytes) + Aggregation.groupBytes)
  const expected = Number.isFinite(size.bytes) ? bytes : times(page, typicalBytes)
  const isSmall = work <= mostMicros && expected <= mostBytes && offset <= lookedAt
  return {
    class: isSmall ? "inline" : "offloaded",
    rows: lookedAt + text.rows,
    known: text.rows === 0 && !counted ? known : undefined,
    bytes: Math.max(bytes, built),
    embedded: text.embedded
  }
}

const byKey: Cost = { class: "inline", rows: 1, known: 1, bytes: 0, embedded: 0 }

/** The cost of a read. */
export const make = (plan: Readable, sizes: Sizes): Cost => {
  const { limit = Infinity, offset, resource, selection } = plan
  const { rows } = sizes(resource)
  const keys = keyRows(plan)
  // One document is as large as a body at most. Every read by key passes here.
  if (keys === 1 && plan.where.length === 1 && selection._tag === "Document") return byKey
  const isGrouped = selection._tag === "Fields" && selection.aggregates !== undefined
  if (keys <= 1 || (keys <= rows && keys < Infinity)) return estimate(plan, keys, keys <= 1, sizes, keys)
  if (isGrouped || !isAlongIndex(plan)) return estimate(plan, rows, false, sizes)
  const end = offset + limit
  return estimate(plan, Math.min(rows, end), true, sizes, end < Infinity ? end : undefined)
}

/**
 * The cost of a read as of a time. The sizes of the tables are those of now, so that all bounds are unknown; one row is
 * found by its key in the history too.
 */
export const past = (plan: Readable): Cost =>
  keyRows(plan) === 1 && plan.where.length === 1 && plan.selection._tag === "Document"
    ? byKey
    : { class: "offloaded", rows: Infinity, known: undefined, bytes: Infinity, embedded: Infinity }

/** The bounds of an answer of some rows. */
export const answer = (
  { resource, selection }: Pick<Readable, "resource" | "selection">,
  rows: number,
  sizes: Sizes
): Pick<Cost, "bytes" | "embedded"> => printed({ resource }, { rows, most: 1, all: rows }, selection, sizes)

/** An equality with an indexed column, whose rows can be counted up to a limit in microseconds. */
export interface Probe {
  readonly condition: Condition
  /** The number of rows up to which the read is inline. */
  readonly most: number
}

const isIndexed = (resource: Resource.Any, condition: Condition): boolean =>
  condition._tag === "Compare" &&
  condition.operator === "eq" &&
  condition.target.json.length === 0 &&
  Table.isIndexed(resource, condition.target.column.name)

/** The cost of a read for which an index found some rows. */
export const probed = (plan: Readable, rows: number, sizes: Sizes): Cost => ({
  ...estimate(plan, rows, false, sizes, rows),
  class: "inline"
})

const probedRows = [1000, 300, 100]

/** The probe of an offloaded read that is inline if an index finds few rows. */
export const probe = (plan: Readable, sizes: Sizes): Probe | undefined => {
  const condition = plan.where.find((one) => isIndexed(plan.resource, one))
  if (condition === undefined || plan.counted) return undefined
  const most = probedRows.find((rows) => estimate(plan, rows, false, sizes).class === "inline")
  return most === undefined ? undefined : { condition, most }
}
