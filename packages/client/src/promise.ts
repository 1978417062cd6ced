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
import type { CallOptions as EffectCallOptions } from "./CallOptions.ts"
import type { Hooks } from "./CallResponse.ts"
import type { WriteError } from "./ClientError.ts"
import * as Changes from "./internal/Changes.ts"
import * as CallContext from "./internal/call/CallContext.ts"
import * as CallerStack from "./internal/call/CallerStack.ts"
import * as Debug from "./internal/call/Debug.ts"
import * as EffectRows from "./Rows.ts"

export type { CallRequest, CallResponse } from "./CallResponse.ts"
export * from "./ClientError.ts"
export * as Cursor from "./Cursor.ts"

/** The options of the service, its `fetch`, and the functions that see its requests. */
export interface Options extends EffectRows.Options, Hooks {
  /** Sends the requests (default: the global `fetch`). */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Set to `true` to print a line for each response to the console, or to a function that receives the lines. */
  readonly debug?: boolean | ((line: string) => void) | undefined
}

/** The last parameter of every method: options, hooks and the signal of the call. */
export interface CallOptions extends EffectCallOptions, Hooks {
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
    query?: EffectRows.StreamOptions<R, S, V, X>,
    call?: CallOptions
  ) => AsyncIterable<EffectRows.ReadRow<R, S, V, X>>
  /** Iterates over the rows that were created or changed since a time, each change once, until the iteration ends. */
  readonly changes: <R extends Resource.Any>(
    resource: R,
    options: EffectRows.ChangesOptions<R>,
    call?: CallOptions
  ) => AsyncIterable<Resource.Row<R>>
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
    values: ReadonlyArray<Resource.Create<R>> | Iterable<Resource.Create<R>>,
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

/** Fails with the reason of a signal when it is aborted. */
const aborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.async((resume) => {
    const abort = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

/** The methods over a service for Effect. */
export const fromService = (
  rows: EffectRows.Service,
  { fetch = globalThis.fetch, debug, ...hooks }: Pick<Options, "fetch" | "debug" | keyof Hooks> = {}
): Rows => {
  const observers = [hooks, ...Debug.hooks(debug)]

  /** An effect with the options of a call; its hooks run after those of the service. */
  const prepare =
    (call: CallOptions) =>
    <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
      const observed = [...observers, call].reduce(CallContext.withHooks<A, E, never>, effect)
      const configured = CallContext.withOptions(observed, call)
      return Effect.provideService(configured, FetchHttpClient.Fetch, fetch)
    }

  const run = async <A, E>(effect: Effect.Effect<A, E>, call: CallOptions = {}): Promise<A> => {
    const caller = CallerStack.capture(run)
    const { signal } = call
    const exit = await Effect.runPromiseExit(prepare(call)(effect), signal && { signal })
    if (Exit.isSuccess(exit)) return exit.value
    signal?.throwIfAborted()
    // Rejects with the error itself: `Effect.runPromise` would wrap it.
    throw CallerStack.attach(Cause.squash(exit.cause), caller)
  }

  const iterate = <A, E>(stream: Stream.Stream<A, E>, call: CallOptions = {}): AsyncIterable<A> => {
    const { signal } = call
    const caller = CallerStack.capture(iterate)
    const located = Stream.mapError(stream, (error) => CallerStack.attach(error, caller))
    const prepared = CallContext.transform(located, prepare(call))
    return Stream.toAsyncIterable(signal === undefined ? prepared : Stream.interruptWhen(prepared, aborted(signal)))
  }

  return {
    list: (resource, options, call) => run(rows.list(resource, options), call),
    page: (resource, options, call) => run(rows.page(resource, options), call),
    stream: (resource, options, call) => iterate(rows.stream(resource, options), call),
    changes: (resource, options, call) => iterate(Changes.make(rows, resource, options), call),
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

/**
 * Makes the methods over a service; an invalid option throws `OptionInvalid`.
 *
 * @example
 * const rows = connect({ restUrl: "http://127.0.0.1:4010/rest", apiKey })
 * for await (const line of rows.stream(JournalLine)) console.log(line.amount)
 */
export const connect = (options: Options): Rows => {
  const made = Effect.runSyncExit(Effect.provide(EffectRows.make(options), FetchHttpClient.layer))
  if (Exit.isFailure(made)) throw Cause.squash(made.cause)
  return fromService(made.value, options)
}
