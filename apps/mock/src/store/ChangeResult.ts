/**
 * Collects the results of the steps of a change, one after the other.
 */
import * as Data from "effect/Data"
import type { OwnedTable } from "../sql/Owner.ts"
import type { Rows, Step } from "../sql/Change.ts"
import { Refused } from "./Store.ts"

export interface ChangeResult {
  /** The rows of each `Run`. */
  readonly results: Array<Rows>
  /** Set when the change has published events. */
  hasEvents: boolean
  /** The number of deliveries, if it was counted. */
  deliveries: number
  /** The first and the last published event. */
  range: readonly [first: number, last: number] | undefined
}

/** Thrown by a change without events, for rows that a webhook has subscribed to. */
export class SubscriberFound extends Data.TaggedError("SubscriberFound")<OwnedTable> {}

export const make = (): ChangeResult => ({ results: [], hasEvents: false, deliveries: 0, range: undefined })

/** Adds the result of steps that ran in one statement. */
export const add = (
  result: ChangeResult,
  { hasEvents, results }: { readonly results: ReadonlyArray<Rows>; readonly hasEvents: boolean }
): undefined => {
  result.results.push(...results)
  result.hasEvents ||= hasEvents
}

/** Adds published events, whose first column is their number in the outbox. */
const extend = (result: ChangeResult, rows: Rows): void => {
  const [first, last] = [rows[0]?.[0], rows.at(-1)?.[0]]
  if (first !== undefined) result.range = [result.range?.[0] ?? Number(first), Number(last)]
}

/** The refusal of a change that would create a number of deliveries. */
export const refusalOf = ({ limit }: Extract<Step, { readonly _tag: "Count" }>, count: number): Refused | undefined =>
  count > limit ? new Refused({ refusal: { _tag: "TooManyDeliveries", limit, count } }) : undefined

/** Adds the rows of a step; returns a refusal if they refuse the change. */
export const accept = (result: ChangeResult, step: Step, rows: Rows): Refused | undefined => {
  switch (step._tag) {
    case "Run":
      result.results.push(rows)
      return undefined
    case "Publish":
      result.hasEvents ||= rows.length > 0
      if (step.returns === "events") extend(result, rows)
      return undefined
    case "Count": {
      const count = Number(rows[0]?.[0] ?? 0)
      result.deliveries = count
      return refusalOf(step, count)
    }
    case "Enqueue":
      return undefined
    case "Unsubscribed":
      if (rows.length > 0) throw new SubscriberFound(step.owned)
      return undefined
    case "Guard":
      return rows.length > 0 ? new Refused({ refusal: step.refusal }) : undefined
  }
}
