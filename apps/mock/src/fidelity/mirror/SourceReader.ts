/**
 * Reads the rows of one resource of a source as they are, in pages by key.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import type * as Cursor from "@mfgdata/client/Cursor"
import type * as Rows from "@mfgdata/client/Rows"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Parameter } from "./SourceFilter.ts"

/** The rows of a page, its cursor, and whether another one follows. */
interface Page {
  readonly rows: ReadonlyArray<JsonObject>
  readonly next: Cursor.Cursor | undefined
  readonly hasMore: boolean
}

export interface SourceReader {
  /** A page of at most `limit` rows; smaller where the source refuses that size. */
  readonly page: (
    after: Cursor.Cursor | undefined,
    limit: number,
    ...more: ReadonlyArray<Parameter>
  ) => Effect.Effect<Page, QueryError>
  /** The keys after some rows, in the order in which the source lists them; undefined if it refuses to. */
  readonly listed: (offset: number) => Effect.Effect<ReadonlyArray<string> | undefined, QueryError>
  /** The number of rows, if the source counts them. */
  readonly count: Effect.Effect<number | undefined, QueryError>
  /** The last value of a column of times. */
  readonly latest: (column: string) => Effect.Effect<string | undefined, QueryError>
}

/** The rows of a page: the client asks for one more, and services return 1000 at most. */
const pageLength = 999

const isRow = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The errors of requests that not every service supports. */
const unsupported: ReadonlySet<string> = new Set(["QueryRejected", "QueryTooCostly", "ResponseMalformed"])

const ifSupported = <A>(effect: Effect.Effect<A, QueryError>): Effect.Effect<A | undefined, QueryError> =>
  Effect.catchIf(
    effect,
    ({ _tag }) => unsupported.has(_tag),
    () => Effect.succeed(undefined)
  )

/** Reads the rows of a resource that meet conditions. */
export const make = (rows: Rows.Service, resource: Resource.Any, where: ReadonlyArray<Parameter>): SourceReader => {
  const { key } = resource
  let length = pageLength

  const query = (...more: ReadonlyArray<Parameter>) =>
    Query.fromText(
      new URLSearchParams([...where, ...more].map(([name, value]): [string, string] => [name, value])).toString()
    )

  const page: SourceReader["page"] = (after, limit, ...more) =>
    rows.page(resource, { ...query(...more), onInvalid: "keep", limit: Math.min(limit, length), after }).pipe(
      Effect.map(({ hasMore, next, rows }) => ({
        rows: rows
          .map(Either.match({ onLeft: ({ raw }): unknown => raw, onRight: (row): unknown => row }))
          .filter(isRow),
        next,
        hasMore
      })),
      Effect.catchIf(
        ({ _tag }) => _tag === "QueryTooCostly" && length > 1,
        () => {
          length = Math.ceil(length / 2)
          return page(after, limit, ...more)
        }
      )
    )

  const list = (...more: ReadonlyArray<Parameter>) => rows.list(resource, query(...more))

  return {
    page,
    listed: (offset) =>
      Effect.map(ifSupported(list(["select", key], ["limit", "1000"], ["offset", String(offset)])), (rows) =>
        rows?.map((row) => String(row[key]))
      ),
    count: ifSupported(rows.count(resource, query())),
    latest: (column) =>
      Effect.map(
        ifSupported(list(["select", column], ["order", `${column}.desc.nullslast`], ["limit", "1"])),
        (rows) => {
          const value = rows?.[0]?.[column]
          return typeof value === "string" ? value : undefined
        }
      )
  }
}
