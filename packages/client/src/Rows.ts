/**
 * The rows of the service: one set of methods for all resources, each promising exactly what can fail.
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

/** Where the rows are, who asks, and how patiently. */
export interface Options {
  /** The address of the row interface, such as `http://127.0.0.1:4010/rest`. */
  readonly restUrl: string
  readonly apiKey: Redacted.Redacted | string
  readonly retry?: RetryPolicy.Options | undefined
  /** How long one attempt may take; left out, as long as the `HttpClient` lets it. */
  readonly timeout?: Duration.DurationInput | undefined
  /**
   * Whether the service honours `Idempotency-Key`, as it does when this is left out. Where it does not, a create that
   * fails is not sent again.
   */
  readonly idempotencyKeys?: boolean | undefined
}

/** A query as the text of a URL's query: `{ query: "status=eq.Draft&order=transferDate.desc" }`. */
export interface Text {
  readonly query: string
}

/** What of a row is wanted. */
export interface Selecting<R extends Resource.Any, S extends Query.Selection<R>> {
  readonly select?: S
}

/** Which rows are counted. */
export interface Counting<R extends Resource.Any> {
  readonly where?: Query.Where<R>
}

/** What can be asked of rows that come in pages; they are ordered by columns of their own. */
export interface Streaming<R extends Resource.Any, S extends Query.Selection<R>> extends Selecting<R, S>, Counting<R> {
  readonly order?: ReadonlyArray<Resource.Column<R> | Order.By<Resource.Column<R>>>
  /** At most so many rows; all of them when it is left out. */
  readonly limit?: number
  /** How many rows each request asks for; 1 000 when it is left out. */
  readonly pageSize?: number
  /** Where to go on. */
  readonly after?: Cursor | undefined
}

/** What can be asked of one page. */
export interface Paging<R extends Resource.Any, S extends Query.Selection<R>> extends Omit<
  Streaming<R, S>,
  "pageSize"
> {
  /** How many rows the page holds; 100 when it is left out. */
  readonly limit?: number
  /** Whether to count all rows, of all pages. */
  readonly count?: boolean
}

/** Some rows, and where the next ones begin. */
export interface Page<A> {
  readonly rows: ReadonlyArray<A>
  /** Absent behind the last row. */
  readonly next: Cursor | undefined
  /** How many rows there are in all, if it was asked for. */
  readonly total: number | undefined
}

/** A row and the version of it that was read; `etag` fits `ifMatch`. */
export interface Versioned<A> {
  readonly row: A
  readonly etag: string
}

/** Only the version that this names is written. */
export interface Matching {
  readonly ifMatch: string
}

/** What an upsert carries: what a create does, and the key. */
export type Upsert<R extends Resource.Any> = Resource.Create<R> & { readonly [K in R["key"]]: Resource.Key<R> }

/** How a create makes sure that it happens once. */
export interface Creating {
  /** Names this create, so that it happens once also when the program begins again; left out, the client makes one. */
  readonly idempotencyKey?: string | undefined
}

/** How many rows are created. */
export interface CreatingMany extends Creating {
  /** How many rows go into one request; 100 when it is left out. */
  readonly batchSize?: number | undefined
  /** How many requests are under way at a time; 1 when it is left out. */
  readonly concurrency?: number | undefined
}

