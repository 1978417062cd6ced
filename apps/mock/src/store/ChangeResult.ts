/**
 * What the steps of a change come to, as their rows are heard one after the other.
 */
import type { Rows, Step } from "../sql/Change.ts"
import { Refused } from "./Store.ts"

export interface ChangeResult {
  /** The rows of each `Run`. */
  readonly results: Array<Rows>
  /** Whether there is something to deliver. */
  hasEvents: boolean
}

export const make = (): ChangeResult => ({ results: [], hasEvents: false })

/** Takes a step's rows; answers why the change is refused, if it is. */
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
    case "Guard":
      return rows.length > 0 ? new Refused({ refusal: step.refusal }) : undefined
  }
}
