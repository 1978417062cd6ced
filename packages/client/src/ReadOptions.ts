/**
 * The queries of the reading methods of `Rows`, and the rows and pages that they return.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Order from "@mfgdata/domain/Order"
import type * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as TextQuery from "@mfgdata/domain/TextQuery"
import type * as Timestamp from "@mfgdata/domain/Timestamp"
import type * as Duration from "effect/Duration"
import type * as Either from "effect/Either"
import type { ResponseMalformed } from "./ClientError.ts"
import type { Cursor } from "./Cursor.ts"

/** The handling of rows that do not match their type: fail, return them undecoded, or leave them out. */
export type OnInvalid = "fail" | "keep" | "skip"

/** The decoding of rows. */
export interface DecodeOptions<V extends OnInvalid, X extends boolean> {
  /**
   * The handling of rows that do not match their type (default `"fail"`). With `"keep"` each row is an `Either`; with
   * `"skip"` such a row is left out, or absent.
   */
  readonly onInvalid?: V
  /** Set to `true` to return the columns that this version does not know, under `extra`. */
  readonly extra?: X
}

/** A row that does not match its type. */
export interface InvalidRow {
  /** The row as the service returned it. */
  readonly raw: Json
  /** The key of the row, and the field that does not match. */
  readonly error: ResponseMalformed
}

/** A row as a method returns it. */
export type ReadRow<
  R extends Resource.Any,
  S extends ReadonlyArray<unknown>,
  V extends OnInvalid,
  X extends boolean
> = V extends "keep" ? Either.Either<DecodedRow<R, S, X>, InvalidRow> : DecodedRow<R, S, X>

type DecodedRow<R extends Resource.Any, S extends ReadonlyArray<unknown>, X extends boolean> = X extends true
  ? Query.SelectedRow<R, S> & { readonly extra: JsonObject }
  : Query.SelectedRow<R, S>

/** The query of a list. */
export interface ListOptions<
  R extends Resource.Any,
  S extends Query.Selection<R>,
  V extends OnInvalid = "fail",
  X extends boolean = false
>
  extends Pick<Query.Options<R, S>, "select" | "where" | "order" | "limit" | "offset">, DecodeOptions<V, X> {}

/** The columns and embeds to return (default: all columns). */
export interface RetrieveOptions<
  R extends Resource.Any,
  S extends Query.Selection<R>,
  V extends OnInvalid = "fail",
  X extends boolean = false
>
  extends Pick<Query.Options<R, S>, "select" | typeof TextQuery.TypeId>, DecodeOptions<V, X> {}

/** The filter of the rows to count (default: all rows). */
export type CountOptions<R extends Resource.Any> = Pick<Query.Options<R>, "where"> | Query.TextQuery

/** The query of a stream; it can be ordered only by columns of the resource itself. */
export interface StreamOptions<
  R extends Resource.Any,
  S extends Query.Selection<R>,
  V extends OnInvalid = "fail",
  X extends boolean = false
>
  extends Pick<Query.Options<R, S>, "select" | "where">, DecodeOptions<V, X> {
  readonly order?: ReadonlyArray<Resource.Column<R> | Order.ColumnOrder<Resource.Column<R>>>
  /** The maximum number of rows (default: all). */
  readonly limit?: number
  /** The maximum number of rows of one request (default 1000). */
  readonly pageSize?: number
  /** The cursor to continue after. */
  readonly after?: Cursor | undefined
}

/** The query of one page. */
export interface PageOptions<
  R extends Resource.Any,
  S extends Query.Selection<R>,
  V extends OnInvalid = "fail",
  X extends boolean = false
> extends Omit<StreamOptions<R, S, V, X>, "pageSize"> {
  /** The maximum number of rows of the page (default 100). */
  readonly limit?: number
  /** Set to `true` to count the rows of all pages. */
  readonly count?: boolean
}

/** Some rows, and the cursor of the next page. */
export interface Page<A> {
  readonly rows: ReadonlyArray<A>
  /** The cursor after the last row, also on the last page: for rows that are created later. Absent without any row. */
  readonly next: Cursor | undefined
  /** False on the last page. */
  readonly hasMore: boolean
  /** The number of rows of all pages, where the options ask for it. */
  readonly total: number | undefined
}

/** A row and the ETag of its version, for `ifMatch`. */
export interface VersionedRow<A> {
  readonly row: A
  readonly etag: string
}

/** The columns of a resource that hold a time. */
export type TimeColumn<R extends Resource.Any> = {
  readonly [C in Resource.Column<R>]: NonNullable<Resource.Row<R>[C]> extends Timestamp.Timestamp ? C : never
}[Resource.Column<R>]

/** The changes to return, and the polls that find them. */
export interface ChangesOptions<R extends Resource.Any> {
  /** The time of the first changes. */
  readonly since: Timestamp.Timestamp | Date
  /** The column with the time of the last change; a row without one counts from its `createdAt`. */
  readonly by: TimeColumn<R>
  readonly where?: Query.Where<R>
  /** The time between two polls (default 5 seconds). */
  readonly every?: Duration.DurationInput | undefined
  /** The time before the last change that each poll reads again, for changes that become visible late (default 10 seconds). */
  readonly overlap?: Duration.DurationInput | undefined
}

/** The size of a cache, and the time for which it keeps a row. */
export interface CacheOptions {
  /** The maximum number of rows (default 10 000). */
  readonly capacity?: number | undefined
  /** The time for which a row is kept (default: until the end of the effect). */
  readonly timeToLive?: Duration.DurationInput | undefined
}
