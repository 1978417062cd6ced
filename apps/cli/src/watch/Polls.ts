/**
 * Finds the changes of rows by polling: by the time of the last change where the rows have one, by comparison of all
 * matching rows else.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import { Rows } from "@mfgdata/client/Rows"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { UsageError } from "../CliError.ts"
import * as RowQuery from "../RowQuery.ts"
import type { Connection } from "../service/Connection.ts"
import * as KeyedRows from "../service/KeyedRows.ts"
import * as RowEvent from "./RowEvent.ts"

export interface Options {
  readonly where: ReadonlyArray<RowQuery.Parameter>
  /** The seconds between two polls. */
  readonly interval: number
}

export type Events = Stream.Stream<RowEvent.RowEvent, QueryError | UsageError>

/** True where the rows name the time of their last change, by which polls find them. */
export const isByTime = ({ columns }: Resource.Any): boolean => "updatedAt" in columns

/** The greatest number of rows that are compared: a poll reads all of them. */
const most = 10_000

const microsOf = (time: string): bigint => Timestamp.read(time) ?? 0n

/** The change of a row that was created or changed since a time. */
export const since = (resource: Resource.Any, from: string, row: JsonObject): RowEvent.RowEvent => {
  const created = row["createdAt"]
  const isNew = typeof created === "string" && microsOf(created) >= microsOf(from)
  const change = isNew ? "insert" : "update"
  return { change, time: RowEvent.timeOf(resource, row) ?? from, key: RowEvent.keyOf(resource, row), row }
}

/** The time of the latest change of any row. */
const latest = ({ rows }: Connection, resource: Resource.Any): Effect.Effect<string, QueryError> =>
  Effect.map(
    Effect.forEach(RowEvent.timeColumns(resource), (name) =>
      rows.list(resource, Query.fromText(`select=${name}&order=${name}.desc.nullslast&limit=1`))
    ),
    (found) =>
      found
        .flatMap(([row]) => (row === undefined ? [] : (RowEvent.timeOf(resource, row) ?? [])))
        .reduce((one, other) => (microsOf(one) < microsOf(other) ? other : one), "1970-01-01T00:00:00Z")
  )

/** The rows whose time of change is after that of the latest change. */
const byTime = (
  connection: Connection,
  resource: Resource.Any,
  { interval, where }: Options
): Effect.Effect<Events, QueryError> => {
  const { rows } = connection
  const text = Query.fromText(RowQuery.toText(where))
  // The conditions are a text, to which the query of the changes is added.
  const stream = ((resource: Resource.Any, options?: object) =>
    rows.stream(resource, { ...text, ...options })) as typeof rows.stream
  return Effect.map(latest(connection, resource), (from) => {
    const known = new Set<string>()
    const options = { since: Timestamp.make(from), by: "updatedAt", every: `${interval} seconds` } as const
    const changes = Rows.changes(resource, options)
    return Stream.provideService(changes, Rows, { ...rows, stream }).pipe(
      // Rows without a schema of their own are JSON.
      Stream.map((row) => since(resource, from, row as JsonObject)),
      Stream.filter(({ time }) => microsOf(time) > microsOf(from)),
      Stream.map((event): RowEvent.RowEvent => {
        const isKnown = known.has(event.key)
        known.add(event.key)
        return isKnown ? { ...event, change: "update" } : event
      })
    )
  })
}

/** The matching rows by key, as JSON. */
const snapshot = (
  { rows }: Connection,
  resource: Resource.Any,
  where: Options["where"]
): Effect.Effect<ReadonlyMap<string, string>, QueryError | UsageError> =>
  Effect.gen(function* () {
    const found = new Map<string, string>()
    const matching = rows.stream(resource, { ...Query.fromText(RowQuery.toText(where)), limit: most + 1 })
    yield* Stream.runForEach(matching, (row: JsonObject) =>
      Effect.sync(() => void found.set(RowEvent.keyOf(resource, row), JSON.stringify(row)))
    )
    if (found.size <= most) return found
    return yield* new UsageError({
      problem: `More than ${most} rows of ${resource.resource} match, and ${resource.resource} has no time of the last change: polls cannot compare them.`,
      expected: "Narrow them with --where, or set --public-url to an address of this machine that the service reaches."
    })
  })

/** The changes between two snapshots. */
const between = (
  connection: Connection,
  resource: Resource.Any,
  where: Options["where"],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>
): Effect.Effect<ReadonlyArray<RowEvent.RowEvent>, QueryError> =>
  Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis).toISOString()
    const event = (change: RowEvent.Change, key: string, row: JsonObject, time = now): RowEvent.RowEvent => ({
      change,
      time,
      key,
      row
    })
    const changed = Array.from(after).flatMap(([key, text]) => {
      const old = before.get(key)
      if (old === text) return []
      const row: JsonObject = JSON.parse(text)
      return [old === undefined ? event("insert", key, row, RowEvent.timeOf(resource, row)) : event("update", key, row)]
    })
    const gone = Array.from(before).filter(([key]) => !after.has(key))
    // Without conditions, a row that is missing is a deleted one.
    const left = new Map<string, JsonObject>()
    for (let index = 0; index < gone.length && where.length > 0; index += KeyedRows.batchSize) {
      const keys = gone.slice(index, index + KeyedRows.batchSize).map(([key]) => key)
      for (const [key, row] of yield* KeyedRows.read(connection, resource, keys)) left.set(key, row)
    }
    const absent = gone.map(([key, text]) => {
      const row = left.get(key)
      return row === undefined ? event("delete", key, JSON.parse(text)) : event("leave", key, row)
    })
    return [...changed, ...absent]
  })

/** The differences between the rows of one poll and those of the next. */
const byComparison = (
  connection: Connection,
  resource: Resource.Any,
  { interval, where }: Options
): Effect.Effect<Events, QueryError | UsageError> =>
  Effect.map(snapshot(connection, resource, where), (first) => {
    let before = first
    const poll = Effect.gen(function* () {
      const after = yield* snapshot(connection, resource, where)
      const events = yield* between(connection, resource, where, before, after)
      before = after
      return events
    })
    return Stream.mapConcat(Stream.repeatEffect(Effect.delay(poll, `${interval} seconds`)), (events) => events)
  })

/** The changes since this effect. */
export const make = (
  connection: Connection,
  resource: Resource.Any,
  options: Options
): Effect.Effect<Events, QueryError | UsageError> =>
  isByTime(resource) ? byTime(connection, resource, options) : byComparison(connection, resource, options)
