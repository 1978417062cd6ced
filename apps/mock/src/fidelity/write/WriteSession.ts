/**
 * Sends the probes that write to a resource of one service: twice, each time with rows of their own, which are removed
 * afterwards, also when the run is interrupted.
 */
import type * as Ask from "@mfgdata/client/contract/Ask"
import * as Aspects from "@mfgdata/client/contract/Aspects"
import * as Observation from "@mfgdata/client/contract/Observation"
import type { Probe } from "@mfgdata/client/contract/Probe"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type { ComparedService } from "../ComparedService.ts"
import type * as Marker from "./Marker.ts"
import * as NewRow from "./NewRow.ts"
import * as OwnRows from "./OwnRows.ts"
import * as WriteSteps from "./WriteSteps.ts"

/** A resource to which nothing is written, and the reason. */
export interface NotWritten {
  readonly _tag: "NotWritten"
  readonly reason: string
}

export interface Written {
  readonly _tag: "Written"
  readonly observations: Observation.ByProbe
  /** The rows of the first creates, one of each pass. */
  readonly rows: ReadonlyArray<JsonObject>
  /** The columns that these creates had. */
  readonly sent: ReadonlyArray<string>
}

interface Options<E> {
  readonly service: ComparedService<E>
  readonly resource: Resource.Any
  readonly known: NewRow.Known
  readonly run: Marker.Run
  readonly secrets: ReadonlyArray<string>
  readonly onProbe: () => void
  /** Receives the rows that could not be removed. */
  readonly onLeft: (left: ReadonlyArray<OwnRows.Left>) => void
}

interface Sent {
  readonly probe: Probe
  readonly answer: Ask.Answer
}

interface Pass {
  readonly sent: ReadonlyArray<Sent>
  readonly row: JsonObject | undefined
}

/** The texts of a body, other than short ones that names of columns contain too. */
const textsOf = (value: Json): ReadonlyArray<string> =>
  typeof value === "string"
    ? value.length > 4
      ? [value]
      : []
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap((inner: Json) => textsOf(inner))
      : []

const probeOf = (step: WriteSteps.Step, context: WriteSteps.Context): Probe => {
  const { constraint, headers, method, name, query, text, verb, written } = step
  const body = step.body?.(context)
  const target = `/${context.resource.resource}${query?.(context) ?? ""}`
  return {
    name,
    verb,
    request: {
      method,
      face: "rows",
      target,
      ...(headers === undefined ? {} : { headers }),
      ...(text !== undefined ? { body: text } : body === undefined ? {} : { body: JSON.stringify(body) })
    },
    values: [context.key, ...textsOf(context.first), ...textsOf(body ?? null)],
    ...(constraint === undefined ? {} : { constraint }),
    ...(written === undefined ? {} : { written })
  }
}

/** The row that a create has made: in its response, or by its name. */
const createdRow = <E>(
  service: ComparedService<E>,
  { nameColumn, resource }: WriteSteps.Context,
  name: Json,
  answer: Ask.Answer
) =>
  Effect.gen(function* () {
    const has = (row: JsonObject) => row[nameColumn] === name && typeof row[resource.key] === "string"
    const returned = Aspects.rowsOf(answer.text).find(has)
    if (returned !== undefined) return returned
    const target = `/${resource.resource}?${nameColumn}=eq.${encodeURIComponent(String(name))}&limit=2`
    const found = yield* service.ask({ method: "GET", face: "rows", target })
    return Aspects.rowsOf(found.text).find(has)
  })

/** Reports a step whose response has the row that it makes: without a search no other one is sent. */
const isAnswered = ({ headers, verb }: WriteSteps.Step): boolean =>
  verb !== "create" || headers?.["prefer"]?.includes("return=representation") === true

const pass = <E>({ service, known, onProbe, resource, run }: Options<E>, nameColumn: string): Effect.Effect<Pass, E> =>
  Effect.gen(function* () {
    const values = () => NewRow.make(resource, nameColumn, known, run.next())
    const first = values()
    const start: WriteSteps.Context = { resource, nameColumn, values, first, key: "" }
    const send = (step: WriteSteps.Step, context: WriteSteps.Context) => {
      const probe = probeOf(step, context)
      return Effect.map(service.ask(probe.request), (answer): Sent => {
        onProbe()
        return { probe, answer }
      })
    }
    const created = yield* send(WriteSteps.first, start)
    if (!Aspects.isSuccess(created.answer.status)) return { sent: [created], row: undefined }
    const row = yield* createdRow(service, start, first[nameColumn] ?? null, created.answer)
    const key = row?.[resource.key]
    // Without its key no row is changed.
    if (row === undefined || typeof key !== "string") return { sent: [created], row: undefined }
    const found = yield* OwnRows.find(service, resource, nameColumn, (name) => name === first[nameColumn])
    const steps = WriteSteps.make(resource, nameColumn).filter((step) => found.length > 0 || isAnswered(step))
    const rest = yield* Effect.forEach(steps, (step) => send(step, { ...start, key }))
    const probe = { ...created.probe, values: [...(created.probe.values ?? []), key] }
    return { sent: [{ ...created, probe }, ...rest], row }
  })

const refusal = ({ answer: { status, text } }: Sent): string => {
  const [error] = Aspects.rowsOf(text)
  const message = error?.["message"]
  return `a create is refused with status ${status}${typeof message === "string" ? `: ${message}` : ""}`
}

/** Writes to a resource, twice, and removes the rows. */
export const run = <E>(options: Options<E>): Effect.Effect<Written | NotWritten, E> =>
  Effect.gen(function* () {
    const { service, onLeft, resource, run, secrets } = options
    const nameColumn = NewRow.nameColumn(resource)
    if (nameColumn === undefined) {
      return { _tag: "NotWritten", reason: "no column of its rows can hold a name by which to find them again" }
    }
    const isOwn = (name: string) => name.startsWith(run.prefix)
    const keys = new Set<string>()
    const noted: ComparedService<E> = {
      ...service,
      ask: (request) =>
        Effect.tap(service.ask(request), ({ text }) =>
          Effect.sync(() => {
            for (const { [nameColumn]: name, [resource.key]: key } of Aspects.rowsOf(text)) {
              if (typeof name === "string" && isOwn(name) && typeof key === "string") keys.add(key)
            }
          })
        )
    }
    const clean = Effect.suspend(() => OwnRows.remove(service, resource, nameColumn, isOwn, [...keys])).pipe(
      Effect.match({
        onFailure: () => onLeft([{ subject: resource.resource, key: `${run.prefix}*`, reason: "no response" }]),
        onSuccess: onLeft
      })
    )
    const once = Effect.ensuring(pass({ ...options, service: noted }, nameColumn), clean)
    const [one, two] = [yield* once, yield* once]
    const [created] = one.sent
    if (one.row === undefined || two.row === undefined) {
      return { _tag: "NotWritten", reason: created === undefined ? "no response" : refusal(created) }
    }
    const observations = one.sent.flatMap(({ answer, probe }) => {
      const again = two.sent.find((sent) => sent.probe.name === probe.name)
      return again === undefined ? [] : [Observation.fromPair({ first: { probe, answer }, second: again }, secrets)]
    })
    return {
      _tag: "Written",
      observations: Object.fromEntries(observations.map((observation) => [observation.probe.name, observation])),
      rows: [one.row, two.row],
      sent: Object.keys(JSON.parse(created?.probe.request.body ?? "{}"))
    }
  })
