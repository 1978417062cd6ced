/**
 * The reading methods of `Rows`. The interface `Rows.Service` gives them their types; here a row is a value that its
 * reader accepted.
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
import type { Page, VersionedRow } from "../Rows.ts"
import * as Keyset from "./Keyset.ts"
import * as ResponseError from "./ResponseError.ts"
import type { RowCall } from "./RowCall.ts"
import * as RowLookup from "./RowLookup.ts"
import * as RowQuery from "./RowQuery.ts"
import * as RowReader from "./RowReader.ts"
import * as Telemetry from "./Telemetry.ts"
import type * as Transport from "./Transport.ts"

type Any = Resource.Any

/** The options of pages besides those of their query. */
interface PageOptions {
  readonly after?: Cursor | undefined
  readonly count?: boolean | undefined
  readonly limit?: number | undefined
  readonly pageSize?: number | undefined
}

/** The rows of a query, before and after decoding, in the same places. */
interface QueryResult {
  readonly raw: ReadonlyArray<unknown>
  readonly rows: ReadonlyArray<unknown>
  readonly total: number | undefined
}

interface FetchOptions {
  /** Set to `true` to count the rows of the query. */
  readonly counted?: boolean
  /** Reports whether the rows have those of the page before. */
  readonly isRepeated?: ((raw: ReadonlyArray<unknown>) => boolean) | undefined
}

/** The start of a page, and the number of rows that may still follow. */
interface Position {
  readonly after: Cursor | undefined
  readonly left: number
}

const noRows: QueryResult = { raw: [], rows: [], total: 0 }

const countExact = { prefer: "count=exact" }

const totalOf = (response: Transport.Response): number | undefined => {
  const total = /\/(\d+)$/.exec(response.header("content-range") ?? "")?.[1]
  return total === undefined ? undefined : Number(total)
}

const get = (target: string, headers?: Transport.Request["headers"]) =>
  ({ method: "GET", target, isIdempotent: true, isRead: true, ...(headers && { headers }) }) as const

/** Reports whether the service responded to a query as to the retrieval of one row. */
const isRowAbsent = (error: QueryError): boolean =>
  error._tag === "QueryRejected" && error.status === 404 && error.code === "PGRST116"

