/**
 * The context of a plan besides its request: the caller, the limits and rules of the service, clock and ids.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Caller } from "../../access/Caller.ts"

export interface PlanContext {
  readonly caller: Caller
  readonly rules: RuleSet
  /** The most rows that a list without a limit answers. */
  readonly maxRows: number
  /** Whether rows may be aggregated, which costs as much as all of them. */
  readonly aggregates?: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
  /** Keys that stand already, as far as they matter for keys that are made of names. */
  readonly taken: ReadonlySet<string>
}
