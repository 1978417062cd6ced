/**
 * The rows of the service: one set of methods for all resources. The type of each method lists its errors.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Order from "@mfgdata/domain/Order"
import type * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Stream from "effect/Stream"
import * as ClientConfig from "./ClientConfig.ts"
import type {
  PreconditionFailed,
  QueryError,
  RemoveError,
  RetrieveError,
  UpdateError,
  UpsertError,
  WriteError
} from "./ClientError.ts"
import type { Cursor } from "./Cursor.ts"
import * as implementation from "./internal/rows.ts"
import type * as RetryPolicy from "./RetryPolicy.ts"

/** The address of the service, the API key, and the limits of requests. */
export interface Options {
  /** The address of the row interface, such as `http://127.0.0.1:4010/rest`. */
  readonly restUrl: string
  readonly apiKey: Redacted.Redacted | string
  readonly retry?: RetryPolicy.Options | undefined
  /** The longest time of one attempt (default: no limit besides that of the `HttpClient`). */
  readonly timeout?: Duration.DurationInput | undefined
  /** Set to `false` where the service does not support `Idempotency-Key`: a create that fails is then not retried. */
  readonly idempotencyKeys?: boolean | undefined
}

/** The query of a URL: `{ query: "status=eq.Draft&order=transferDate.desc" }`. */
export interface RawQuery {
  readonly query: string
}

/** The columns and embeds to return (default: all columns). */
export interface RetrieveOptions<R extends Resource.Any, S extends Query.Selection<R>> {
  readonly select?: S
}

/** The filter of the rows to count (default: all rows). */
export interface CountOptions<R extends Resource.Any> {
  readonly where?: Query.Where<R>
}

/** The query of a stream; it can be ordered only by columns of the resource itself. */
export interface StreamOptions<R extends Resource.Any, S extends Query.Selection<R>>
  extends RetrieveOptions<R, S>, CountOptions<R> {
  readonly order?: ReadonlyArray<Resource.Column<R> | Order.ColumnOrder<Resource.Column<R>>>
  /** The maximum number of rows (default: all). */
  readonly limit?: number
  /** The maximum number of rows of one request (default 1000). */
  readonly pageSize?: number
  /** The cursor to continue after. */
  readonly after?: Cursor | undefined
}

/** The query of one page. */
export interface PageOptions<R extends Resource.Any, S extends Query.Selection<R>> extends Omit<
  StreamOptions<R, S>,
  "pageSize"
> {
  /** The maximum number of rows of the page (default 100). */
  readonly limit?: number
  /** Set to `true` to count the rows of all pages. */
  readonly count?: boolean
}

/** Some rows, and the cursor of the next page. */
export interface Page<A> {
  readonly rows: ReadonlyArray<A>
  /** Absent on the last page. */
  readonly next: Cursor | undefined
  /** The number of rows of all pages, where the options ask for it. */
  readonly total: number | undefined
}

/** A row and the ETag of its version, for `ifMatch`. */
export interface VersionedRow<A> {
  readonly row: A
  readonly etag: string
}

/** The precondition of a change. */
export interface UpdateOptions {
  /** The ETag of the version to change; the change of another version fails with `PreconditionFailed`. */
  readonly ifMatch: string
}

/** The precondition of a removal. */
export type RemoveOptions = UpdateOptions

/** The values of an upsert: those of a create, and the key. */
export type Upsert<R extends Resource.Any> = Resource.Create<R> & { readonly [K in R["key"]]: Resource.Key<R> }

/** The idempotency of a create. */
export interface CreateOptions {
  /** A key that makes a later create with the same key return the row of the first (default: a new key). */
  readonly idempotencyKey?: string | undefined
}

/** The size and number of the requests that create many rows. */
export interface CreateManyOptions extends CreateOptions {
  /** The maximum number of rows of one request (default 100). */
  readonly batchSize?: number | undefined
  /** The maximum number of concurrent requests (default 1). */
  readonly concurrency?: number | undefined
}

