/**
 * The probes of subjects, compared.
 */
import * as Comparison from "@mfgdata/client/contract/Comparison"
import type * as Differences from "@mfgdata/client/contract/Differences"
import type * as Observation from "@mfgdata/client/contract/Observation"

export interface Result {
  readonly found: ReadonlyArray<Differences.Placed>
  readonly compared: ReadonlyArray<Differences.Compared>
}

export const none: Result = { found: [], compared: [] }

/** The results of several subjects together. */
export const combine = (results: ReadonlyArray<Result>): Result => ({
  found: results.flatMap(({ found }) => found),
  compared: results.flatMap(({ compared }) => compared)
})

const place = (subject: string, ours: Observation.Observation, theirs: Observation.Observation): Result => {
  const { probe } = theirs
  return {
    found: Comparison.ofProbe(ours, theirs).map((finding) => ({ subject, probe, finding, ours, theirs })),
    compared: [{ subject, verb: probe.verb, probe: probe.name }]
  }
}

/** Compares the probes that both sides have. */
export const make = (subject: string, ours: Observation.ByProbe, theirs: Observation.ByProbe): Result =>
  combine(
    Object.entries(theirs).map(([name, observation]) => {
      const own = ours[name]
      return own === undefined ? none : place(subject, own, observation)
    })
  )
