/**
 * The changes of a resource: those since a time first, then the events of a temporary webhook, or else of polls.
 */
import type { QueryError, RetrieveError } from "@mfgdata/client/ClientError"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { UsageError } from "../CliError.ts"
import * as RowQuery from "../RowQuery.ts"
import type { Connection } from "../service/Connection.ts"
import * as KeyedRows from "../service/KeyedRows.ts"
import * as Conditions from "./Conditions.ts"
import * as Polls from "./Polls.ts"
import * as RowEvent from "./RowEvent.ts"
import * as Subscription from "./Subscription.ts"

export interface Options {
  readonly where: ReadonlyArray<RowQuery.Parameter>
  /** The time of the first changes (default: now). */
  readonly since: string | undefined
  /** True for polls in any case. */
  readonly polls: boolean
  readonly publicUrl: string | undefined
  readonly interval: number | undefined
}

export type Events = Stream.Stream<RowEvent.RowEvent, RetrieveError | UsageError>

const isLoopback = ({ profile }: Connection): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(profile.restUrl).hostname)

/** The parameters of the rows that were created or changed since a time. */
const changedSince = (columns: ReadonlyArray<string>, time: string): ReadonlyArray<RowQuery.Parameter> => {
  const [by = "", fallback] = columns
  return fallback === undefined
    ? [[by, `gte.${time}`]]
    : [["or", `(${by}.gte."${time}",and(${by}.is.null,${fallback}.gte."${time}"))`]]
}

/** The rows that were created or changed since a time. */
const missed = (
  { rows }: Connection,
  resource: Resource.Any,
  where: Options["where"],
  time: string
): Stream.Stream<RowEvent.RowEvent, QueryError> => {
  const columns = RowEvent.timeColumns(resource)
  const query: ReadonlyArray<RowQuery.Parameter> = [
    ...where,
    ...changedSince(columns, time),
    ["order", columns.join(",")]
  ]
  return Stream.map(rows.stream(resource, Query.fromText(RowQuery.toText(query))), (row: JsonObject) =>
    Polls.since(resource, time, row)
  )
}

const pollInterval = 2
const checkInterval = 15

/** The stream of new changes, and the note about it for the person at the terminal. */
const live = (
  connection: Connection,
  resource: Resource.Any,
  { interval, polls, publicUrl, where }: Options
): Effect.Effect<{ readonly events: Events; readonly note: string }, RetrieveError | UsageError, Scope.Scope> =>
  Effect.gen(function* () {
    const isReachable = publicUrl !== undefined || isLoopback(connection)
    let reason = polls ? undefined : "the service is on another machine, which --public-url lets it reach"
    if (!polls && isReachable) {
      const checkEvery = interval ?? checkInterval
      const subscription = yield* Subscription.make(connection, resource, { publicUrl, checkEvery })
      if (Either.isRight(subscription)) {
        const apply = Conditions.make(connection, resource, where)
        const events = subscription.right.pipe(
          // A burst of events is one request.
          Stream.groupedWithin(KeyedRows.batchSize, "20 millis"),
          Stream.mapEffect((batch) => apply(Chunk.toReadonlyArray(batch))),
          Stream.mapConcat((events) => events)
        )
        return { events, note: "by a temporary webhook" }
      }
      const { left } = subscription
      if (left._tag === "Unreachable" || left._tag === "Unauthorized") return yield* left
      reason = left.message.replace(/\.$/, "")
    }
    const seconds = interval ?? pollInterval
    const events = yield* Polls.make(connection, resource, { where, interval: seconds })
    const hidden = Polls.isByTime(resource) ? ", which see no deleted rows" : ""
    const note = `by polls each ${seconds === 1 ? "second" : `${seconds} seconds`}${hidden}`
    return { events, note: reason === undefined ? note : `${note} (${reason})` }
  })

/** The changes; notes on the way of finding them go to standard error. */
export const make = (
  connection: Connection,
  resource: Resource.Any,
  options: Options
): Effect.Effect<Events, RetrieveError | UsageError, Scope.Scope> =>
  Effect.gen(function* () {
    const { since, where } = options
    if (since !== undefined && RowEvent.timeColumns(resource).length === 0) {
      return yield* new UsageError({
        problem: `The rows of ${resource.resource} have no time of creation or change, by which --since finds them.`
      })
    }
    const { events, note } = yield* live(connection, resource, options)
    yield* Terminal.note(`Watching ${resource.resource} ${note}. Press Control-C to stop.`)
    if (since === undefined) return events
    // A change in the meantime is in both.
    const reported = new Map<string, string>()
    const before = Stream.tap(missed(connection, resource, where, since), ({ key, row }) =>
      Effect.sync(() => void reported.set(key, JSON.stringify(row)))
    )
    const isNew = ({ change, key, row }: RowEvent.RowEvent): boolean => {
      const isReported = change !== "delete" && reported.get(key) === JSON.stringify(row)
      reported.delete(key)
      return !isReported
    }
    return Stream.concat(before, Stream.filter(events, isNew))
  })
