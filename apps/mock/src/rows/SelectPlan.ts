/**
 * What of each row is answered, and in which order: select and order parameters held against a resource.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Order from "@mfgdata/domain/Order"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Select from "@mfgdata/domain/Select"
import * as Either from "effect/Either"
import { kindOf } from "../sql/Condition.ts"
import type { OrderTerm } from "../sql/Reading.ts"
import * as Selection from "../sql/Selection.ts"
import type { RowError } from "./RowError.ts"
import * as TargetPlan from "./TargetPlan.ts"

type Planned<A> = Either.Either<A, RowError>

/** PostgreSQL's names of the types that a value can be cast to. */
const casts: { readonly [name: string]: Selection.Cast } = {
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

const readCast = (type: string | undefined): Planned<Selection.Cast | undefined> => {
  if (type === undefined) return Either.right(undefined)
  const name = type.trim().toLowerCase()
  const cast = Object.hasOwn(casts, name) ? casts[name] : undefined
  return cast === undefined ? Either.left({ _tag: "TypeUnknown", type }) : Either.right(cast)
}

/** Without an alias the last key of a path names the value. */
const nameOf = ({ alias, path }: Select.Field): string =>
  alias ?? String(path.json.findLast(({ key }) => typeof key === "string")?.key ?? path.column)

const field = (resource: Resource.Any, item: Select.Field): Planned<Selection.Field> =>
  Either.gen(function* () {
    const target = yield* TargetPlan.fromPath(resource, item.path)
    const cast = yield* readCast(item.cast)
    if (item.cast !== undefined && cast !== undefined && !Selection.isCastable(target, cast)) {
      const from = TargetPlan.typeOf(target)
      return yield* Either.left<RowError>({ _tag: "CastImpossible", from, to: item.cast })
    }
    return { name: nameOf(item), target, cast }
  })

const fields = (resource: Resource.Any, item: Select.Item): Planned<ReadonlyArray<Selection.Field>> => {
  switch (item._tag) {
    case "All":
      return Either.right(
        Column.fromResource(resource).map((column) => ({
          name: column.name,
          target: { column, json: [] },
          cast: undefined
        }))
      )
    case "Field":
      return item.aggregate === undefined
        ? Either.map(field(resource, item), (field) => [field])
        : Either.left({ _tag: "AggregatesOff" })
    case "Count":
      return Either.left({ _tag: "AggregatesOff" })
    case "Embed":
      return Either.left({ _tag: "RelationshipUnknown", from: resource.resource, to: item.resource })
  }
}

const whole: Selection.Selection = { _tag: "Document" }

/** What a select parameter asks for; of two values under one name the later is answered. */
export const selection = (resource: Resource.Any, items: ReadonlyArray<Select.Item>): Planned<Selection.Selection> =>
  items.every((item) => item._tag === "All")
    ? Either.right(whole)
    : Either.map(Either.all(items.map((item) => fields(resource, item))), (lists) => ({
        _tag: "Fields",
        fields: [...new Map(lists.flat().map((field) => [field.name, field])).values()]
      }))

const term = (resource: Resource.Any, { direction, nulls, path }: Order.Order): Planned<OrderTerm> =>
  Either.flatMap(TargetPlan.fromPath(resource, path), (target) => {
    const kind = kindOf(target)
    return kind === "object" || kind === "array"
      ? Either.left({ _tag: "OrderingMissing", type: TargetPlan.typeOf(target) })
      : Either.right({ target, direction, nulls: nulls ?? (direction === "asc" ? "last" : "first") })
  })

/** What an order parameter asks for. */
export const order = (resource: Resource.Any, terms: ReadonlyArray<Order.Order>): Planned<ReadonlyArray<OrderTerm>> =>
  Either.all(terms.map((order) => term(resource, order)))
