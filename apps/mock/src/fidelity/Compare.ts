/**
 * Compares two services: sends the probes of the catalogue to both, and puts their differences together.
 */
import * as Comparison from "@mfgdata/client/contract/Comparison"
import * as Differences from "@mfgdata/client/contract/Differences"
import * as Observation from "@mfgdata/client/contract/Observation"
import * as OperationProbes from "@mfgdata/client/contract/OperationProbes"
import type { Probe } from "@mfgdata/client/contract/Probe"
import * as Aspects from "@mfgdata/client/contract/Aspects"
import * as Report from "@mfgdata/client/contract/Report"
import * as RowProbes from "@mfgdata/client/contract/RowProbes"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ComparedService } from "./ComparedService.ts"
import * as Reduction from "./Reduction.ts"
import * as Result from "./Result.ts"
import type * as Surveys from "./Surveys.ts"
import * as Writing from "./write/Writing.ts"

export interface Options<E> {
  readonly ours: ComparedService<never> | ComparedService<E>
  readonly theirs: ComparedService<E>
  readonly resources: ReadonlyArray<Resource.Any>
  readonly declared: Comparison.Declared
  /** The surveys of an earlier run that was stopped, and of this one. */
  readonly surveys: Surveys.Surveys
  /** Writes too, in rows of its own. */
  readonly write: boolean
  /** Receives all findings with their observations, of which the report has a part. */
  readonly onFound?: (found: ReadonlyArray<Differences.Placed>, compared: ReadonlyArray<Differences.Compared>) => void
  /** Receives the number of probes that were sent, and the subject of the last. */
  readonly onProbe: (probes: number, subject: string) => void
}

const statusOf = (observation: Observation.Observation | undefined): number => Number(observation?.aspects["status"])

/** The probes that follow from the first observations: a select that fails is repeated for each column. */
const followUps = (
  resource: Resource.Any,
  ours: Observation.Survey,
  theirs: Observation.Survey
): ReadonlyArray<Probe> => {
  const select = "list.select"
  const isSplit = statusOf(ours.observations[select]) !== statusOf(theirs.observations[select])
  const unlisted = Object.keys(theirs.columns).filter((name) => !Column.byName(resource).has(name))
  return [...(isSplit ? Column.fromResource(resource).map(({ name }) => name) : []), ...unlisted].map((name) =>
    RowProbes.column(resource, name)
  )
}

const noEvidence = { types: [], elements: [], hasNull: true, words: [], forms: [], isUnreadable: false }

/** Our columns, with those that our side knows although it has no row that shows them. */
const withKnown = (survey: Observation.Survey, answers: Observation.ByProbe): Observation.Survey => ({
  ...survey,
  columns: {
    ...Object.fromEntries(
      Object.values(answers)
        .filter((answer) => Aspects.isSuccess(statusOf(answer)))
        .flatMap(({ probe }) => (probe.columns ?? []).map((name) => [name, noEvidence]))
    ),
    ...survey.columns
  }
})

