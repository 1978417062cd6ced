/**
 * Makes facts of the differences that a comparison found: for all resources where most of them show it, for one resource
 * otherwise.
 */
import type { Compared, Placed } from "@mfgdata/client/contract/Differences"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Fact from "@mfgdata/domain/Fact"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Arr from "effect/Array"
import * as Preferences from "../../rows/request/Preferences.ts"
import * as RequestKind from "../../facts/RequestKind.ts"
import * as ColumnLesson from "./ColumnLesson.ts"
import * as ErrorLesson from "./ErrorLesson.ts"

/** Returns our refusal of a request without facts, whose code a fact needs. */
export interface RefusalOf {
  (placed: Placed): JsonObject | undefined
}

/** The distance of a round from the first: later rounds correct facts that were too general. */
export type Round = number

/** A fact about one resource, and the probe that shows it. */
interface Candidate {
  readonly fact: Fact.Fact
  readonly probe: string
}

const headersOf = ({ probe }: Placed) => probe.request.headers ?? {}

const kindOf = (placed: Placed): Fact.Request => {
  const resource = Catalogue.find(placed.subject)
  if (resource === undefined) return "any"
  const { body = "", method, target } = placed.probe.request
  return RequestKind.of({ method, headers: headersOf(placed), body }, target.split("?")[1] ?? "", resource)
}

const statusOf = (observation: Placed["ours"]): number => Number(observation?.aspects["status"])

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** A body as a shape of a fact. */
const shapes: { readonly [form: string]: Fact.Of<"shape">["shape"] } = {
  object: "object",
  array: "array",
  null: "null",
  empty: "empty"
}

const preferOf = (placed: Placed) => {
  const prefer = Preferences.parse(headersOf(placed)["prefer"]).return
  return prefer === undefined ? {} : { prefer }
}

/** Codes of this service that several statuses have. */
const ambiguous: ReadonlySet<string> = new Set(["PGRST102", "54000", "57014"])

/** The facts about a refusal of both services. */
const ofError = (placed: Placed, refusal: JsonObject, seen: number): ReadonlyArray<Fact.Fact> => {
  const { subject, theirs } = placed
  // The response to HEAD has no body that shows the form of errors.
  if (theirs === undefined || placed.probe.request.method === "HEAD") return []
  const { body: text, headers } = theirs.exchange.response
  const resource = Catalogue.find(subject)
  const name = resource === undefined ? (placed.probe.request.target.split(/[/?]/)[1] ?? "") : subject
  const code = String(refusal["code"])
  const kind = kindOf(placed)
  const body: Json = ErrorLesson.template(refusal, { text }, name, resource)
  const contentType = headers["content-type"]
  const isText = typeof body === "string"
  return [
    {
      fact: "error",
      resource: subject,
      request: code === "PGRST116" ? RequestKind.missingOf(kind) : kind,
      code,
      ...(ambiguous.has(code) && Number.isInteger(refusal["status"]) ? { when: Number(refusal["status"]) } : {}),
      status: statusOf(theirs),
      body,
      ...(contentType !== undefined && (isText || !contentType.startsWith("application/json")) ? { contentType } : {}),
      seen
    }
  ]
}

/** The facts about a response. */
const ofResponse = (placed: Placed, refusalOf: RefusalOf, seen: number): ReadonlyArray<Fact.Fact> => {
  const { finding, ours, subject, theirs } = placed
  const kind = kindOf(placed)
  const at = { resource: subject, seen }
  if (finding._tag === "HeaderDiffers") {
    const isRefused = !isSuccess(statusOf(theirs))
    const value = finding.theirs === null ? null : (theirs?.exchange.response.headers[finding.header] ?? finding.theirs)
    return [{ fact: "header", ...at, request: isRefused ? "error" : kind, name: finding.header, value }]
  }
  const [one, other] = [statusOf(ours), statusOf(theirs)]
  const refusal = isSuccess(one) ? undefined : refusalOf(placed)
  if (!isSuccess(other)) return refusal === undefined ? [] : ofError(placed, refusal, seen)
  const isAbsent = refusal?.["code"] === "PGRST116"
  if (refusal !== undefined && !isAbsent) return []
  const request = isAbsent ? RequestKind.missingOf(kind) : kind
  const shape = shapes[String(theirs?.aspects["body"])]
  const isShaped = headersOf(placed)["accept"] !== undefined
  const isHead = placed.probe.request.method === "HEAD"
  return [
    ...(one === other || (isAbsent && isShaped)
      ? []
      : [{ fact: "status" as const, ...at, request, ...preferOf(placed), status: other }]),
    ...(shape === undefined || isHead || isShaped || (one === other && finding._tag !== "BodyDiffers")
      ? []
      : [{ fact: "shape" as const, ...at, request, ...preferOf(placed), shape }])
  ]
}

/** The findings from which facts about responses are made. */
const responses = new Set<Placed["finding"]["_tag"]>([
  "StatusDiffers",
  "BodyDiffers",
  "HeaderDiffers",
  "CodeDiffers",
  "ErrorFieldsDiffer",
  "ErrorTextDiffers"
])

