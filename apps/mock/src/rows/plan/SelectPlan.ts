/**
 * Plans the select and order parameters: checks them against the resource.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Order from "@mfgdata/domain/Order"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Select from "@mfgdata/domain/Select"
import * as Either from "effect/Either"
import * as Iterable from "effect/Iterable"
import type { Related } from "../../sql/read/Condition.ts"
import type { Cast, Field } from "../../sql/read/Target.ts"
import type { OrderTerm } from "../../sql/read/Order.ts"
import * as Aggregation from "../../sql/read/Aggregation.ts"
import * as Selection from "../../sql/read/Selection.ts"
import type { RowError } from "../RowError.ts"
import * as TargetPlan from "./TargetPlan.ts"

type Result<A> = Either.Either<A, RowError>

/** PostgreSQL's names of the types that a value can be cast to. */
const casts: { readonly [name: string]: Cast } = {
  text: "text",
  varchar: "text",
  "character varying": "text",
  numeric: "number",
  decimal: "number",
  real: "number",
  float: "number",
  float4: "number",
  float8: "number",
  "double precision": "number",
  smallint: "integer",
  integer: "integer",
  bigint: "integer",
  int: "integer",
  int2: "integer",
  int4: "integer",
  int8: "integer",
  bool: "boolean",
  boolean: "boolean",
  date: "date",
  timestamptz: "timestamp",
  "timestamp with time zone": "timestamp",
  json: "json",
  jsonb: "json"
}

const readCast = (type: string | undefined): Result<Cast | undefined> => {
  if (type === undefined) return Either.right(undefined)
  const name = type.trim().toLowerCase()
  const cast = Object.hasOwn(casts, name) ? casts[name] : undefined
  return cast === undefined ? Either.left({ _tag: "TypeUnknown", type }) : Either.right(cast)
}

/** The name of a value: its alias, or the last key of its path. */
const nameOf = ({ alias, path }: Select.Field): string =>
  alias ?? String(path.json.findLast(({ key }) => typeof key === "string")?.key ?? path.column)

const field = (resource: Resource.Any, item: Select.Field): Result<Field> =>
  Either.gen(function* () {
    const target = yield* TargetPlan.fromPath(resource, item.path)
    const cast = yield* readCast(item.cast)
    if (item.cast !== undefined && cast !== undefined && !Selection.isCastable(target, cast)) {
      const from = TargetPlan.typeOf(target)
      return yield* Either.left<RowError>({ _tag: "CastImpossible", from, to: item.cast })
    }
    return { name: nameOf(item), target, cast }
  })

const allFields = (resource: Resource.Any): ReadonlyArray<Field> =>
  Column.fromResource(resource).map((column) => ({
    name: column.name,
    target: { column, json: [] },
    cast: undefined
  }))

const fields = (resource: Resource.Any, item: Select.Item): Result<ReadonlyArray<Field>> => {
  switch (item._tag) {
    case "All":
      return Either.right(allFields(resource))
    case "Field":
      return item.aggregate === undefined ? Either.map(field(resource, item), (field) => [field]) : Either.right([])
    case "Count":
    case "Embed":
      return Either.right([])
  }
}

const whole: Selection.Selection = { _tag: "Document" }

type Fields = Exclude<Selection.Selection, { readonly _tag: "Document" }>

/** A selection without fields. */
export const nothing: Fields = { _tag: "Fields", fields: [], embeds: [] }

/** A selection as a list of fields. */
export const inFields = (resource: Resource.Any, selection: Selection.Selection): Fields =>
  selection._tag === "Document" ? { ...nothing, fields: allFields(resource) } : selection

const isAggregate = (item: Select.Item): item is Select.Count | AggregateField =>
  item._tag === "Count" || (item._tag === "Field" && item.aggregate !== undefined)

type AggregateField = Select.Field & { readonly aggregate: NonNullable<Select.Field["aggregate"]> }

/** Reads `count` as `count()`, as PostgreSQL does where no column has that name. */
const readCount = (resource: Resource.Any, item: Select.Item): Select.Item => {
  if (item._tag !== "Field" || item.path.column !== "count" || item.path.json.length > 0) return item
  const isColumn = item.aggregate !== undefined || Column.byName(resource).has("count")
  return isColumn ? item : { _tag: "Count", alias: item.alias, cast: item.cast }
}

const aggregate = (resource: Resource.Any, item: Select.Count | AggregateField): Result<Aggregation.Aggregate> => {
  if (item.cast !== undefined || (item._tag === "Field" && item.aggregate.cast !== undefined)) {
    return Either.left({ _tag: "Unsupported", feature: "casts of aggregated values are not supported" })
  }
  if (item._tag === "Count") return Either.right({ name: item.alias ?? "count", function: "count", target: undefined })
  const { alias, path } = item
  const name = item.aggregate.function
  return Either.flatMap(TargetPlan.fromPath(resource, path), (target) =>
    Aggregation.takes(name, target)
      ? Either.right({ name: alias ?? name, function: name, target })
      : Either.left({ _tag: "FunctionMismatch", call: `${name}(${TargetPlan.typeOf(target)})` })
  )
}

