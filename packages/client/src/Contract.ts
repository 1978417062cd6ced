/**
 * Checks a service against the contract, from the tests of an application: sends the requests that `mfg-mock compare`
 * sends too, and fails with the differences that break the application. It reads only.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Unauthorized, Unreachable } from "./ClientError.ts"
import { OptionInvalid } from "./ClientError.ts"
import type * as Ask from "./contract/Ask.ts"
import type { Difference, Verdict } from "./contract/Difference.ts"
import * as Differences from "./contract/Differences.ts"
import * as Expected from "./contract/Expected.ts"
import * as Observation from "./contract/Observation.ts"
import * as RowProbes from "./contract/RowProbes.ts"
import type { Score } from "./contract/Score.ts"
import * as Judgement from "./contract/Verdict.ts"
import * as RowTransport from "./internal/RowTransport.ts"
import type { Transport } from "./internal/Transport.ts"
import type { Service } from "./Rows.ts"

export type { Difference, Verdict } from "./contract/Difference.ts"
export type { Score } from "./contract/Score.ts"

export interface Options {
  /** The resources that the application uses (default: all). */
  readonly resources?: ReadonlyArray<Resource.Any>
  /** The least verdict that fails the check (default `breaks-errors`, which includes `breaks-types`). */
  readonly atLeast?: Verdict
  /** Differences that the application copes with. */
  readonly ignore?: (difference: Difference) => boolean
  /** The maximum number of concurrent requests (default 4). */
  readonly concurrency?: number
}

/** The outcome of a check that does not fail. */
export interface Checked {
  /** The lesser differences, and the ignored ones. */
  readonly differences: ReadonlyArray<Difference>
  readonly score: Score
}

const shown = 10

/** A service does not show its address. */
const addresses = { restUrl: "$MFG_REST_URL", baseUrl: "$MFG_BASE_URL" }

/** The service differs from the contract in a way that breaks the application. */
export class ContractBroken extends Data.TaggedError("ContractBroken")<{
  readonly differences: ReadonlyArray<Difference>
}> {
  override get message(): string {
    const { differences } = this
    const lines = differences
      .slice(0, shown)
      .flatMap(({ curl, message, probe, subject, verdict }) => [
        `${verdict}: ${subject}, ${probe}: ${message}`,
        `  ${curl}`
      ])
    const more = differences.length > shown ? [`and ${differences.length - shown} more`] : []
    const count = differences.length === 1 ? "1 difference" : `${differences.length} differences`
    return [`The service differs from the contract (${count}):`, ...lines, ...more].join("\n")
  }
}

/** Headers of responses that probes read. */
const headerNames = ["content-type", "content-range"]

/** The transport sends the key of the service, or another one. */
const canSend = ({ credentials, method }: Ask.Request): boolean => credentials !== "none" && method !== "PROPFIND"

const askOf =
  ({ send }: Transport, semaphore: Effect.Semaphore): Ask.Ask<Unauthorized | Unreachable> =>
  ({ body, credentials, headers = {}, method, target }) => {
    const other: { readonly [name: string]: string } =
      credentials === "unknown" ? { authorization: "Bearer mfg_unknown" } : {}
    const sent = send({
      subject: target.split(/[/?]/)[1] ?? "",
      // Probes with other methods are left out.
      method: method === "PROPFIND" ? "GET" : method,
      target,
      headers: { ...headers, ...other },
      ...(body === undefined ? {} : { body }),
      isIdempotent: true,
      isRead: true
    })
    return semaphore.withPermits(1)(
      Effect.map(sent, ({ header, status, text }) => ({
        status,
        text,
        headers: Object.fromEntries(headerNames.map((name) => [name, header(name)]))
      }))
    )
  }

const checkResource = (side: Observation.Side<Unauthorized | Unreachable>, resource: Resource.Any) =>
  Effect.map(
    Observation.survey(side, resource, ({ expect, request }) => expect !== undefined && canSend(request)),
    (survey) => {
      const subject = resource.resource
      const observations = Object.values(survey.observations).filter(({ probe }) => probe.expect !== undefined)
      const ofColumns = Expected.ofColumns(resource, survey).map((finding) => ({
        subject,
        finding,
        probe: RowProbes.sample(resource),
        ours: undefined,
        theirs: survey.observations["list"]
      }))
      const ofProbes = observations.flatMap((theirs) =>
        Expected.ofProbe(theirs).map((finding) => ({ subject, probe: theirs.probe, finding, ours: undefined, theirs }))
      )
      return {
        found: [...ofColumns, ...ofProbes],
        compared: observations.map(({ probe }) => ({ subject, verb: probe.verb, probe: probe.name }))
      }
    }
  )

/**
 * Checks the service of `rows` against the contract.
 *
 * @example
 * it.effect("the deployment is the one that we expect", () =>
 *   Effect.flatMap(Rows, (rows) => Contract.check(rows, { resources: [Holiday, WarehouseTransfer] })))
 */
export const check = (
  rows: Service,
  { atLeast = "breaks-errors", concurrency = 4, ignore = () => false, resources = Catalogue.resources }: Options = {}
): Effect.Effect<Checked, ContractBroken | Unauthorized | Unreachable> =>
  Effect.gen(function* () {
    const transport = RowTransport.find(rows)
    if (transport === undefined) {
      const expected = "a service that Rows.make or a layer of Rows has made"
      throw new OptionInvalid({ option: "rows", expected, got: undefined })
    }
    const ask = askOf(transport, yield* Effect.makeSemaphore(concurrency))
    const results = yield* Effect.forEach(resources, (resource) => checkResource({ ask, secrets: [] }, resource))
    const found = results.flatMap(({ found }) => found)
    const compared = results.flatMap(({ compared }) => compared)
    const { differences, score } = Differences.make(found, compared, addresses)
    const matters = (difference: Difference) =>
      Judgement.compare(difference.verdict, atLeast) <= 0 && !ignore(difference)
    const broken = differences.filter(matters)
    if (broken.length > 0) return yield* new ContractBroken({ differences: broken })
    return { differences, score }
  })