const candidatesOf = (placed: Placed, refusalOf: RefusalOf): ReadonlyArray<Candidate> => {
  const { finding, probe, subject } = placed
  const resource = Catalogue.find(subject)
  const isOfRows = resource !== undefined || (subject === "service" && probe.request.face === "rows")
  if (!isOfRows || probe.request.target === "/") return []
  const facts = responses.has(finding._tag)
    ? ofResponse(placed, refusalOf, 1)
    : resource === undefined
      ? []
      : ColumnLesson.make(
          finding,
          resource,
          { isFilter: probe.name.startsWith("list.filter"), text: placed.theirs?.exchange.response.body ?? "" },
          1
        )
  return facts.map((fact) => ({ fact, probe: probe.name }))
}

const contentOf = (fact: Fact.Fact): string => JSON.stringify({ ...fact, resource: "", request: "", seen: 0 })

/** The fact that most candidates agree on, with the number of those. */
const majority = (candidates: ReadonlyArray<Candidate>): Candidate | undefined => {
  const groups = Object.values(Arr.groupBy(candidates, ({ fact }) => contentOf(fact)))
  const [first = []] = groups.toSorted((one, other) => other.length - one.length)
  const [candidate] = first
  return candidate === undefined ? undefined : { ...candidate, fact: { ...candidate.fact, seen: first.length } }
}

type General = Extract<Fact.Fact, { readonly resource: string }>

const isGeneral = (fact: Fact.Fact): fact is General =>
  fact.fact === "status" ||
  fact.fact === "shape" ||
  fact.fact === "header" ||
  fact.fact === "error" ||
  fact.fact === "timestamp"

/** The place of a fact about any resource, and in the first round about any request that is refused or has a header. */
const generalized = (fact: General, round: Round): General => {
  const ofAll = { ...fact, resource: "*" }
  return round === 0 && ofAll.fact === "error" && !ofAll.request.endsWith("Missing")
    ? { ...ofAll, request: "any" }
    : ofAll
}

/** The headers that lists, single rows and refusals of all resources have alike, as facts about every response. */
const everywhere = (facts: ReadonlyArray<Fact.Fact>): ReadonlyArray<Fact.Of<"header">> => {
  const headers = facts.filter((fact) => fact.fact === "header" && fact.resource === "*")
  return Object.values(Arr.groupBy(headers, contentOf)).flatMap((group): ReadonlyArray<Fact.Of<"header">> => {
    const requests = new Set(group.flatMap((fact) => ("request" in fact ? [fact.request] : [])))
    const [first] = group
    return first.fact === "header" && ["list", "retrieve", "error"].every((request) => requests.has(request as "list"))
      ? [{ ...first, request: "any", seen: group.reduce((sum, { seen }) => sum + seen, 0) }]
      : []
  })
}

/** The facts of differences. */
export const make = (
  found: ReadonlyArray<Placed>,
  compared: ReadonlyArray<Compared>,
  refusalOf: RefusalOf,
  round: Round
): ReadonlyArray<Fact.Fact> => {
  const candidates = found.flatMap((placed) => candidatesOf(placed, refusalOf))
  const [general, own] = [
    candidates.filter(({ fact }) => isGeneral(fact)),
    candidates.filter(({ fact }) => !isGeneral(fact))
  ]
  const resources = new Set(compared.map(({ subject }) => subject).filter((name) => Catalogue.find(name) !== undefined))
  /** Reports whether most of the resources with a probe show a difference in it. */
  const isOfMost = (group: ReadonlyArray<Candidate>): boolean => {
    const probes = new Set(group.map(({ probe }) => probe))
    const possible = new Set(compared.filter(({ probe }) => probes.has(probe)).map(({ subject }) => subject))
    const shown = new Set(group.flatMap(({ fact }) => ("resource" in fact ? [fact.resource] : [])))
    return resources.size > 1 && shown.size * 2 >= possible.size
  }
  const facts = new Map<string, Fact.Fact>()
  const add = (group: ReadonlyArray<Candidate>, change: (fact: General) => Fact.Fact): void => {
    const candidate = majority(group)
    if (candidate === undefined) return
    const fact = isGeneral(candidate.fact) ? change(candidate.fact) : candidate.fact
    facts.set(Fact.place(fact), fact)
  }
  const groups = (by: (fact: Fact.Fact) => Fact.Fact, from: ReadonlyArray<Candidate>) =>
    Object.values(Arr.groupBy(from, ({ fact }) => Fact.place(by(fact))))
  for (const group of groups((fact) => (isGeneral(fact) ? generalized(fact, round) : fact), general)) {
    if (round < 2 && isOfMost(group)) {
      add(group, (fact) => generalized(fact, round))
      continue
    }
    for (const part of groups((fact) => fact, group)) add(part, (fact) => fact)
  }
  for (const group of groups((fact) => fact, own)) add(group, (fact) => fact)
  for (const fact of everywhere([...facts.values()])) {
    for (const request of Fact.requests) facts.delete(Fact.place({ ...fact, request }))
    facts.delete(Fact.place({ ...fact, request: "error" }))
    facts.set(Fact.place(fact), fact)
  }
  // The service as a whole is not a resource: what is learned there holds for all.
  return [...facts.values()].map((fact) =>
    "resource" in fact && fact.resource === "service" ? { ...fact, resource: "*" } : fact
  )
}
