/**
 * A query while it is being read: its embeds are known by the names that parameters address them by.
 */
import type { Filter } from "../Filter.ts"
import type { Order } from "../Order.ts"
import type { Query } from "../Query.ts"
import { EmbedRepeated, NotEmbedded } from "../QueryError.ts"
import type * as Select from "../Select.ts"

interface Draft extends Query {
  readonly select: Array<Select.Item>
  readonly where: Array<Filter>
  readonly order: Array<Order>
  limit: number | undefined
  offset: number | undefined
}

export interface Level {
  readonly query: Draft
  readonly embeds: Map<string, Level>
}

export const make = (): Level => ({
  query: { select: [], where: [], order: [], limit: undefined, offset: undefined },
  embeds: new Map()
})

/** Adds an item to `select`; an embed brings its level. */
export const add = (level: Level, item: Select.Item, inner?: Level): void => {
  level.query.select.push(item)
  if (item._tag !== "Embed" || inner === undefined) return
  const name = item.alias ?? item.resource
  if (level.embeds.has(name)) throw new EmbedRepeated({ name })
  level.embeds.set(name, inner)
}

/** The level of an embed. */
export const at = (level: Level, name: string, parameter: string): Level => {
  const inner = level.embeds.get(name)
  if (inner !== undefined) return inner
  const aliased = level.query.select.find((item) => item._tag === "Embed" && item.resource === name)
  throw new NotEmbedded({ parameter, name, alias: aliased?._tag === "Embed" ? aliased.alias : undefined })
}
