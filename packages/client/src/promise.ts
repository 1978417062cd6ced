/**
 * The rows of the service for code without Effect: the same methods, which return promises and reject with the same
 * errors. Distinguish errors by `_tag` or `instanceof`.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type { JsonObject } from "@mfgdata/domain/Json"
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
  readonly list: {
    <R extends Resource.Any>(
      resource: R,
      query: EffectRows.RawQuery,
      call?: CallOptions
    ): Promise<ReadonlyArray<JsonObject>>
    <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
      resource: R,
      options?: Query.Options<R, S>,
      call?: CallOptions
    ): Promise<ReadonlyArray<Query.SelectedRow<R, S>>>
  }
  readonly page: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
    resource: R,
    options?: EffectRows.PageOptions<R, S>,
    call?: CallOptions
  ) => Promise<EffectRows.Page<Query.SelectedRow<R, S>>>
  readonly stream: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
    resource: R,
    options?: EffectRows.StreamOptions<R, S>
  ) => AsyncIterable<Query.SelectedRow<R, S>>
  readonly count: <R extends Resource.Any>(
    resource: R,
    options?: EffectRows.CountOptions<R>,
    call?: CallOptions
  ) => Promise<number>
  readonly retrieve: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
    resource: R,
    key: Resource.Key<R>,
    options?: EffectRows.RetrieveOptions<R, S>,
    call?: CallOptions
  ) => Promise<Query.SelectedRow<R, S>>
  readonly retrieveVersioned: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    call?: CallOptions
  ) => Promise<EffectRows.VersionedRow<Resource.Row<R>>>
  /** Returns the row with a key, or `undefined`. */
  readonly find: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
    resource: R,
    key: Resource.Key<R>,
    options?: EffectRows.RetrieveOptions<R, S>,
    call?: CallOptions
  ) => Promise<Query.SelectedRow<R, S> | undefined>
  readonly create: <R extends Resource.Any>(
    resource: R,
    values: Resource.Create<R>,
    options?: EffectRows.CreateOptions,
    call?: CallOptions
  ) => Promise<Resource.Row<R>>
  readonly createMany: <R extends Resource.Any>(
    resource: R,
    values: Iterable<Resource.Create<R>>,
    options?: EffectRows.CreateManyOptions,
    call?: CallOptions
  ) => Promise<ReadonlyArray<CreateResult<Resource.Row<R>>>>
  readonly update: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    changes: Resource.Update<R>,
    options?: Partial<EffectRows.UpdateOptions>,
    call?: CallOptions
  ) => Promise<Resource.Row<R>>
  readonly modify: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    change: (row: Resource.Row<R>) => Resource.Update<R>,
    call?: CallOptions
  ) => Promise<Resource.Row<R>>
  readonly upsert: <R extends Resource.Any>(
    resource: R,
    values: EffectRows.Upsert<R>,
    call?: CallOptions
  ) => Promise<Resource.Row<R>>
  readonly remove: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    options?: Partial<EffectRows.RemoveOptions>,
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
    list: (resource: Resource.Any, options?: object, call?: CallOptions) => run(rows.list(resource, options), call),
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
