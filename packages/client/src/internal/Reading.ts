/**
 * What the reading methods of `Rows` do. Types are told by `Rows.Service`; in here a row is whatever its reader
 * accepted.
 */
import type { Query } from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type QueryError, type RetrieveError, RowNotFound } from "../ClientError.ts"
import type { Cursor } from "../Cursor.ts"
import type { Page, Versioned } from "../Rows.ts"
import * as Keyset from "./Keyset.ts"
import type * as Refusal from "./Refusal.ts"
import type { RowCall } from "./RowCall.ts"
import * as RowQuery from "./RowQuery.ts"
import * as RowReader from "./RowReader.ts"
import * as Telemetry from "./Telemetry.ts"
import type * as Transport from "./Transport.ts"

type Any = Resource.Any

/** What is asked of pages beside their query. */
interface Paging {
  readonly after?: Cursor | undefined
  readonly count?: boolean | undefined
  readonly limit?: number | undefined
  readonly pageSize?: number | undefined
}

/** The rows of a query, as they came and as they were read. */
interface Found {
  readonly raw: ReadonlyArray<unknown>
  readonly rows: ReadonlyArray<unknown>
  readonly total: number | undefined
}

/** Where a page begins, and how many rows may still come. */
interface Place {
  readonly after: Cursor | undefined
  readonly left: number
}

const nothing: Found = { raw: [], rows: [], total: 0 }

const querying: Refusal.Purpose = { _tag: "Query" }

const counting = { prefer: "count=exact" }

const totalOf = (answer: Transport.Answer): number | undefined => {
  const total = /\/(\d+)$/.exec(answer.header("content-range") ?? "")?.[1]
  return total === undefined ? undefined : Number(total)
}

const get = (target: string, headers?: Transport.Call["headers"]) =>
  ({ method: "GET", target, repeatable: true, ...(headers && { headers }) }) as const

/** Whether a list has been answered as the one row that it would have been. */
const isRowAbsent = (error: QueryError): boolean =>
  error._tag === "QueryRejected" && error.status === 404 && error.code === "PGRST116"