/**
 * The aggregates that a level may have: all of them, none but counts of its rows (`off` by the settings, `embed` inside an
 * embed), or none at all (`elsewhere`).
 */
export interface AggregateSupport {
  readonly isOn: boolean
  readonly place: "list" | "embed" | "elsewhere"
}

/** A limit that keeps a statement within the number of columns that both databases allow; a value may take several. */
export const maximumGroup = 200

/** The request to send instead of one with a larger group. */
export const fewerValues = "Select fewer columns and aggregates."

const aggregates = (
  resource: Resource.Any,
  items: ReadonlyArray<Select.Item>,
  { isOn, place }: AggregateSupport
): Result<ReadonlyArray<Aggregation.Aggregate> | undefined> => {
  const requested = items.filter(isAggregate)
  if (requested.length === 0) return Either.right(undefined)
  const isCount = items.every(({ _tag }) => _tag === "Count")
  if (!isOn && !isCount) return Either.left({ _tag: "AggregatesOff" })
  if (place === "elsewhere" || items.some(({ _tag }) => _tag === "Embed")) {
    return Either.left({ _tag: "Unsupported", feature: "aggregates are for lists without embedded resources" })
  }
  if (place === "embed" && !isCount) {
    return Either.left({ _tag: "Unsupported", feature: "the only aggregate of embedded rows is their count" })
  }
  if (items.length > maximumGroup) {
    return Either.left({
      _tag: "Unsupported",
      feature: `more than ${maximumGroup} values of a group are not supported`,
      instead: fewerValues
    })
  }
  return Either.all(Iterable.map(requested, (item) => aggregate(resource, item)))
}

/** The selection of a select parameter. If two values have the same name, the later one is returned. */
export const selection = (
  resource: Resource.Any,
  select: ReadonlyArray<Select.Item>,
  embeds: ReadonlyArray<Selection.Embed>,
  allowed: AggregateSupport
): Result<Selection.Selection> => {
  if (select.every((item) => item._tag === "All")) return Either.right(whole)
  const items = select.map((item) => readCount(resource, item))
  return Either.flatMap(aggregates(resource, items, allowed), (aggregates) =>
    Either.map(Either.all(Iterable.map(items, (item) => fields(resource, item))), (lists) => ({
      _tag: "Fields",
      fields: [...new Map(lists.flat().map((field) => [field.name, field])).values()],
      // An embed that adds no value and restricts no row is left out.
      embeds: embeds.filter((embed) => embed.isRequired || embed.name !== undefined || !isNothing(embed.selection)),
      ...(aggregates === undefined ? {} : { aggregates })
    }))
  )
}

const isNothing = (selection: Selection.Selection): boolean =>
  selection._tag === "Fields" && selection.fields.length === 0 && selection.embeds.length === 0

/** The embed of a name among those of a level. */
type FindEmbed = (name: string) => Related | undefined

const term = (
  resource: Resource.Any,
  { direction, embed, nulls, path }: Order.Order,
  find: FindEmbed
): Result<OrderTerm> => {
  const through = embed === undefined ? undefined : find(embed)
  if (embed !== undefined && through?.cardinality !== "one") {
    return Either.left({ _tag: "OrderToMany", from: resource.resource, embed })
  }
  return Either.map(TargetPlan.fromPath(through?.owned.resource ?? resource, path), (target) => ({
    target,
    through,
    direction,
    nulls: nulls ?? (direction === "asc" ? "last" : "first")
  }))
}

const unordered: Result<ReadonlyArray<OrderTerm>> = Either.right([])

/** The order of an order parameter. */
export const order = (
  resource: Resource.Any,
  terms: ReadonlyArray<Order.Order>,
  find: FindEmbed
): Result<ReadonlyArray<OrderTerm>> =>
  terms.length === 0 ? unordered : Either.all(Iterable.map(terms, (order) => term(resource, order, find)))

/** Refuses an order by a column that the rows are not grouped by. */
export const checkOrder = (
  selection: Selection.Selection,
  order: ReadonlyArray<OrderTerm>
): Either.Either<void, RowError> => {
  if (selection._tag === "Document" || selection.aggregates === undefined) return Either.void
  const loose = order.find((term) => Aggregation.fieldOf(selection.fields, term) === undefined)
  return loose === undefined ? Either.void : Either.left({ _tag: "NotGrouped", column: loose.target.column.name })
}
