/**
 * The rows of the service: one set of methods for all resources. The type of each method lists its errors.
 * One file, because the methods of the service are one interface, and its functions belong to its tag.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { CallOptions, LayerOptions } from "./CallOptions.ts"
import type { WithResponse } from "./CallResponse.ts"
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
import * as Changes from "./internal/Changes.ts"
import * as CallContext from "./internal/call/CallContext.ts"
import * as RowLookup from "./internal/RowLookup.ts"
import * as implementation from "./internal/rows.ts"
import type {
  CacheOptions,
  ChangesOptions,
  ListOptions,
  OnInvalid,
  Page,
  PageOptions,
  ReadRow,
  RetrieveOptions,
  StreamOptions,
  VersionedRow,
  CountOptions
} from "./ReadOptions.ts"

export type * from "./ReadOptions.ts"

/** The address of the service, the API key, and the options of all calls. */
export interface Options extends LayerOptions {
  /** The address of the row interface, such as `http://127.0.0.1:4010/rest`. */
  readonly restUrl: string
  readonly apiKey: Redacted.Redacted | string
  /** Set to `false` where the service does not support `Idempotency-Key`: a create that fails is then not retried. */
  readonly idempotencyKeys?: boolean | undefined
}

/** The precondition of a change or removal. */
export interface UpdateOptions<M extends string | undefined = string | undefined> {
  /** The ETag of the version to change; the change of another version fails with `PreconditionFailed`. */
  readonly ifMatch?: M
}

/** The error of a precondition, where there is one. */
export type PreconditionError<M> = [M] extends [undefined] ? never : PreconditionFailed

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

