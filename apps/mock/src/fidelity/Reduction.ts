/**
 * Reduces the request of a difference to the smallest one that still shows it: leaves out its headers and parameters one
 * after the other.
 */
import type * as Ask from "@mfgdata/client/contract/Ask"
import * as Comparison from "@mfgdata/client/contract/Comparison"
import type { Difference } from "@mfgdata/client/contract/Difference"
import * as Differences from "@mfgdata/client/contract/Differences"
import * as Observation from "@mfgdata/client/contract/Observation"
import type { Probe } from "@mfgdata/client/contract/Probe"
import * as Effect from "effect/Effect"

interface Sides<E> {
  readonly own: Observation.Side<E>
  readonly other: Observation.Side<E>
  readonly addresses: Differences.Addresses
}

const without = ({ headers = {}, ...request }: Ask.Request): ReadonlyArray<Ask.Request> => {
  const [path = "", query] = request.target.split("?", 2)
  const parameters = query?.split("&") ?? []
  return [
    ...Object.keys(headers).map((name) => ({
      ...request,
      headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name))
    })),
    ...parameters.map((_, index) => {
      const rest = parameters.filter((_, other) => other !== index).join("&")
      return { ...request, headers, target: rest === "" ? path : `${path}?${rest}` }
    })
  ]
}

/** Only requests that change nothing are repeated. */
const isRepeatable = ({ method }: Ask.Request): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"

const reduce = <E>(
  { finding, ours, probe }: Differences.Placed,
  { other, own }: Sides<E>
): Effect.Effect<Ask.Request, E> => {
  const wanted = JSON.stringify(finding)
  const shows = (request: Ask.Request) => {
    // Each side is asked for its own rows: parameters with their values stay.
    const ownRequest = ours?.probe.request.target === probe.request.target ? request : undefined
    if (ownRequest === undefined) return Effect.succeed(false)
    const changed: Probe = { ...probe, request }
    return Effect.map(
      Effect.all([Observation.observe(own, changed), Observation.observe(other, changed)], { concurrency: 2 }),
      ([one, two]) => Comparison.ofProbe(one, two).some((finding) => JSON.stringify(finding) === wanted)
    )
  }
  const smaller = (request: Ask.Request): Effect.Effect<Ask.Request, E> =>
    Effect.flatMap(Effect.findFirst(without(request), shows), (found) =>
      found._tag === "None" ? Effect.succeed(request) : smaller(found.value)
    )
  return smaller(probe.request)
}

/** The request for one column; its difference is in the rows of a list. */
const ofColumn = ({ request }: Probe, column: string): Ask.Request => ({
  ...request,
  target: `${request.target.split("?", 1)[0] ?? ""}?select=${encodeURIComponent(column)}`
})

/** The differences with curl lines of reduced requests. */
export const all = <E>(
  differences: ReadonlyArray<Difference>,
  found: ReadonlyArray<Differences.Placed>,
  sides: Sides<E>
): Effect.Effect<ReadonlyArray<Difference>, E> =>
  Effect.forEach(differences, (difference) => {
    const placed = found.find(
      ({ finding, probe, subject }) =>
        finding === difference.finding && probe.name === difference.probe && subject === difference.subject
    )
    if (placed === undefined || !isRepeatable(placed.probe.request)) return Effect.succeed(difference)
    const { finding, probe } = placed
    const isOfRows = probe.reads === "rows" && "column" in finding
    return Effect.map(
      isOfRows ? Effect.succeed(ofColumn(probe, finding.column)) : reduce(placed, sides),
      (request) => ({ ...difference, curl: Differences.curl(request, sides.addresses) })
    )
  })