export interface Service {
  /**
   * The rows that a query finds, in the order of their keys unless another is asked for.
   *
   * @example
   * rows.list(WarehouseTransfer, { select: ["id", "status"], where: { status: "Draft" }, limit: 50 })
   * rows.list(WarehouseTransfer, { query: "status=eq.Draft&order=transferDate.desc" })
   */
  readonly list: {
    <R extends Resource.Any>(resource: R, text: Text): Effect.Effect<ReadonlyArray<JsonObject>, QueryError>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: Query.Options<R, S>
    ): Effect.Effect<ReadonlyArray<Query.Selected<R, S>>, QueryError>
  }

  /** One page of rows, and the cursor of the next. */
  readonly page: {
    <R extends Resource.Any>(
      resource: R,
      text: Text & Pick<Paging<R, readonly []>, "after" | "count" | "limit">
    ): Effect.Effect<Page<JsonObject>, QueryError>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: Paging<R, S>
    ): Effect.Effect<Page<Query.Selected<R, S>>, QueryError>
  }

  /** All pages, one after the other. */
  readonly pages: {
    <R extends Resource.Any>(
      resource: R,
      text: Text & Pick<Streaming<R, readonly []>, "after" | "limit" | "pageSize">
    ): Stream.Stream<Page<JsonObject>, QueryError>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: Streaming<R, S>
    ): Stream.Stream<Page<Query.Selected<R, S>>, QueryError>
  }

  /**
   * All rows that a query finds, fetched page by page while they are consumed. What changes meanwhile makes no row
   * come twice.
   *
   * @example
   * Stream.runForEach(rows.stream(JournalLine, { where: { accrual: true } }), (line) => Console.log(line.amount))
   */
  readonly stream: {
    <R extends Resource.Any>(
      resource: R,
      text: Text & Pick<Streaming<R, readonly []>, "after" | "limit" | "pageSize">
    ): Stream.Stream<JsonObject, QueryError>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: Streaming<R, S>
    ): Stream.Stream<Query.Selected<R, S>, QueryError>
  }

  /** How many rows a query finds. */
  readonly count: {
    <R extends Resource.Any>(resource: R, text: Text): Effect.Effect<number, QueryError>
    <R extends Resource.Any>(resource: R, options?: Counting<R>): Effect.Effect<number, QueryError>
  }

  /** The row of a key. */
  readonly retrieve: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
    resource: R,
    key: Resource.Key<R>,
    options?: Selecting<R, S>
  ) => Effect.Effect<Query.Selected<R, S>, RetrieveError>

  /** The row of a key, and the version of it that this is. */
  readonly retrieveVersioned: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>
  ) => Effect.Effect<Versioned<Resource.Row<R>>, RetrieveError>

  /** The row of a key, if there is one. */
  readonly find: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
    resource: R,
    key: Resource.Key<R>,
    options?: Selecting<R, S>
  ) => Effect.Effect<Option.Option<Query.Selected<R, S>>, QueryError>

  /** Creates a row: once, however often it has to be sent. */
  readonly create: <R extends Resource.Any>(
    resource: R,
    values: Resource.Create<R>,
    options?: Creating
  ) => Effect.Effect<Resource.Row<R>, WriteError>

  /**
   * Creates rows in batches, and tells what became of each, in their order. A row that is refused keeps no other from
   * being created. What stops a whole call, such as a key that is not accepted, is told of every row from there on,
   * and nothing more is sent.
   */
  readonly createMany: <R extends Resource.Any>(
    resource: R,
    values: Iterable<Resource.Create<R>>,
    options?: CreatingMany
  ) => Effect.Effect<ReadonlyArray<Either.Either<Resource.Row<R>, WriteError>>>

  /** Changes the fields that are given; null clears an optional one. */
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
      options: Matching
    ): Effect.Effect<Resource.Row<R>, UpdateError | PreconditionFailed>
  }

  /**
   * Changes a row according to what it is, and again when somebody else changed it in between, at most ten times.
   *
   * @example
   * rows.modify(WarehouseTransfer, id, ({ tags }) => ({ tags: [...(tags ?? []), "checked"] }))
   */
  readonly modify: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    change: (row: Resource.Row<R>) => Resource.Update<R>
  ) => Effect.Effect<Resource.Row<R>, UpdateError | RetrieveError | PreconditionFailed>

  /** Creates the row of a key, or changes it to the values that are given. */
  readonly upsert: <R extends Resource.Any>(
    resource: R,
    values: Upsert<R>
  ) => Effect.Effect<Resource.Row<R>, UpsertError>

  /** Removes the row of a key. */
  readonly remove: {
    <R extends Resource.Any>(resource: R, key: Resource.Key<R>): Effect.Effect<void, RemoveError>
    <R extends Resource.Any>(
      resource: R,
      key: Resource.Key<R>,
      options: Matching
    ): Effect.Effect<void, RemoveError | PreconditionFailed>
  }
}

/** The service itself, over whatever `HttpClient` there is. */
export const make = (options: Options): Effect.Effect<Service, never, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => implementation.make(client, options))

/**
 * Rows, as a service.
 *
 * @example
 * const program = Effect.flatMap(Rows, (rows) => rows.list(Holiday))
 * program.pipe(Effect.provide(Rows.layerFetch({ restUrl: "http://127.0.0.1:4010/rest", apiKey })))
 */
export class Rows extends Context.Tag("@mfgdata/client/Rows")<Rows, Service>() {
  /** The service itself, for whoever keeps more than one. */
  static readonly make = make

  /** From options; `HttpClient` stays open. */
  static readonly layer = (options: Options): Layer.Layer<Rows, never, HttpClient.HttpClient> =>
    Layer.effect(Rows, make(options))

  /** From `MFG_REST_URL` and `MFG_API_KEY`, or another configuration; `HttpClient` stays open. */
  static readonly layerConfig = (
    config: Config.Config<Options> = ClientConfig.rows
  ): Layer.Layer<Rows, ConfigError, HttpClient.HttpClient> => Layer.effect(Rows, Effect.flatMap(config, make))

  /** From options, over the `fetch` of wherever this runs. */
  static readonly layerFetch = (options: Options): Layer.Layer<Rows> =>
    Layer.provide(Rows.layer(options), FetchHttpClient.layer)
}
