/**
 * A query during parsing, with its embeds by the names that parameters use.
 */
import type { Filter } from "../Filter.ts"
import type { Order } from "../Order.ts"
import { EmbedRepeated, NotEmbedded } from "../QueryError.ts"
import type * as Select from "../Select.ts"

interface Draft extends Select.Query {
  readonly select: Array<Select.Item>
  readonly where: Array<Filter>
  readonly order: Array<Order>
  limit: number | undefined
  offset: number | undefined
}

export interface EmbedScope {
  readonly query: Draft
  readonly embeds: Map<string, EmbedScope>
}

export const make = (): EmbedScope => ({
  query: { select: [], where: [], order: [], limit: undefined, offset: undefined },
  embeds: new Map()
})

/** Adds an item to `select`, an embed with its scope. */
export const add = (scope: EmbedScope, item: Select.Item, inner?: EmbedScope): void => {
  scope.query.select.push(item)
  if (item._tag !== "Embed" || inner === undefined) return
  const name = item.alias ?? item.resource
  if (scope.embeds.has(name)) throw new EmbedRepeated({ name })
  scope.embeds.set(name, inner)
}

/** The scope of an embed. */
export const at = (scope: EmbedScope, name: string, parameter: string): EmbedScope => {
  const inner = scope.embeds.get(name)
  if (inner !== undefined) return inner
  const aliased = scope.query.select.find((item) => item._tag === "Embed" && item.resource === name)
  throw new NotEmbedded({ parameter, name, alias: aliased?._tag === "Embed" ? aliased.alias : undefined })
}
