/**
 * The faults of one request: the effects of all rules that fire on it, joined.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import type * as FaultDraw from "./FaultDraw.ts"
import * as Draw from "./FaultDraw.ts"

type Rule = AdminApi.FaultRule
type Moment = NonNullable<Rule["reset"]>

/** The end of a request without a response. */
export interface Loss {
  readonly way: "Reset" | "Hang"
  readonly moment: Moment
}

type Changes = Pick<Rule, "headers" | "truncate" | "malform" | "contentType" | "skew">

export interface Injection {
  /** The ids of the rules, in the order in which they were armed. */
  readonly ids: ReadonlyArray<string>
  readonly latencyMillis: number
  /** Bytes a second. */
  readonly up: number | undefined
  readonly down: number | undefined
  /** The rule that responds in place of the service. */
  readonly answer: Pick<Rule, "status" | "headers" | "body" | "store"> | undefined
  readonly loss: Loss | undefined
  /** The changes of the response by the rules. */
  readonly changes: ReadonlyArray<Changes>
  readonly staleSeconds: number | undefined
}

/** A rule that fires, and its draw. */
export interface Firing {
  readonly id: string
  readonly rule: Rule
  readonly draw: FaultDraw.FaultDraw
}

const least = (rates: ReadonlyArray<number | undefined>): number | undefined => {
  const known = rates.filter((rate) => rate !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

const lossOf = ({ hang, reset }: Rule): Loss | undefined =>
  reset !== undefined ? { way: "Reset", moment: reset } : hang !== undefined ? { way: "Hang", moment: hang } : undefined

/** The changes by a rule. The headers of a rule that responds belong to its response. */
const changesOf = ({ headers, ...rule }: Rule): Changes =>
  headers === undefined || rule.status !== undefined ? rule : { ...rule, headers }

/** Joins the effects of rules: latencies add up, the lower bandwidth holds, and the first rule that responds does so. */
export const make = (firings: ReadonlyArray<Firing>): Injection => {
  const rules = firings.map(({ rule }) => rule)
  return {
    ids: firings.map(({ id }) => id),
    latencyMillis: firings.reduce(
      (sum, { draw, rule }) => sum + (rule.latency === undefined ? 0 : Draw.latency(rule.latency, draw)),
      0
    ),
    up: least(rules.map(({ bandwidth }) => bandwidth?.up)),
    down: least(rules.map(({ bandwidth }) => bandwidth?.down)),
    answer: rules.find(({ status, store }) => status !== undefined || store !== undefined),
    loss: rules.map(lossOf).find((loss) => loss !== undefined),
    changes: rules.map(changesOf),
    staleSeconds: rules.find(({ stale }) => stale !== undefined)?.stale
  }
}
