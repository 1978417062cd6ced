/**
 * Plans one level of a query: the rows of the requested resource, or the rows embedded in another level.
 */
import type * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Select from "@mfgdata/domain/Select"
import * as Either from "effect/Either"
import * as Iterable from "effect/Iterable"
import type { Condition, Related } from "../../sql/read/Condition.ts"
import type { OrderTerm } from "../../sql/read/Order.ts"
import { type Embed, isCounted, type Selection } from "../../sql/read/Selection.ts"
import * as FilterPlan from "./FilterPlan.ts"
import * as PageLimit from "./PageLimit.ts"
import * as RightCheck from "./RightCheck.ts"
import * as Relationship from "./Relationship.ts"
import type { RowError } from "../RowError.ts"
import type { PlanContext } from "./PlanContext.ts"
import * as SelectPlan from "./SelectPlan.ts"

type Result<A> = Either.Either<A, RowError>

export interface Level {
  readonly selection: Selection
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<OrderTerm>
}

/** A planned embed, with the name that filters and orders refer to. */
interface NamedEmbed {
  readonly name: string
  readonly item: Select.Embed
  readonly embed: Embed
}

/** Limits that keep a statement within the number of tables and columns that both databases allow. */
export const maximumEmbeds = 32
export const maximumSpread = 500

/** The requests to send instead of one past a limit. */
export const instead = {
  embeds: "Send several requests with fewer embeds each.",
  spread: "Select fewer columns in spread embeds.",
  tables: "Read some of the resources in another request."
}

const tooMany = (count: number, noun: string, instead: string): Result<never> =>
  Either.left({ _tag: "Unsupported", feature: `more than ${count} ${noun} are not supported`, instead })

/** The number of embeds on all levels: each is a common table expression or two. */
export const maximumTables = 100

const embedCount = (query: Query.Query): number =>
  query.select.reduce((sum, item) => (isEmbed(item) ? sum + 1 + embedCount(item.query) : sum), 0)

/** The number of values that a spread embed adds to its row. */
const spreadOf = (selection: Selection): number =>
  selection._tag === "Document"
    ? 1
    : selection.embeds.reduce(
        (sum, { name, selection }) => sum + (name === undefined ? spreadOf(selection) : 1),
        selection.fields.length
      )

const isEmbed = (item: Select.Item): item is Select.Embed => item._tag === "Embed"

const toEmbed = (resource: Resource.Any, item: Select.Embed, context: PlanContext, id: string): Result<NamedEmbed> =>
  Either.gen(function* () {
    const { caller, maxRows } = context
    const { cardinality, column, field, target } = yield* Relationship.find(resource, item)
    yield* RightCheck.require(caller, target, "embedded")
    const { query } = item
    const isNothing = query.select.length === 0
    const { order, selection, where } = yield* make(target, query, context, id)
    yield* checkCount(item, selection)
    const name = item.alias ?? item.resource
    const related: Related = {
      id,
      owned: { resource: target, owner: caller },
      column,
      field,
      cardinality,
      where,
      // A limit of a count is one of the count itself, not of the rows that it counts.
      limit: isCounted(selection) ? Infinity : PageLimit.count(query.limit ?? Infinity, maxRows),
      offset: query.offset ?? 0
    }
    const isSpread = item.spread || isNothing
    if (isSpread && spreadOf(selection) > maximumSpread)
      return yield* tooMany(maximumSpread, "values of a spread", instead.spread)
    const embed: Embed = {
      name: isSpread ? undefined : name,
      address: name,
      related,
      isRequired: item.join === "inner",
      selection: isNothing ? SelectPlan.nothing : isSpread ? SelectPlan.inFields(target, selection) : selection,
      order
    }
    return { name, item, embed }
  })

const none: ReadonlyArray<NamedEmbed> = []

/** The embeds of a level, in their order. `id` identifies the level. */
const embedsOf = (
  resource: Resource.Any,
  query: Query.Query,
  context: PlanContext,
  id: string
): Result<ReadonlyArray<NamedEmbed>> => {
  if (!query.select.some(isEmbed)) return Either.right(none)
  const embeds = query.select.filter(isEmbed)
  if (id === "" && embedCount(query) > maximumTables)
    return tooMany(maximumTables, "embedded resources in all", instead.tables)
  return embeds.length > maximumEmbeds
    ? tooMany(maximumEmbeds, "embedded resources at one level", instead.embeds)
    : Either.all(Iterable.map(embeds, (item, index) => toEmbed(resource, item, context, `${id}${id && "."}${index}`)))
}

const aggregateSupport = (
  { aggregates = false }: PlanContext,
  id: string,
  isWritten: boolean
): SelectPlan.AggregateSupport => ({
  isOn: aggregates,
  place: id !== "" ? "embed" : isWritten ? "elsewhere" : "list"
})

/** Refuses a count of embedded rows that would be spread, or whose one row is not on its page. */
const checkCount = ({ query, spread }: Select.Embed, selection: Selection): Result<void> => {
  if (!isCounted(selection)) return Either.void
  if (spread) return Either.left({ _tag: "Unsupported", feature: "a spread of a count is not supported" })
  const { limit = 1, offset = 0 } = query
  return limit > 0 && offset === 0
    ? Either.void
    : Either.left({ _tag: "Unsupported", feature: "limit=0 and offset of a count are not supported" })
}

/**
 * The plan of a level. In a write, filters select the rows to write and cannot refer to embeds. It has no generators and
 * few functions, because every request runs it.
 */
export const make = (
  resource: Resource.Any,
  query: Query.Query,
  context: PlanContext,
  id = "",
  isWritten = false
): Result<Level> => {
  const named = embedsOf(resource, query, context, id)
  if (Either.isLeft(named)) return Either.left(named.left)
  const embeds = named.right
  const find = (name: string): Related | undefined => embeds.find((one) => one.name === name)?.embed.related
  const where = FilterPlan.all(resource, query.where, context.rules, isWritten ? undefined : find)
  if (Either.isLeft(where)) return Either.left(where.left)
  const support = aggregateSupport(context, id, isWritten)
  const embedded = embeds.map(({ embed }) => embed)
  const selection = SelectPlan.selection(resource, query.select, embedded, support)
  if (Either.isLeft(selection)) return Either.left(selection.left)
  const order = SelectPlan.order(resource, query.order, find)
  if (Either.isLeft(order)) return Either.left(order.left)
  const grouped = SelectPlan.checkOrder(selection.right, order.right)
  if (Either.isLeft(grouped)) return Either.left(grouped.left)
  return Either.right({
    selection: selection.right,
    where: isWritten ? where.right : [...where.right, ...requiredEmbeds(embeds)],
    order: order.right
  })
}

const requiredEmbeds = (named: ReadonlyArray<NamedEmbed>): ReadonlyArray<Condition> =>
  named.flatMap(({ embed: { isRequired, related } }) => (isRequired ? [{ _tag: "Exists", related }] : []))
