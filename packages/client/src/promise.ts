/**
 * The rows of the service for code without Effect: the same methods, answering promises. What fails rejects with the
 * same errors, to be told apart by `_tag` or `instanceof`.
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

/** Where the rows are, who asks, and over what. */
export interface Options extends EffectRows.Options {
  /** What sends requests. Left out, that of wherever this runs. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** What every method takes last. */
export interface Calling {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What became of a row of many. */
export type Created<A> =
  | { readonly row: A; readonly error?: never }
  | { readonly row?: never; readonly error: WriteError }

type Whole = readonly []

/** The methods of `Rows`, as promises; a stream is an async iterable. */
export interface Rows {
  readonly list: {
    <R extends Resource.Any>(resource: R, text: EffectRows.Text, calling?: Calling): Promise<ReadonlyArray<JsonObject>>
    <R extends Resource.Any, const S extends Query.Selection<R> = Whole>(
      resource: R,
      options?: Query.Options<R, S>,
      calling?: Calling
    ): Promise<ReadonlyArray<Query.Selected<R, S>>>
  }
  readonly page: <R extends Resource.Any, const S extends Query.Selection<R> = Whole>(
    resource: R,
    options?: EffectRows.Paging<R, S>,
    calling?: Calling
  ) => Promise<EffectRows.Page<Query.Selected<R, S>>>
  readonly stream: <R extends Resource.Any, const S extends Query.Selection<R> = Whole>(
    resource: R,
    options?: EffectRows.Streaming<R, S>
  ) => AsyncIterable<Query.Selected<R, S>>
  readonly count: <R extends Resource.Any>(
    resource: R,
    options?: EffectRows.Counting<R>,
    calling?: Calling
  ) => Promise<number>
  readonly retrieve: <R extends Resource.Any, const S extends Query.Selection<R> = Whole>(
    resource: R,
    key: Resource.Key<R>,
    options?: EffectRows.Selecting<R, S>,
    calling?: Calling
  ) => Promise<Query.Selected<R, S>>
  readonly retrieveVersioned: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    calling?: Calling
  ) => Promise<EffectRows.Versioned<Resource.Row<R>>>
  /** `undefined` where there is no row. */
  readonly find: <R extends Resource.Any, const S extends Query.Selection<R> = Whole>(
    resource: R,
    key: Resource.Key<R>,
    options?: EffectRows.Selecting<R, S>,
    calling?: Calling
  ) => Promise<Query.Selected<R, S> | undefined>
  readonly create: <R extends Resource.Any>(
    resource: R,
    values: Resource.Create<R>,
    options?: EffectRows.Creating,
    calling?: Calling
  ) => Promise<Resource.Row<R>>
  readonly createMany: <R extends Resource.Any>(
    resource: R,
    values: Iterable<Resource.Create<R>>,
    options?: EffectRows.CreatingMany,
    calling?: Calling
  ) => Promise<ReadonlyArray<Created<Resource.Row<R>>>>
  readonly update: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    changes: Resource.Update<R>,
    options?: Partial<EffectRows.Matching>,
    calling?: Calling
  ) => Promise<Resource.Row<R>>
  readonly modify: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    change: (row: Resource.Row<R>) => Resource.Update<R>,
    calling?: Calling
  ) => Promise<Resource.Row<R>>
  readonly upsert: <R extends Resource.Any>(
    resource: R,
    values: EffectRows.Upsert<R>,
    calling?: Calling
  ) => Promise<Resource.Row<R>>
  readonly remove: <R extends Resource.Any>(
    resource: R,
    key: Resource.Key<R>,
    options?: Partial<EffectRows.Matching>,
    calling?: Calling
  ) => Promise<void>
}

const toCreated = <A>(result: Either.Either<A, WriteError>): Created<A> =>
  Either.isRight(result) ? { row: result.right } : { error: result.left }

/**
 * The rows of a service.
 *
 * @example
 * const rows = connect({ restUrl: "http://127.0.0.1:4010/rest", apiKey })
 * for await (const line of rows.stream(JournalLine)) console.log(line.amount)
 */
export const connect = ({ fetch = globalThis.fetch, ...options }: Options): Rows => {
  const rows = Effect.runSync(Effect.provide(EffectRows.make(options), FetchHttpClient.layer))
  const run = async <A, E>(effect: Effect.Effect<A, E>, { signal }: Calling = {}): Promise<A> => {
    const fetched = Effect.provideService(effect, FetchHttpClient.Fetch, fetch)
    const exit = await Effect.runPromiseExit(fetched, signal && { signal })
    if (Exit.isSuccess(exit)) return exit.value
    signal?.throwIfAborted()
    // The error itself, which Effect would wrap.
    throw Cause.squash(exit.cause)
  }
  return {
    list: (resource: Resource.Any, options?: object, calling?: Calling) => run(rows.list(resource, options), calling),
    page: (resource, options, calling) => run(rows.page(resource, options), calling),
    stream: (resource, options) =>
      Stream.toAsyncIterable(Stream.provideService(rows.stream(resource, options), FetchHttpClient.Fetch, fetch)),
    count: (resource, options, calling) => run(rows.count(resource, options), calling),
    retrieve: (resource, key, options, calling) => run(rows.retrieve(resource, key, options), calling),
    retrieveVersioned: (resource, key, calling) => run(rows.retrieveVersioned(resource, key), calling),
    find: (resource, key, options, calling) =>
      run(Effect.map(rows.find(resource, key, options), Option.getOrUndefined), calling),
    create: (resource, values, options, calling) => run(rows.create(resource, values, options), calling),
    createMany: (resource, values, options, calling) =>
      run(
        Effect.map(rows.createMany(resource, values, options), (results) => results.map(toCreated)),
        calling
      ),
    update: (resource, key, changes, { ifMatch } = {}, calling) =>
      run(
        ifMatch === undefined ? rows.update(resource, key, changes) : rows.update(resource, key, changes, { ifMatch }),
        calling
      ),
    modify: (resource, key, change, calling) => run(rows.modify(resource, key, change), calling),
    upsert: (resource, values, calling) => run(rows.upsert(resource, values), calling),
    remove: (resource, key, { ifMatch } = {}, calling) =>
      run(ifMatch === undefined ? rows.remove(resource, key) : rows.remove(resource, key, { ifMatch }), calling)
  }
}
