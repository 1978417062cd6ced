/**
 * An armed fault rule: counts its matches, and decides on which of them it fires.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as FaultDraw from "./FaultDraw.ts"
import * as FaultMatch from "./FaultMatch.ts"

export interface ArmedRule {
  readonly id: string
  readonly rule: AdminApi.FaultRule
  readonly matches: (subject: FaultMatch.Subject) => boolean
  /** Counts a match, and returns the draw of its effects if the rule fires. `now` is in milliseconds since 1970. */
  readonly fire: (now: number) => FaultDraw.FaultDraw | undefined
  readonly counts: () => { readonly matched: number; readonly fired: number }
}

export interface Options {
  readonly id: string
  readonly world: string
  /** The position of the rule in its set, which names a rule without a name. */
  readonly position: number
}

const millis = (timestamp: Timestamp.Timestamp): number => Number(Timestamp.toMicros(timestamp) / 1000n)

export const make = (rule: AdminApi.FaultRule, { id, position, world }: Options): ArmedRule => {
  const { after = 0, every = 1, first = Infinity, probability = 1, seed = 1, times = Infinity } = rule
  const from = rule.from === undefined ? -Infinity : millis(rule.from)
  const until = rule.until === undefined ? Infinity : millis(rule.until)
  const name = rule.name ?? String(position)
  let matched = 0
  let fired = 0
  return {
    id,
    rule,
    matches: FaultMatch.compile(rule.match),
    fire: (now) => {
      matched += 1
      if (matched <= after || matched > first || (matched - after) % every !== 0) return undefined
      if (fired >= times || now < from || now >= until) return undefined
      const draw = FaultDraw.make({ seed, world, rule: name, match: matched })
      if (probability < 1 && draw.unit("fires") >= probability) return undefined
      fired += 1
      return draw
    },
    counts: () => ({ matched, fired })
  }
}
