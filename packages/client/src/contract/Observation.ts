/**
 * Sends the probes of a service, each twice: aspects that differ between the two responses are noise.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type * as Ask from "./Ask.ts"
import * as Aspects from "./Aspects.ts"
import * as ColumnEvidence from "./ColumnEvidence.ts"
import type { Exchange } from "./Difference.ts"
import type { Probe } from "./Probe.ts"
import * as Redaction from "./Redaction.ts"
import * as RowProbe from "./RowProbe.ts"
import * as RowProbes from "./RowProbes.ts"

/** A probe with the aspects of its responses. */
export interface Observation {
  readonly probe: Probe
  readonly aspects: Aspects.Aspects
  /** The names of aspects that differ between the two responses. */
  readonly noise: ReadonlyArray<string>
  readonly situation: Aspects.Situation
  readonly exchange: Exchange
}

export type ByProbe = { readonly [probe: string]: Observation }

/** The observations of one resource of one service. */
export interface Survey {
  readonly observations: ByProbe
  readonly columns: ColumnEvidence.ByColumn
  /** The number of rows that were read. */
  readonly rows: number
  /** True where rows disappeared while they were read: observations of single rows are left out. */
  readonly isChanging: boolean
}

/** A service to which probes are sent. */
export interface Side<E> {
  readonly ask: Ask.Ask<E>
  /** Texts that no exchange may contain. */
  readonly secrets: ReadonlyArray<string>
  /** Called after each probe. */
  readonly onProbe?: () => void
}

const isEqual = (one: Aspects.Aspects[string] | undefined, other: Aspects.Aspects[string] | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** A probe with its response; the requests of a probe can differ in their values. */
export interface Sent {
  readonly probe: Probe
  readonly answer: Ask.Answer
}

interface Pair {
  readonly first: Sent
  readonly second: Sent
}

/** The observation of a probe that was sent twice. */
export const fromPair = ({ first, second }: Pair, secrets: ReadonlyArray<string>): Observation => {
  const { probe } = first
  const answer = Redaction.answer(first.answer, secrets)
  const one = Aspects.make(probe, answer)
  const other = Aspects.make(second.probe, Redaction.answer(second.answer, secrets))
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return {
    probe,
    aspects: one,
    noise: [...names].filter((name) => !isEqual(one[name], other[name])),
    situation: Aspects.situation(probe, answer),
    exchange: Redaction.exchange(probe.request, answer, secrets)
  }
}

const askTwice = <E>({ ask, onProbe }: Side<E>, probe: Probe): Effect.Effect<Pair, E> =>
  Effect.gen(function* () {
    const first = yield* ask(probe.request)
    const second = yield* ask(probe.request)
    onProbe?.()
    return { first: { probe, answer: first }, second: { probe, answer: second } }
  })

/** The observation of a probe. */
export const observe = <E>(side: Side<E>, probe: Probe): Effect.Effect<Observation, E> =>
  Effect.map(askTwice(side, probe), (pair) => fromPair(pair, side.secrets))

/** The observations of probes, by their names. */
export const observeAll = <E>(side: Side<E>, probes: ReadonlyArray<Probe>): Effect.Effect<ByProbe, E> =>
  Effect.map(
    Effect.forEach(probes, (probe) => observe(side, probe), { concurrency: "unbounded" }),
    (observations) => Object.fromEntries(observations.map((observation) => [observation.probe.name, observation]))
  )

const rowsOf = ({ status, text }: Ask.Answer): ReadonlyArray<JsonObject> =>
  Aspects.isSuccess(status) ? Aspects.rowsOf(text) : []

/** Reports whether a service still has a row: in a list, or by its key. */
const isPresent = <E>({ ask }: Side<E>, resource: Resource.Any, key: string): Effect.Effect<boolean, E> => {
  const has = (target: string) =>
    Effect.map(ask({ method: "GET", face: "rows", target }), (answer) =>
      rowsOf(answer).some((row) => RowProbe.keyOf(resource, row) === key)
    )
  const ofKey = `/${resource.resource}?${resource.key}=eq.${encodeURIComponent(key)}`
  return Effect.flatMap(has(ofKey), (isFound) =>
    isFound ? Effect.succeed(true) : has(RowProbes.sample(resource).request.target)
  )
}

/** Reads a resource with all of its probes, or with those that a predicate selects. */
export const survey = <E>(
  side: Side<E>,
  resource: Resource.Any,
  isSent: (probe: Probe) => boolean = () => true
): Effect.Effect<Survey, E> =>
  Effect.gen(function* () {
    const sample = RowProbes.sample(resource)
    const pair = yield* askTwice(side, sample)
    const [first, second] = [pair.first.answer, pair.second.answer]
    const [rows, again] = [rowsOf(first), rowsOf(second)]
    const keyOf = (row: JsonObject) => RowProbe.keyOf(resource, row)
    const keys = new Set(again.map(keyOf))
    // A row of both responses is less likely to be removed soon than the newest.
    const row = rows.find((row) => keyOf(row) !== undefined && keys.has(keyOf(row)))
    let columns = ColumnEvidence.combine(
      ColumnEvidence.fromRows(resource, rows, first.text),
      ColumnEvidence.fromRows(resource, again, second.text)
    )
    // Lists in other orders have other rows.
    const noted: Side<E> = {
      ...side,
      ask: (request) =>
        Effect.tap(side.ask(request), (answer) =>
          Effect.sync(() => {
            if (request.method !== "GET" || /[?&]select=/.test(request.target)) return
            columns = ColumnEvidence.combine(columns, ColumnEvidence.fromRows(resource, rowsOf(answer), answer.text))
          })
        )
    }
    const observations = yield* observeAll(noted, RowProbes.make(resource, row).filter(isSent))
    const key = row === undefined ? undefined : keyOf(row)
    const isChanging = key !== undefined && !(yield* isPresent(side, resource, key))
    const kept = Object.entries(observations).filter(([, { probe }]) => !isChanging || probe.isOfKnownRows !== true)
    return {
      observations: { list: fromPair(pair, side.secrets), ...Object.fromEntries(kept) },
      columns,
      rows: rows.length,
      isChanging
    }
  })