/** Runs a comparison. */
export const run = <E>(options: Options<E>): Effect.Effect<Report.Report, E> =>
  Effect.gen(function* () {
    const { declared, onProbe, ours, resources, surveys, theirs } = options
    const startedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    let probes = 0
    let subject = "service"
    const secrets = [Redacted.value(ours.apiKey), Redacted.value(theirs.apiKey)]
    const sideOf = (service: ComparedService<E> | ComparedService<never>): Observation.Side<E> => ({
      ask: service.ask,
      secrets
    })
    const own = sideOf(ours)
    const other: Observation.Side<E> = { ...sideOf(theirs), onProbe: () => onProbe(++probes, subject) }
    const both = (sent: ReadonlyArray<Probe>) =>
      Effect.all([Observation.observeAll(own, sent), Observation.observeAll(other, sent)], { concurrency: 2 })

    const ofService = Effect.map(both(OperationProbes.service), ([one, two]) => Result.make("service", one, two))

    const userOf = (side: Observation.Side<E>) =>
      Effect.map(side.ask(OperationProbes.currentUser.request), ({ text }) => {
        const [user] = Aspects.rowsOf(text)
        return typeof user?.["id"] === "string" ? user["id"] : undefined
      })

    const leftOut: Array<Report.LeftOut> = theirs.leftOut.flatMap(({ code, reason, resource, status }) =>
      status === 401 || status === 403 ? [{ subject: resource, status, code: code ?? null, reason }] : []
    )

    const ofOperations = Effect.gen(function* () {
      const [ourUser, theirUser] = [yield* userOf(own), yield* userOf(other)]
      const results: Array<Result.Result> = []
      for (const operation of OperationProbes.operations) {
        subject = operation.id
        const [one, two] = yield* Effect.all(
          [
            Observation.observeAll(own, OperationProbes.make(operation, ourUser)),
            Observation.observeAll(other, OperationProbes.make(operation, theirUser))
          ],
          { concurrency: 2 }
        )
        const status = statusOf(two["operation"])
        if (status === 403 && statusOf(one["operation"]) !== 403) {
          const code = two["operation"]?.aspects["code"]
          const reason = String(two["operation"]?.aspects["text:message"] ?? "the key may not call it")
          leftOut.push({ subject, status, code: typeof code === "string" ? code : null, reason })
        } else results.push(Result.make(subject, one, two))
      }
      return Result.combine(results)
    })

    const changing: Array<string> = []
    const empty: Array<string> = []

    const ofUnread = (resource: Resource.Any) =>
      Effect.map(both([RowProbes.sample(resource)]), ([one, two]) => Result.make(resource.resource, one, two))

    const ofResource = (resource: Resource.Any) =>
      Effect.gen(function* () {
        const name = resource.resource
        subject = name
        if (leftOut.some(({ subject }) => subject === name)) return Result.none
        // The service has no such resource, or answers a list with something else: there are no rows to read.
        if (theirs.leftOut.some(({ resource }) => resource === name)) return yield* ofUnread(resource)
        const [one, two] = yield* Effect.all(
          [Observation.survey(own, resource), surveys.resume(name, Observation.survey(other, resource))],
          { concurrency: 2 }
        )
        if (two.isChanging) changing.push(name)
        if (one.rows === 0 || two.rows === 0) empty.push(name)
        const [oneMore, twoMore] = yield* both(followUps(resource, one, two))
        const result = Result.make(name, { ...one.observations, ...oneMore }, { ...two.observations, ...twoMore })
        const [ourList, theirList] = [one.observations["list"], two.observations["list"]]
        if (ourList === undefined || theirList === undefined) return result
        const inRows = Comparison.ofColumns(resource, withKnown(one, oneMore), two, declared).map((finding) => ({
          subject: name,
          probe: theirList.probe,
          finding,
          ours: ourList,
          theirs: theirList
        }))
        return { ...result, found: [...inRows, ...result.found] }
      })

    const ofWrites = (resource: Resource.Any) => {
      subject = resource.resource
      const isRead = !theirs.leftOut.some(({ resource: name }) => name === resource.resource)
      return writing === undefined || !isRead
        ? Effect.succeed(Result.none)
        : writing.compare(resource, { hasRows: !empty.includes(resource.resource), declared })
    }

    const writing = options.write
      ? yield* Writing.make({
          ours,
          theirs,
          secrets,
          onProbe: () => onProbe(++probes, subject),
          startedAt: yield* Clock.currentTimeMillis
        })
      : undefined

    const results = [
      yield* ofService,
      yield* ofOperations,
      ...(yield* Effect.forEach(resources, ofResource)),
      ...(yield* Effect.forEach(resources, ofWrites))
    ]
    const { compared, found } = Result.combine(results)
    options.onFound?.(found, compared)
    const { differences, score } = Differences.make(found, compared, theirs)
    const reduced = yield* Reduction.all(differences, found, { own, other, addresses: theirs })
    const service = ({ baseUrl, name, restUrl }: ComparedService<E> | ComparedService<never>) => ({
      name,
      restUrl,
      baseUrl
    })
    return {
      version: Report.version,
      ours: service(ours),
      theirs: service(theirs),
      startedAt,
      finishedAt: new Date(yield* Clock.currentTimeMillis).toISOString(),
      write: options.write,
      resources: resources.map(({ resource }) => resource),
      leftOut,
      changing,
      empty,
      notWritten: writing?.notWritten ?? [],
      left: writing?.left ?? [],
      differences: reduced,
      score
    }
  })
