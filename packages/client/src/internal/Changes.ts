/**
 * The rows of a resource that were created or changed since a time, by polling. Rows whose change becomes visible late
 * are found by an overlap of the polls; a removed row, or one that no longer matches, is not reported.
 */
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { CallOptions } from "../CallOptions.ts"
import type { QueryError } from "../ClientError.ts"
import * as ClientOptions from "./ClientOptions.ts"
import type { ChangesOptions, Service } from "../Rows.ts"

type AnyRow = { readonly [column: string]: unknown }

const microsOf = (value: unknown): bigint | undefined => {
  if (typeof value === "string") return Timestamp.read(value)
  return value instanceof Date && !Number.isNaN(value.getTime()) ? BigInt(value.getTime()) * 1000n : undefined
}

/** The column that has the time of rows that were never changed. */
const fallbackOf = ({ columns }: Resource.Any, by: string): string | undefined =>
  by !== "createdAt" && "createdAt" in columns ? "createdAt" : undefined

const since = (by: string, fallback: string | undefined, micros: bigint) => {
  const from = Query.gte(Timestamp.fromMicros(micros))
  const at = (column: string) => ({ [column]: from })
  return fallback === undefined ? at(by) : Query.or<Resource.Any>(at(by), { ...at(fallback), [by]: null })
}

const earlier = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const later = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** The polls of one stream. */
const polls = (rows: Service, resource: Resource.Any, options: ChangesOptions<Resource.Any>, call?: CallOptions) => {
  const by: string = options.by
  const overlap = BigInt(
    Math.round(Duration.toMillis(ClientOptions.duration("overlap", options.overlap ?? "10 seconds")) * 1000)
  )
  const first = microsOf(options.since)
  if (first === undefined) throw ClientOptions.invalid("since", "a timestamp or a date", options.since)
  const fallback = fallbackOf(resource, by)
  const timeOf = (row: AnyRow): bigint | undefined =>
    microsOf(row[by]) ?? (fallback === undefined ? undefined : microsOf(row[fallback]))
  /** The time of the last change. */
  let mark = first
  /** The rows of the overlap by key, as they were emitted. */
  let emitted = new Map<unknown, { readonly time: bigint; readonly text: string }>()

  const isNew = (row: AnyRow): boolean => {
    const time = timeOf(row)
    const text = JSON.stringify(row)
    const key = row[resource.key]
    if (time === undefined || emitted.get(key)?.text === text) return false
    emitted.set(key, { time, text })
    return true
  }

  const poll = Effect.map(Clock.currentTimeMillis, (now): Stream.Stream<AnyRow, QueryError> => {
    // A time in the future must not hide the changes until then.
    const times = [...emitted.values()].map(({ time }) => earlier(time, BigInt(now) * 1000n))
    mark = times.reduce(later, mark)
    const from = later(first, mark - overlap)
    emitted = new Map([...emitted].filter(([, { time }]) => time >= from))
    const changed = since(by, fallback, from)
    const where = options.where === undefined ? changed : Query.and<Resource.Any>(options.where, changed)
    return Stream.filter(rows.stream(resource, { where, order: [by] }, call), isNew)
  })

  return Stream.repeat(
    Stream.unwrap(poll),
    Schedule.spaced(ClientOptions.duration("every", options.every ?? "5 seconds"))
  )
}

/** The changes of a resource, each once. */
export const make = <R extends Resource.Any>(
  rows: Service,
  resource: R,
  options: ChangesOptions<R>,
  call?: CallOptions
): Stream.Stream<Resource.Row<R>, QueryError> =>
  // The rows of the stream are complete ones.
  Stream.suspend(() => polls(rows, resource, options as ChangesOptions<Resource.Any>, call)) as Stream.Stream<
    Resource.Row<R>,
    QueryError
  >