/** The reading methods over calls. */
export const make = (call: RowCall) => {
  /** The most rows of any response: the service did not cut a page that has fewer. */
  let largest = 0

  const fetch = (
    resource: Any,
    query: Query,
    reader: RowReader.RowReader,
    settings: RowReader.Settings,
    { counted = false, isRepeated }: FetchOptions = {}
  ): Effect.Effect<QueryResult, QueryError> => {
    const result = call(
      resource,
      ResponseError.query,
      get(RowQuery.target(resource, query), counted ? countExact : undefined),
      (response, toError) =>
        Either.flatMap(
          RowReader.list(reader, response.text),
          (raw): Either.Either<QueryResult, RowReader.Unreadable> => {
            if (isRepeated?.(raw)) return Either.left({ expected: "a page that starts after its cursor" })
            return Either.map(RowReader.readMany(reader, raw, settings, toError), (rows) => {
              largest = Math.max(largest, raw.length)
              return { raw, rows, total: totalOf(response) }
            })
          }
        )
    )
    // Filtered by its key alone, a resource returns one row, or 404.
    return Effect.catchIf(result, isRowAbsent, () => Effect.succeed(noRows))
  }

  const countOf = (resource: Any, query: Query): Effect.Effect<number, QueryError> => {
    const target = RowQuery.target(resource, { ...query, order: [], limit: 0, offset: undefined })
    return call(resource, ResponseError.query, get(target, countExact), (response) =>
      Either.fromNullable(totalOf(response), () => ({ expected: "a Content-Range with the number of rows" }))
    )
  }

  const withQuery = <A>(
    resource: Any,
    options: RowQuery.Options | undefined,
    next: (query: RowQuery.RowQuery) => Effect.Effect<A, QueryError>
  ): Effect.Effect<A, QueryError> =>
    Effect.suspend(() => {
      const query = RowQuery.make(resource, options)
      return Either.isLeft(query) ? Effect.fail(query.left) : next(query.right)
    })

  const list = (
    resource: Any,
    options: RowQuery.Options & RowReader.Settings = {}
  ): Effect.Effect<ReadonlyArray<unknown>, QueryError> =>
    Telemetry.observe(
      "Rows.list",
      resource.resource,
      withQuery(resource, options, (rowQuery) =>
        Effect.map(fetch(resource, rowQuery.query, RowQuery.reader(resource, rowQuery), options), ({ rows }) =>
          RowReader.present(rows, options)
        )
      ),
      ({ length }) => length
    )

  const count = (resource: Any, options?: RowQuery.Options): Effect.Effect<number, QueryError> =>
    Telemetry.observe(
      "Rows.count",
      resource.resource,
      withQuery(resource, options, ({ query }) => countOf(resource, query))
    )

  /** Fetches the pages of a query. */
  const pager = (resource: Any, rowQuery: RowQuery.RowQuery, { extra, onInvalid }: RowReader.Settings) =>
    Either.map(Keyset.make(resource, rowQuery.query), (keyset) => {
      const reader = RowQuery.reader(resource, rowQuery)
      const visible = rowQuery.selection === undefined ? keyset.visible : undefined
      const settings: RowReader.Settings = { extra, onInvalid, visible }
      const get = (after: Cursor | undefined, limit: number, counted = false) =>
        Either.match(keyset.page(after, limit), {
          onLeft: Effect.fail,
          onRight: (query) => {
            const isRepeated = after && ((raw: ReadonlyArray<unknown>) => keyset.repeats(raw, after))
            return fetch(resource, query, reader, settings, { counted, isRepeated })
          }
        })
      return {
        get,
        shown: (rows: ReadonlyArray<unknown>) => RowReader.present(rows, settings),
        /** The cursor after the last of these rows. */
        cursorAfter: (raw: ReadonlyArray<unknown>) => keyset.cursorAfter(raw.at(-1))
      }
    })

  const page = (
    resource: Any,
    options: RowQuery.Options & PageOptions & RowReader.Settings = {}
  ): Effect.Effect<Page<unknown>, QueryError> =>
    Telemetry.observe(
      "Rows.page",
      resource.resource,
      withQuery(resource, options, (rowQuery) =>
        Effect.gen(function* () {
          const { after, count = false } = options
          const limit = yield* RowQuery.size(resource, "limit", rowQuery.query.limit ?? 100)
          const { cursorAfter, get, shown } = yield* pager(resource, rowQuery, options)
          // One row more than the limit shows whether another page follows.
          const { raw, rows, total } = yield* get(after, limit + 1, count && after === undefined)
          const kept = raw.slice(0, limit)
          const next = kept.length === 0 ? after : cursorAfter(kept)
          const isCut = raw.length === kept.length && raw.length > 0 && raw.length >= largest
          const more = raw.length > limit || (isCut && (yield* get(next, 1)).raw.length > 0)
          return {
            rows: shown(rows.slice(0, limit)),
            next,
            hasMore: more,
            total: !count || after === undefined ? total : yield* countOf(resource, rowQuery.query)
          }
        })
      ),
      ({ rows }) => rows.length
    )

  const pages = (
    resource: Any,
    options: RowQuery.Options & PageOptions & RowReader.Settings = {}
  ): Stream.Stream<Page<unknown>, QueryError> =>
    Stream.unwrap(
      withQuery(resource, options, (rowQuery) =>
        Effect.gen(function* () {
          const { cursorAfter, get, shown } = yield* pager(resource, rowQuery, options)
          const pageSize = yield* RowQuery.size(resource, "pageSize", options.pageSize ?? 1000)
          const first: Position = { after: options.after, left: rowQuery.query.limit ?? Infinity }
          return Stream.unfoldEffect<Position | undefined, Page<unknown>, QueryError, never>(first, (position) => {
            const size = Math.min(pageSize, position?.left ?? 0)
            if (position === undefined || size < 1) return Effect.succeedNone
            const fetched = Telemetry.observe(
              "Rows.page",
              resource.resource,
              get(position.after, size),
              ({ rows }) => rows.length
            )
            return Effect.map(fetched, ({ raw, rows }) => {
              if (raw.length === 0) return Option.none()
              const kept = raw.slice(0, size)
              const cursor = cursorAfter(kept)
              const hasMore = raw.length >= size || raw.length >= largest
              const next = hasMore ? { after: cursor, left: position.left - kept.length } : undefined
              const page: Page<unknown> = { rows: shown(rows.slice(0, size)), next: cursor, hasMore, total: undefined }
              return Option.some([page, next] as const)
            })
          })
        })
      )
    )

  const stream = (
    resource: Any,
    options?: RowQuery.Options & PageOptions & RowReader.Settings
  ): Stream.Stream<unknown, QueryError> =>
    Stream.mapConcatChunk(pages(resource, options), ({ rows }) => Chunk.unsafeFromArray(rows))

  const one = <A>(
    resource: Any,
    key: string,
    options: RowQuery.SelectOptions,
    finish: (row: unknown, response: Transport.Response) => Either.Either<A, RowReader.Unreadable>
  ): Effect.Effect<A, RetrieveError> => {
    const { keyed, reader, target } = RowQuery.one(resource, key, options)
    const found = call(resource, ResponseError.retrieve(key), get(target), (response, toError) =>
      Either.flatMap(
        RowReader.readOne(reader, response.text, options, toError, keyed ? key : undefined),
        (row): Either.Either<A | undefined, RowReader.Unreadable> =>
          row === undefined ? Either.right(undefined) : finish(row, response)
      )
    )
    return Effect.flatMap(found, (row) =>
      row === undefined ? Effect.fail(new RowNotFound({ resource: resource.resource, key })) : Effect.succeed(row)
    )
  }

  const lookup = RowLookup.make(call, (resource, key, options) => one(resource, key, options, Either.right))

  const retrieve = (
    resource: Any,
    key: string,
    options: RowQuery.SelectOptions = {}
  ): Effect.Effect<unknown, RetrieveError> => lookup("Rows.retrieve", resource, key, options)

  const retrieveVersioned = (resource: Any, key: string): Effect.Effect<VersionedRow<unknown>, RetrieveError> =>
    Telemetry.observe(
      "Rows.retrieveVersioned",
      resource.resource,
      one(resource, key, {}, (row, response) => {
        const etag = response.header("etag")
        return etag === undefined ? Either.left({ expected: "an ETag" }) : Either.right({ row, etag })
      })
    )

  const find = (
    resource: Any,
    key: string,
    options: RowQuery.SelectOptions = {}
  ): Effect.Effect<Option.Option<unknown>, QueryError> =>
    Effect.map(lookup("Rows.find", resource, key, options), Option.some).pipe(
      Effect.catchTag("RowNotFound", () => Effect.succeedNone)
    )

  return { list, page, pages, stream, count, retrieve, retrieveVersioned, find }
}