export interface Service {
  /**
   * Returns the rows that match a query, in the order of their creation unless the query has an order.
   *
   * @example
   * rows.list(WarehouseTransfer, { select: ["id", "status"], where: { status: "Draft" }, limit: 50 })
   * rows.list(WarehouseTransfer, { query: "status=eq.Draft&order=transferDate.desc" })
   */
  readonly list: {
    <R extends Resource.Any>(resource: R, query: RawQuery): Effect.Effect<ReadonlyArray<JsonObject>, QueryError>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: Query.Options<R, S>
    ): Effect.Effect<ReadonlyArray<Query.SelectedRow<R, S>>, QueryError>
  }

  /** Returns one page of rows, and the cursor of the next page. */
  readonly page: {
    <R extends Resource.Any>(
      resource: R,
      query: RawQuery & Pick<PageOptions<R, readonly []>, "after" | "count" | "limit">
    ): Effect.Effect<Page<JsonObject>, QueryError>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: PageOptions<R, S>
    ): Effect.Effect<Page<Query.SelectedRow<R, S>>, QueryError>
  }

  /** Streams the pages of a query. */
  readonly pages: {
    <R extends Resource.Any>(
      resource: R,
      query: RawQuery & Pick<StreamOptions<R, readonly []>, "after" | "limit" | "pageSize">
    ): Stream.Stream<Page<JsonObject>, QueryError>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: StreamOptions<R, S>
    ): Stream.Stream<Page<Query.SelectedRow<R, S>>, QueryError>
  }

  /**
   * Streams the rows that match a query, and fetches the next page when it is needed. No row is repeated, even when rows
   * change in the meantime.
   *
   * @example
   * Stream.runForEach(rows.stream(JournalLine, { where: { accrual: true } }), (line) => Console.log(line.amount))
   */
  readonly stream: {
    <R extends Resource.Any>(
      resource: R,
      query: RawQuery & Pick<StreamOptions<R, readonly []>, "after" | "limit" | "pageSize">
    ): Stream.Stream<JsonObject, QueryError>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: StreamOptions<R, S>
    ): Stream.Stream<Query.SelectedRow<R, S>, QueryError>
  }

  /** Counts the rows that match a query. */
  readonly count: {
    <R extends Resource.Any>(resource: R, query: RawQuery): Effect.Effect<number, QueryError>
    <R extends Resource.Any>(resource: R, options?: CountOptions<R>): Effect.Effect<number, QueryError>
  }

  /** Returns the row with a key. */
  readonly retrieve: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
    resource: R,
    key: Resource.Key<R>,
    options?: RetrieveOptions<R, S>
  ) => Effect.Effect<Query.SelectedRow<R, S>, RetrieveError>

  /** Returns the row with a key, and the ETag of its version. */
  readonly retrieveVersioned: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>
  ) => Effect.Effect<VersionedRow<Resource.Row<R>>, RetrieveError>

  /** Returns the row with a key, or `None`. */
  readonly find: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
    resource: R,
    key: Resource.Key<R>,
    options?: RetrieveOptions<R, S>
  ) => Effect.Effect<Option.Option<Query.SelectedRow<R, S>>, QueryError>

  /** Creates a row, once also where the request is retried. */
  readonly create: <R extends Resource.Any>(
    resource: R,
    values: Resource.Create<R>,
    options?: CreateOptions
  ) => Effect.Effect<Resource.Row<R>, WriteError>

  /**
   * Creates rows in batches, and returns the result of each in the order of the rows. The other rows of a rejected row's
   * batch are created. An error that is not about a row, such as a rejected key, is the result of every row from there
   * on, and no further request is sent.
   */
  readonly createMany: <R extends Resource.Any>(
    resource: R,
    values: Iterable<Resource.Create<R>>,
    options?: CreateManyOptions
  ) => Effect.Effect<ReadonlyArray<Either.Either<Resource.Row<R>, WriteError>>>

  /** Changes some fields of a row; null clears an optional field. */
  readonly update: {
    <R extends Resource.Any>(
      resource: R,
      key: Resource.Key<R>,
      changes: Resource.Update<R>
    ): Effect.Effect<Resource.Row<R>, UpdateError>
    <R extends Resource.Any>(
      resource: R,
      key: Resource.Key<R>,
      changes: Resource.Update<R>,
      options: UpdateOptions
    ): Effect.Effect<Resource.Row<R>, UpdateError | PreconditionFailed>
  }

  /**
   * Changes a row by a function of it. Where the row has changed in the meantime, retrieves it and tries again, up to ten
   * times in all.
   *
   * @example
   * rows.modify(WarehouseTransfer, id, ({ tags }) => ({ tags: [...(tags ?? []), "checked"] }))
   */
  readonly modify: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    change: (row: Resource.Row<R>) => Resource.Update<R>
  ) => Effect.Effect<Resource.Row<R>, UpdateError | RetrieveError | PreconditionFailed>

  /** Creates the row with a key, or changes it. */
  readonly upsert: <R extends Resource.Any>(
    resource: R,
    values: Upsert<R>
  ) => Effect.Effect<Resource.Row<R>, UpsertError>

  /** Removes the row with a key. */
  readonly remove: {
    <R extends Resource.Any>(resource: R, key: Resource.Key<R>): Effect.Effect<void, RemoveError>
    <R extends Resource.Any>(
      resource: R,
      key: Resource.Key<R>,
      options: RemoveOptions
    ): Effect.Effect<void, RemoveError | PreconditionFailed>
  }
}

/** Makes the service over the `HttpClient` of the context. */
export const make = (options: Options): Effect.Effect<Service, never, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => implementation.make(client, options))

/**
 * The rows of the service, as a context tag.
 *
 * @example
 * const program = Effect.flatMap(Rows, (rows) => rows.list(Holiday))
 * program.pipe(Effect.provide(Rows.layerFetch({ restUrl: "http://127.0.0.1:4010/rest", apiKey })))
 */
export class Rows extends Context.Tag("@mfgdata/client/Rows")<Rows, Service>() {
  /** Makes the service without a layer, for programs that use several. */
  static readonly make = make

  /** A layer from options; requires an `HttpClient`. */
  static readonly layer = (options: Options): Layer.Layer<Rows, never, HttpClient.HttpClient> =>
    Layer.effect(Rows, make(options))

  /** A layer from `MFG_REST_URL` and `MFG_API_KEY`, or another configuration; requires an `HttpClient`. */
  static readonly layerConfig = (
    config: Config.Config<Options> = ClientConfig.rows
  ): Layer.Layer<Rows, ConfigError, HttpClient.HttpClient> => Layer.effect(Rows, Effect.flatMap(config, make))

  /** A layer from options, over the global `fetch`. */
  static readonly layerFetch = (options: Options): Layer.Layer<Rows> =>
    Layer.provide(Rows.layer(options), FetchHttpClient.layer)
}
