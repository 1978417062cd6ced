/**
 * Compares the writes of two services, resource by resource. Rows that an earlier run has left are removed first.
 */
import * as Aspects from "@mfgdata/client/contract/Aspects"
import * as ColumnEvidence from "@mfgdata/client/contract/ColumnEvidence"
import * as Comparison from "@mfgdata/client/contract/Comparison"
import type { Finding } from "@mfgdata/client/contract/Difference"
import type { Survey } from "@mfgdata/client/contract/Observation"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type { ComparedService } from "../ComparedService.ts"
import * as Result from "../Result.ts"
import * as Marker from "./Marker.ts"
import * as NewRow from "./NewRow.ts"
import * as OwnRows from "./OwnRows.ts"
import * as WriteSession from "./WriteSession.ts"

interface Options<E> {
  readonly ours: ComparedService<E> | ComparedService<never>
  readonly theirs: ComparedService<E>
  readonly secrets: ReadonlyArray<string>
  readonly onProbe: () => void
  readonly startedAt: number
}

interface Read {
  /** True where both sides have rows, whose columns were compared. */
  readonly hasRows: boolean
  readonly declared: Comparison.Declared
}

/** The rows from which values are taken. */
const samples = <E>({ ask, leftOut }: ComparedService<E>) =>
  Effect.forEach(
    Catalogue.resources.filter(({ resource }) => !leftOut.some((left) => left.resource === resource)),
    (resource) =>
      Effect.map(
        ask({ method: "GET", face: "rows", target: `/${resource.resource}?limit=20` }),
        ({ status, text }) => ({
          resource,
          rows: Aspects.isSuccess(status) ? Aspects.rowsOf(text).filter(isForeign) : []
        })
      ),
    { concurrency: "unbounded" }
  )

/** Reports a row that no comparison has made. */
const isForeign = (row: JsonObject): boolean =>
  !Object.values(row).some((value: Json) => typeof value === "string" && value.startsWith(Marker.prefix))

/** The value of a column that the create left out, where both passes agree; the key of another row is any key. */
const defaultOf = (column: Column.Column, rows: ReadonlyArray<JsonObject>): Json | undefined => {
  const [value, again] = rows.map((row) => row[column.name])
  if (value === undefined || JSON.stringify(value) !== JSON.stringify(again)) return undefined
  return value !== null && (column.reference !== undefined || column.name === "companyId") ? "<key>" : value
}

const defaults = (
  resource: Resource.Any,
  ours: WriteSession.Written,
  theirs: WriteSession.Written
): ReadonlyArray<Finding> =>
  Column.fromResource(resource)
    .filter(({ name, write }) => write === "optional" && !ours.sent.includes(name) && !theirs.sent.includes(name))
    .flatMap((column) => {
      const [one, other] = [defaultOf(column, ours.rows), defaultOf(column, theirs.rows)]
      return one === undefined || other === undefined || JSON.stringify(one) === JSON.stringify(other)
        ? []
        : [{ _tag: "DefaultDiffers", column: column.name, ours: one, theirs: other }]
    })

const survey = (resource: Resource.Any, { observations, rows }: WriteSession.Written): Survey => ({
  observations,
  columns: ColumnEvidence.fromRows(resource, rows, observations["create"]?.exchange.response.body ?? ""),
  rows: rows.length,
  isChanging: false
})

/** Starts the writes of a run. */
export const make = <E>({ onProbe, ours, secrets, startedAt, theirs }: Options<E>) =>
  Effect.gen(function* () {
    const run = Marker.start(startedAt)
    const notWritten: Array<{ readonly subject: string; readonly reason: string }> = []
    const left: Array<OwnRows.Left> = []
    const isOfEarlierRun = (name: string) => Marker.isLeft(name, startedAt, run)
    for (const resource of Catalogue.deletionOrder) {
      const nameColumn = NewRow.nameColumn(resource)
      const isRead = !theirs.leftOut.some((left) => left.resource === resource.resource)
      if (nameColumn === undefined || !isRead) continue
      left.push(...(yield* OwnRows.remove(theirs, resource, nameColumn, isOfEarlierRun)))
    }
    const [ourKnown, theirKnown] = yield* Effect.all([samples<E>(ours), samples(theirs)], { concurrency: 2 })
    const sessionOf =
      (service: ComparedService<E>, known: NewRow.Known, isCounted: boolean) => (resource: Resource.Any) =>
        WriteSession.run<E>({
          service,
          resource,
          known,
          run,
          secrets,
          onProbe: isCounted ? onProbe : () => undefined,
          onLeft: (rows) => left.push(...rows)
        })
    const ourSession = sessionOf(ours, NewRow.known(ourKnown), false)
    const theirSession = sessionOf(theirs, NewRow.known(theirKnown), true)

    const compare = (resource: Resource.Any, { declared, hasRows }: Read): Effect.Effect<Result.Result, E> =>
      Effect.gen(function* () {
        const subject = resource.resource
        const [one, two] = yield* Effect.all([ourSession(resource), theirSession(resource)], { concurrency: 2 })
        if (one._tag === "NotWritten" || two._tag === "NotWritten") {
          const reason =
            two._tag === "NotWritten" ? two.reason : one._tag === "NotWritten" ? `our side: ${one.reason}` : ""
          notWritten.push({ subject, reason })
          return Result.none
        }
        const result = Result.make(subject, one.observations, two.observations)
        const [own, other] = [one.observations["create"], two.observations["create"]]
        if (own === undefined || other === undefined) return result
        const findings = [
          ...defaults(resource, one, two),
          // A list without rows does not show the columns.
          ...(hasRows ? [] : Comparison.ofColumns(resource, survey(resource, one), survey(resource, two), declared))
        ]
        const placed = findings.map((finding) => ({ subject, probe: other.probe, finding, ours: own, theirs: other }))
        return { ...result, found: [...placed, ...result.found] }
      })

    return { compare, notWritten, left }
  })