/** Reading, over calls. */
export const make = (call: RowCall) => {
  /** The most rows that ever came at once: a page with fewer was not cut short by the service. */
  let largest = 0

  const fetch = (
    resource: Any,
    query: Query,
    reader: RowReader.RowReader,
    counted = false
  ): Effect.Effect<Found, QueryError> => {
    const found = call(
      resource,
      querying,
      get(RowQuery.target(resource, query), counted ? counting : undefined),
      (answer) =>
        Either.flatMap(RowReader.list(answer.text), (raw) =>
          Either.map(RowReader.readMany(reader, raw), (rows): Found => {
            largest = Math.max(largest, raw.length)
            return { raw, rows, total: totalOf(answer) }
          })
        )
    )
    // Its purpose leaves no other errors. Filtered by its key alone, a resource answers one row, or 404.
    return Effect.catchIf(found as Effect.Effect<Found, QueryError>, isRowAbsent, () => Effect.succeed(nothing))
  }

  const countOf = (resource: Any, query: Query): Effect.Effect<number, QueryError> => {
    const target = RowQuery.target(resource, { ...query, order: [], limit: 0, offset: undefined })
    const counted = call(resource, querying, get(target, counting), (answer) =>
      Either.fromNullable(totalOf(answer), () => ({ expected: "a Content-Range with the number of rows" }))
    )
    return counted as Effect.Effect<number, QueryError>
  }

  const asked = <A>(
    resource: Any,
    options: RowQuery.Asked | undefined,
    next: (query: RowQuery.RowQuery) => Effect.Effect<A, QueryError>
  ): Effect.Effect<A, QueryError> =>
    Effect.suspend(() => {
      const query = RowQuery.make(resource, options)
      return Either.isLeft(query) ? Effect.fail(query.left) : next(query.right)
    })

  const list = (resource: Any, options?: RowQuery.Asked): Effect.Effect<ReadonlyArray<unknown>, QueryError> =>
    Telemetry.observe(
      "Rows.list",
      resource.resource,
      asked(resource, options, (rowQuery) =>
        Effect.map(fetch(resource, rowQuery.query, RowQuery.reader(resource, rowQuery)), ({ rows }) => rows)
      )
    )

  const count = (resource: Any, options?: RowQuery.Asked): Effect.Effect<number, QueryError> =>
    Telemetry.observe(
      "Rows.count",
      resource.resource,
      asked(resource, options, ({ query }) => countOf(resource, query))
    )

  /** What fetches the pages of a query. */
  const pager = (resource: Any, rowQuery: RowQuery.RowQuery) =>
    Either.map(Keyset.make(resource, rowQuery.query), (keyset) => {
      const reader = RowQuery.reader(resource, rowQuery)
      const visible = rowQuery.selection === undefined ? keyset.visible : undefined
      const get = (after: Cursor | undefined, limit: number, counted = false) =>
        Either.match(keyset.page(after, limit), {
          onLeft: Effect.fail,
          onRight: (query) => fetch(resource, query, reader, counted)
        })
      return {
        get,
        shown: (rows: ReadonlyArray<unknown>) => (visible === undefined ? rows : rows.map(visible)),
        /** The place behind the last of these rows. */
        behind: (raw: ReadonlyArray<unknown>) => keyset.behind(raw.at(-1))
      }
    })

  const page = (resource: Any, options: RowQuery.Asked & Paging = {}): Effect.Effect<Page<unknown>, QueryError> =>
    Telemetry.observe(
      "Rows.page",
      resource.resource,
      asked(resource, options, (rowQuery) =>
        Effect.gen(function* () {
          const { after, count = false } = options
          const limit = yield* RowQuery.size(resource, "limit", options.limit ?? rowQuery.query.limit ?? 100)
          const { behind, get, shown } = yield* pager(resource, rowQuery)
          // One more than wanted shows whether there are more.
          const { raw, rows, total } = yield* get(after, limit + 1, count && after === undefined)
          const kept = raw.slice(0, limit)
          const cursor = kept.length === 0 ? undefined : behind(kept)
          const isCut = raw.length === kept.length && raw.length > 0 && raw.length >= largest
          const more = raw.length > limit || (isCut && (yield* get(cursor, 1)).raw.length > 0)
          return {
            rows: shown(rows.slice(0, limit)),
            next: more ? cursor : undefined,
            total: !count || after === undefined ? total : yield* countOf(resource, rowQuery.query)
          }
        })
      )
    )

  const pages = (resource: Any, options: RowQuery.Asked & Paging = {}): Stream.Stream<Page<unknown>, QueryError> =>
    Stream.unwrap(
      asked(resource, options, (rowQuery) =>
        Effect.gen(function* () {
          const { behind, get, shown } = yield* pager(resource, rowQuery)
          const pageSize = yield* RowQuery.size(resource, "pageSize", options.pageSize ?? 1000)
          const wanted = options.limit ?? rowQuery.query.limit ?? Infinity
          const first: Place = { after: options.after, left: wanted }
          return Stream.unfoldEffect<Place | undefined, Page<unknown>, QueryError, never>(first, (place) => {
            const size = Math.min(pageSize, place?.left ?? 0)
            if (place === undefined || size < 1) return Effect.succeedNone
            const fetched = Telemetry.observe("Rows.page", resource.resource, get(place.after, size))
            return Effect.map(fetched, ({ raw, rows }) => {
              if (raw.length === 0) return Option.none()
              const cursor = behind(raw)
              const isLast = raw.length < size && raw.length < largest
              const next = isLast ? undefined : { after: cursor, left: place.left - raw.length }
              const page: Page<unknown> = { rows: shown(rows), next: next?.after, total: undefined }
              return Option.some([page, next] as const)
            })
          })
        })
      )
    )

  const stream = (resource: Any, options?: RowQuery.Asked & Paging): Stream.Stream<unknown, QueryError> =>
    Stream.mapConcatChunk(pages(resource, options), ({ rows }) => Chunk.unsafeFromArray(rows))

  const one = <A>(
    resource: Any,
    key: string,
    options: RowQuery.Selecting | undefined,
    finish: (row: unknown, answer: Transport.Answer) => Either.Either<A, RowReader.Unreadable>
  ): Effect.Effect<A, RetrieveError> => {
    const { reader, target } = RowQuery.one(resource, key, options)
    const found = call(resource, { _tag: "Retrieve", key }, get(target), (answer) =>
      Either.flatMap(RowReader.readOne(reader, answer.text), (row) =>
        row === undefined ? Either.right(undefined) : finish(row, answer)
      )
    )
    return Effect.flatMap(found as Effect.Effect<A | undefined, RetrieveError>, (row) =>
      row === undefined ? Effect.fail(new RowNotFound({ resource: resource.resource, key })) : Effect.succeed(row)
    )
  }

  const retrieve = (resource: Any, key: string, options?: RowQuery.Selecting): Effect.Effect<unknown, RetrieveError> =>
    Telemetry.observe("Rows.retrieve", resource.resource, one(resource, key, options, Either.right))

  const retrieveVersioned = (resource: Any, key: string): Effect.Effect<Versioned<unknown>, RetrieveError> =>
    Telemetry.observe(
      "Rows.retrieveVersioned",
      resource.resource,
      one(resource, key, undefined, (row, answer) => {
        const etag = answer.header("etag")
        return etag === undefined ? Either.left({ expected: "an ETag" }) : Either.right({ row, etag })
      })
    )

  const find = (
    resource: Any,
    key: string,
    options?: RowQuery.Selecting
  ): Effect.Effect<Option.Option<unknown>, QueryError> =>
    Telemetry.observe(
      "Rows.find",
      resource.resource,
      Effect.map(one(resource, key, options, Either.right), Option.some)
    ).pipe(Effect.catchTag("RowNotFound", () => Effect.succeedNone))

  return { list, page, pages, stream, count, retrieve, retrieveVersioned, find }
}
