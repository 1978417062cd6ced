/**
 * Puts the findings of all probes together: a finding that several probes share is one difference.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Ask from "./Ask.ts"
import type { Found } from "./Comparison.ts"
import * as Difference from "./Difference.ts"
import * as Score from "./Score.ts"
import * as Verdict from "./Verdict.ts"

/** A finding at its subject. */
export interface Placed extends Found {
  readonly subject: string
}

/** A probe that both sides answered. */
export interface Compared {
  readonly subject: string
  readonly verb: string
  readonly probe: string
}

/** Findings that are the same for all requests with a verb. */
const ofVerb: ReadonlySet<Difference.Finding["_tag"]> = new Set(["BodyDiffers", "ErrorFieldsDiffer"])

/** Findings that are the same wherever they are seen; all others belong to their probe. */
const general: ReadonlySet<Difference.Finding["_tag"]> = new Set([
  "ColumnDiffers",
  "VocabularyDiffers",
  "HeaderDiffers",
  "FormDiffers",
  "ConstraintDiffers",
  "DefaultDiffers"
])

const nameOf = ({ finding, probe }: Placed): string =>
  JSON.stringify([finding, general.has(finding._tag) ? "" : ofVerb.has(finding._tag) ? probe.verb : probe.name])

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The addresses of the service of a curl line, or the variables with them, such as `$MFG_REST_URL`. */
export interface Addresses {
  readonly restUrl: string
  readonly baseUrl: string
}

/** The line that sends a request with the key of a variable. */
export const curl = (
  { body, credentials = "key", face, headers = {}, method, target }: Ask.Request,
  addresses: Addresses
): string => {
  const address = face === "rows" ? addresses.restUrl : addresses.baseUrl
  const keys = {
    key: `-H "Authorization: Bearer $MFG_API_KEY"`,
    none: "",
    unknown: `-H 'Authorization: Bearer unknown'`
  }
  const type = body !== undefined && headers["content-type"] === undefined ? { "content-type": "application/json" } : {}
  return [
    "curl -i",
    method === "GET" ? "" : method === "HEAD" ? "--head" : `-X ${method}`,
    keys[credentials],
    ...Object.entries({ ...headers, ...type }).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    body === undefined ? "" : `-d ${quoted(body)}`,
    address.startsWith("$") ? `"${address}"${quoted(target)}` : quoted(address + target)
  ]
    .filter((part) => part !== "")
    .join(" ")
}

const placesOf = (group: ReadonlyArray<Placed>): Difference.Difference["places"] => {
  const places: Record<string, Array<string>> = {}
  for (const { probe, subject } of group) {
    const probes = (places[subject] ??= [])
    if (!probes.includes(probe.name)) probes.push(probe.name)
  }
  return places
}

/** The number of probes in which a finding could have been: those of the same name, or of the same subjects. */
const possible = (group: ReadonlyArray<Placed>, compared: ReadonlyArray<Compared>): number => {
  const [first] = group
  if (first === undefined) return 0
  const { finding, probe } = first
  const isOfVerb = ofVerb.has(finding._tag)
  if (finding._tag !== "HeaderDiffers" && !isOfVerb) return compared.filter((one) => one.probe === probe.name).length
  const subjects = new Set(group.map(({ subject }) => subject))
  return compared.filter(({ subject, verb }) => subjects.has(subject) && (!isOfVerb || verb === probe.verb)).length
}

const toDifference = (
  group: ReadonlyArray<Placed>,
  compared: ReadonlyArray<Compared>,
  addresses: Addresses
): ReadonlyArray<Difference.Difference> => {
  const [first] = group
  if (first === undefined) return []
  const { finding, ours, probe, subject, theirs } = first
  const times = group.length
  return [
    {
      class: Difference.classOf(finding),
      verdict: Verdict.of(finding, Catalogue.find(subject)),
      finding,
      message: Verdict.message(finding),
      subject,
      verb: probe.verb,
      probe: probe.name,
      places: placesOf(group),
      seen: { times, of: Math.max(times, possible(group, compared)) },
      exchanges: { ours: ours?.exchange ?? null, theirs: theirs?.exchange ?? null },
      curl: curl(probe.request, addresses)
    }
  ]
}

const order = (one: Difference.Difference, other: Difference.Difference): number =>
  Verdict.compare(one.verdict, other.verdict) ||
  other.seen.times - one.seen.times ||
  (one.subject < other.subject ? -1 : one.subject > other.subject ? 1 : 0)

/** The differences, the worst first, and the score of all probes. */
export const make = (
  found: ReadonlyArray<Placed>,
  compared: ReadonlyArray<Compared>,
  addresses: Addresses
): { readonly differences: ReadonlyArray<Difference.Difference>; readonly score: Score.Score } => {
  const groups = new Map<string, Array<Placed>>()
  for (const one of found) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one])
  const differences = [...groups.values()].flatMap((group) => toDifference(group, compared, addresses)).toSorted(order)
  const unlike = new Set(
    differences
      .filter(({ verdict }) => verdict !== "cosmetic")
      .flatMap(({ places }) =>
        Object.entries(places).flatMap(([subject, probes]) => probes.map((probe) => `${subject} ${probe}`))
      )
  )
  return {
    differences,
    score: Score.make(compared.map((one) => ({ ...one, isAlike: !unlike.has(`${one.subject} ${one.probe}`) })))
  }
}
