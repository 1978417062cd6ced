/**
 * The context of a plan besides its request: the caller, the limits and rules of the service, clock and ids.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Caller } from "../../access/Caller.ts"

export interface PlanContext {
  readonly caller: Caller
  readonly rules: RuleSet
  /** Maximum number of rows of a list without a limit. */
  readonly maxRows: number
  /** Allows aggregate functions (default false), which read every row that passes the filter. */
  readonly aggregates?: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
  /** Stored keys that a key made from a name must differ from. */
  readonly taken: ReadonlySet<string>
}