/** The methods. The last parameter of each holds the options of the call. */
export interface Service {
  /**
   * Returns the rows that match a query, in the order of their creation unless the query has an order.
   *
   * @example
   * rows.list(WarehouseTransfer, { select: ["id", "status"], where: { status: "Draft" }, limit: 50 })
   * rows.list(WarehouseTransfer, Query.fromText("status=eq.Draft&order=transferDate.desc"))
   */
  readonly list: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    query?: ListOptions<R, S, V, X>,
    call?: CallOptions
  ) => Effect.Effect<ReadonlyArray<ReadRow<R, S, V, X>>, QueryError>

  /** Returns one page of rows, and the cursor of the next page. */
  readonly page: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    query?: PageOptions<R, S, V, X>,
    call?: CallOptions
  ) => Effect.Effect<Page<ReadRow<R, S, V, X>>, QueryError>

  /** Streams the pages of a query. */
  readonly pages: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    query?: StreamOptions<R, S, V, X>,
    call?: CallOptions
  ) => Stream.Stream<Page<ReadRow<R, S, V, X>>, QueryError>

  /**
   * Streams the rows that match a query, and fetches the next page when it is needed. No row is repeated, even when rows
   * change in the meantime.
   *
   * @example
   * Stream.runForEach(rows.stream(JournalLine, { where: { accrual: true } }), (line) => Console.log(line.amount))
   */
  readonly stream: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    query?: StreamOptions<R, S, V, X>,
    call?: CallOptions
  ) => Stream.Stream<ReadRow<R, S, V, X>, QueryError>

  /** Counts the rows that match a query. */
  readonly count: <R extends Resource.Any>(
    resource: R,
    query?: CountOptions<R>,
    call?: CallOptions
  ) => Effect.Effect<number, QueryError>

  /** Returns the row with a key. */
  readonly retrieve: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    key: Resource.Key<R>,
    query?: RetrieveOptions<R, S, V, X>,
    call?: CallOptions
  ) => Effect.Effect<ReadRow<R, S, V, X>, RetrieveError>

  /** Returns the row with a key, and the ETag of its version. */
  readonly retrieveVersioned: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    call?: CallOptions
  ) => Effect.Effect<VersionedRow<Resource.Row<R>>, RetrieveError>

  /** Returns the row with a key, or `None`. */
  readonly find: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    key: Resource.Key<R>,
    query?: RetrieveOptions<R, S, V, X>,
    call?: CallOptions
  ) => Effect.Effect<Option.Option<ReadRow<R, S, V, X>>, QueryError>

  /** Creates a row, once also where the request is retried. */
  readonly create: <R extends Resource.Any>(
    resource: R,
    values: Resource.Create<R>,
    options?: CreateOptions,
    call?: CallOptions
  ) => Effect.Effect<Resource.Row<R>, WriteError>

  /**
   * Creates rows in batches, and returns the result of each in the order of the rows. The other rows of a rejected row's
   * batch are created. An error that is not about a row, such as a rejected key, is the result of every row from there
   * on, and no further request is sent.
   */
  readonly createMany: <R extends Resource.Any>(
    resource: R,
    values: ReadonlyArray<Resource.Create<R>> | Iterable<Resource.Create<R>>,
    options?: CreateManyOptions,
    call?: CallOptions
  ) => Effect.Effect<ReadonlyArray<Either.Either<Resource.Row<R>, WriteError>>>

  /** Changes some fields of a row; null clears an optional field. */
  readonly update: <R extends Resource.Any, M extends string | undefined = undefined>(
    resource: R,
    key: Resource.Key<R>,
    changes: Resource.Update<R>,
    options?: UpdateOptions<M>,
    call?: CallOptions
  ) => Effect.Effect<Resource.Row<R>, UpdateError | PreconditionError<M>>

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
    change: (row: Resource.Row<R>) => Resource.Update<R>,
    call?: CallOptions
  ) => Effect.Effect<Resource.Row<R>, UpdateError | RetrieveError | PreconditionFailed>

  /** Creates the row with a key, or changes it. */
  readonly upsert: <R extends Resource.Any>(
    resource: R,
    values: Upsert<R>,
    call?: CallOptions
  ) => Effect.Effect<Resource.Row<R>, UpsertError>

  /** Removes the row with a key. */
  readonly remove: <R extends Resource.Any, M extends string | undefined = undefined>(
    resource: R,
    key: Resource.Key<R>,
    options?: UpdateOptions<M>,
    call?: CallOptions
  ) => Effect.Effect<void, RemoveError | PreconditionError<M>>
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

  /**
   * Changes the options of all calls of an effect, those of `Accounts` included.
   *
   * @example
   * Rows.withOptions(import_, { timeout: "2 minutes", headers: { "x-tenant": "north" } })
   */
  static readonly withOptions: {
    (options: CallOptions): <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    <A, E, R>(effect: Effect.Effect<A, E, R>, options: CallOptions): Effect.Effect<A, E, R>
  } = dual(2, CallContext.withOptions)

  /**
   * Returns the result of an effect with the last response that it received: status, headers, identifier of the
   * request, duration and attempts.
   *
   * @example
   * const { response, value } = yield* Rows.withResponse(rows.retrieve(Holiday, id))
   */
  static readonly withResponse: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<WithResponse<A>, E, R> =
    CallContext.withResponse

  /**
   * Keeps the rows that `retrieve` and `find` return in an effect, so that each is retrieved once. A write of the effect
   * empties the cache; the change of another client is visible after the cache has dropped the row.
   *
   * @example
   * Rows.cached(Effect.forEach(lines, (line) => rows.retrieve(WarehouseTransfer, line.transferId)))
   */
  static readonly cached: <A, E, R>(effect: Effect.Effect<A, E, R>, options?: CacheOptions) => Effect.Effect<A, E, R> =
    RowLookup.cached

  /**
   * Streams the rows that were created or changed since a time, each change once, and polls for further ones. Removed
   * rows are not reported. To continue after a restart, pass the time of the last row less the overlap.
   *
   * @example
   * Rows.changes(SalesOrderPayment, { since: Timestamp.make("2026-01-01T00:00:00Z"), by: "updatedAt" })
   */
  static readonly changes = <R extends Resource.Any>(
    resource: R,
    options: ChangesOptions<R>,
    call?: CallOptions
  ): Stream.Stream<Resource.Row<R>, QueryError, Rows> =>
    Stream.unwrap(Effect.map(Rows, (rows) => Changes.make(rows, resource, options, call)))
}
