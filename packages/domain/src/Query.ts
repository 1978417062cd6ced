/**
 * The row-query language as data, and its one grammar: `toSearchParams` and `parse` are inverse to each other.
 */
import type { Filter } from "./Filter.ts"
import type { Order } from "./Order.ts"
import type { Item } from "./Select.ts"

export interface Query {
  /** Empty means every column at the top, and nothing inside an embed. */
  readonly select: ReadonlyArray<Item>
  /** All of them hold. */
  readonly where: ReadonlyArray<Filter>
  readonly order: ReadonlyArray<Order>
  readonly limit: number | undefined
  readonly offset: number | undefined
}
