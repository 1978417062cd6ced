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
}

/** Thrown by a change without events, for rows that a webhook has subscribed to. */
export class SubscriberFound extends Data.TaggedError("SubscriberFound")<OwnedTable> {}

export const make = (): ChangeResult => ({ results: [], hasEvents: false })

/** Adds the result of steps that ran in one statement. */
export const add = (
  result: ChangeResult,
  { hasEvents, results }: { readonly results: ReadonlyArray<Rows>; readonly hasEvents: boolean }
): undefined => {
  result.results.push(...results)
  result.hasEvents ||= hasEvents
}

/** Adds the rows of a step; returns a refusal if they refuse the change. */
export const accept = (result: ChangeResult, step: Step, rows: Rows): Refused | undefined => {
  switch (step._tag) {
    case "Run":
      result.results.push(rows)
      return undefined
    case "Publish":
      result.hasEvents ||= rows.length > 0
      return undefined
    case "Enqueue":
      return undefined
    case "Unsubscribed":
      if (rows.length > 0) throw new SubscriberFound(step.owned)
      return undefined
    case "Guard":
      return rows.length > 0 ? new Refused({ refusal: step.refusal }) : undefined
  }
}
