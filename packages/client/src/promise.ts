/**
 * The rows of the service for code without Effect: the same methods, which return promises and reject with the same
 * errors. Distinguish errors by `_tag` or `instanceof`.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { WriteError } from "./ClientError.ts"
import * as EffectRows from "./Rows.ts"

export * from "./ClientError.ts"
export * as Cursor from "./Cursor.ts"

/** The options of the service, and its `fetch`. */
export interface Options extends EffectRows.Options {
  /** Sends the requests (default: the global `fetch`). */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The last parameter of every method. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The result of one row of `createMany`. */
export type CreateResult<A> =
  | { readonly row: A; readonly error?: never }
  | { readonly row?: never; readonly error: WriteError }

/** The methods of `Rows`, as promises; a stream is an async iterable. */
export interface Rows {
  /** Returns the rows that match a query, in the order of their creation unless the query has an order. */
  readonly list: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends EffectRows.OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    query?: EffectRows.ListOptions<R, S, V, X>,
    call?: CallOptions
  ) => Promise<ReadonlyArray<EffectRows.ReadRow<R, S, V, X>>>
  /** Returns one page of rows, and the cursor of the next page. */
  readonly page: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends EffectRows.OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    query?: EffectRows.PageOptions<R, S, V, X>,
    call?: CallOptions
  ) => Promise<EffectRows.Page<EffectRows.ReadRow<R, S, V, X>>>
  /** Iterates over the rows that match a query, and fetches the next page when it is needed. */
  readonly stream: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends EffectRows.OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    query?: EffectRows.StreamOptions<R, S, V, X>
  ) => AsyncIterable<EffectRows.ReadRow<R, S, V, X>>
  /** Counts the rows that match a query. */
  readonly count: <R extends Resource.Any>(
    resource: R,
    query?: EffectRows.CountOptions<R>,
    call?: CallOptions
  ) => Promise<number>
  /** Returns the row with a key. */
  readonly retrieve: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends EffectRows.OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    key: Resource.Key<R>,
    query?: EffectRows.RetrieveOptions<R, S, V, X>,
    call?: CallOptions
  ) => Promise<EffectRows.ReadRow<R, S, V, X>>
  /** Returns the row with a key, and the ETag of its version. */
  readonly retrieveVersioned: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    call?: CallOptions
  ) => Promise<EffectRows.VersionedRow<Resource.Row<R>>>
  /** Returns the row with a key, or `undefined`. */
  readonly find: <
    R extends Resource.Any,
    const S extends Query.Selection<R> = readonly [],
    V extends EffectRows.OnInvalid = "fail",
    X extends boolean = false
  >(
    resource: R,
    key: Resource.Key<R>,
    query?: EffectRows.RetrieveOptions<R, S, V, X>,
    call?: CallOptions
  ) => Promise<EffectRows.ReadRow<R, S, V, X> | undefined>
  /** Creates a row, once also where the request is retried. */
  readonly create: <R extends Resource.Any>(
    resource: R,
    values: Resource.Create<R>,
    options?: EffectRows.CreateOptions,
    call?: CallOptions
  ) => Promise<Resource.Row<R>>
  /** Creates rows in batches, and returns the result of each in the order of the rows. */
  readonly createMany: <R extends Resource.Any>(
    resource: R,
    values: Iterable<Resource.Create<R>>,
    options?: EffectRows.CreateManyOptions,
    call?: CallOptions
  ) => Promise<ReadonlyArray<CreateResult<Resource.Row<R>>>>
  /** Changes some fields of a row; null clears an optional field. */
  readonly update: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    changes: Resource.Update<R>,
    options?: EffectRows.UpdateOptions,
    call?: CallOptions
  ) => Promise<Resource.Row<R>>
  /** Changes a row by a function of it, again where the row has changed in the meantime. */
  readonly modify: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    change: (row: Resource.Row<R>) => Resource.Update<R>,
    call?: CallOptions
  ) => Promise<Resource.Row<R>>
  /** Creates the row with a key, or changes it. */
  readonly upsert: <R extends Resource.Any>(
    resource: R,
    values: EffectRows.Upsert<R>,
    call?: CallOptions
  ) => Promise<Resource.Row<R>>
  /** Removes the row with a key. */
  readonly remove: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    options?: EffectRows.UpdateOptions,
    call?: CallOptions
  ) => Promise<void>
}

const toCreateResult = <A>(result: Either.Either<A, WriteError>): CreateResult<A> =>
  Either.isRight(result) ? { row: result.right } : { error: result.left }

/**
 * Makes the methods over a service.
 *
 * @example
 * const rows = connect({ restUrl: "http://127.0.0.1:4010/rest", apiKey })
 * for await (const line of rows.stream(JournalLine)) console.log(line.amount)
 */
export const connect = ({ fetch = globalThis.fetch, ...options }: Options): Rows => {
  const rows = Effect.runSync(Effect.provide(EffectRows.make(options), FetchHttpClient.layer))
  const run = async <A, E>(effect: Effect.Effect<A, E>, { signal }: CallOptions = {}): Promise<A> => {
    const fetched = Effect.provideService(effect, FetchHttpClient.Fetch, fetch)
    const exit = await Effect.runPromiseExit(fetched, signal && { signal })
    if (Exit.isSuccess(exit)) return exit.value
    signal?.throwIfAborted()
    // Rejects with the error itself: `Effect.runPromise` would wrap it.
    throw Cause.squash(exit.cause)
  }
  return {
    list: (resource, options, call) => run(rows.list(resource, options), call),
    page: (resource, options, call) => run(rows.page(resource, options), call),
    stream: (resource, options) =>
      Stream.toAsyncIterable(Stream.provideService(rows.stream(resource, options), FetchHttpClient.Fetch, fetch)),
    count: (resource, options, call) => run(rows.count(resource, options), call),
    retrieve: (resource, key, options, call) => run(rows.retrieve(resource, key, options), call),
    retrieveVersioned: (resource, key, call) => run(rows.retrieveVersioned(resource, key), call),
    find: (resource, key, options, call) =>
      run(Effect.map(rows.find(resource, key, options), Option.getOrUndefined), call),
    create: (resource, values, options, call) => run(rows.create(resource, values, options), call),
    createMany: (resource, values, options, call) =>
      run(
        Effect.map(rows.createMany(resource, values, options), (results) => results.map(toCreateResult)),
        call
      ),
    update: (resource, key, changes, { ifMatch } = {}, call) =>
      run(
        ifMatch === undefined ? rows.update(resource, key, changes) : rows.update(resource, key, changes, { ifMatch }),
        call
      ),
    modify: (resource, key, change, call) => run(rows.modify(resource, key, change), call),
    upsert: (resource, values, call) => run(rows.upsert(resource, values), call),
    remove: (resource, key, { ifMatch } = {}, call) =>
      run(ifMatch === undefined ? rows.remove(resource, key) : rows.remove(resource, key, { ifMatch }), call)
  }
}
