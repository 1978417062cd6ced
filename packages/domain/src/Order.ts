/**
 * One term of an order, as data.
 */
import type { Path } from "./Filter.ts"

export interface Order {
  readonly path: Path
  /** The to-one embed whose column orders the rows: `order=transfer(status)`. */
  readonly embed: string | undefined
  readonly direction: "asc" | "desc"
  /** `undefined` leaves the default: last when ascending, first when descending. */
  readonly nulls: "first" | "last" | undefined
}
