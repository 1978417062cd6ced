/**
 * Retrieves rows by their keys within batches and caches of Effect. The batches are those of `Effect.forEach` and
 * `Effect.all`: a call that they run gives way to the next one until all of them wait, and the first one that continues
 * sends the keys of all. Effect's own requests do the same at several times the cost: a request, a resolver's entry and
 * a continuation for each key.
 */
import * as Memo from "@mfgdata/domain/Memo"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import * as Hash from "effect/Hash"
import * as Option from "effect/Option"
import * as Request from "effect/Request"
import type { RequestBlock } from "effect/RequestBlock"
import * as RequestResolver from "effect/RequestResolver"
import type { RetrieveError } from "../ClientError.ts"
import type { CacheOptions } from "../ReadOptions.ts"
import * as CallContext from "./call/CallContext.ts"
import * as ClientOptions from "./ClientOptions.ts"
import type { RowCall } from "./RowCall.ts"
import * as RowBatch from "./RowBatch.ts"
import * as Telemetry from "./Telemetry.ts"

type AnyFiber = Fiber.RuntimeFiber<unknown, unknown>

/** The facts of a lookup. */
interface Facts {
  readonly key: string
  readonly group: RowBatch.Group
  /** The service, as its call. */
  readonly call: RowCall
}

class Lookup extends Request.Class<unknown, RetrieveError, Facts> {
  [Hash.symbol](): number {
    return Hash.string(this.key)
  }
  [Equal.symbol](that: unknown): boolean {
    if (!(that instanceof Lookup) || this.key !== that.key || this.call !== that.call) return false
    return RowBatch.signature(this.group) === RowBatch.signature(that.group)
  }
}

const isCaching = (fiber: AnyFiber): boolean => fiber.getFiberRef(FiberRef.currentRequestCacheEnabled)

/**
 * Reports whether a fiber collects requests for a batch. Effect has this only as an internal field; without the field
 * each lookup is a batch, which costs a call by itself some 50 microseconds.
 */
const isCollecting = (fiber: AnyFiber): boolean =>
  // No type declares the field.
  (fiber as { readonly _steps?: ReadonlyArray<unknown> })._steps?.length !== 0

/** The scope of the fibers of `Effect.forEach` and `Effect.all`, which Effect does not export. */
const scopeOf: FiberRef.FiberRef<Option.Option<{ readonly fiberId: FiberId.FiberId }>> = globalValue(
  Symbol.for("effect/FiberRef/currentForkScopeOverride"),
  () => FiberRef.unsafeMake(Option.none())
)

/** The fiber that runs a region with batching, which all of its lookups have in common. */
const ownerOf = (fiber: AnyFiber): FiberId.FiberId =>
  Option.getOrUndefined(fiber.getFiberRef(scopeOf))?.fiberId ?? fiber.id()

/** The lookups of one region that are sent together. */
interface Collection {
  readonly batches: RowBatch.Batches
  /** The context of its first call, without the span of the call. */
  readonly context: Context.Context<never>
  /** Done when the fiber that sends the requests ends; absent while none sends them. */
  sent: Deferred.Deferred<void> | undefined
}

/** A region with batching. */
interface Region {
  /** The collection that takes further lookups. */
  open: Collection | undefined
}

/** No requests: the key of the call is in a collection. */
const noRequests: RequestBlock = { _tag: "Empty" }

/** Retrieves one row, and records this as a call of a method. */
interface RetrieveObserved {
  (method: string, ...row: Parameters<RowBatch.RetrieveOne>): ReturnType<RowBatch.RetrieveOne>
}

/** Makes the retrieval of a row that takes part in batches and caches. */
export const make = (call: RowCall, one: RowBatch.RetrieveOne): RetrieveObserved => {
  const complete = RowBatch.make(call, one)
  const regionOf = Memo.make<FiberId.FiberId, Region>(() => ({ open: undefined }))

  /** Sends the requests of a collection, or waits for the fiber that does; one that is interrupted leaves it to others. */
  const advance = (region: Region, collection: Collection): Effect.Effect<void> => {
    if (collection.sent !== undefined) return Deferred.await(collection.sent)
    region.open = undefined
    const sent = (collection.sent = Deferred.unsafeMake<void>(FiberId.none))
    return Effect.ensuring(
      Effect.mapInputContext(complete(collection.batches), () => collection.context),
      Effect.suspend(() => {
        collection.sent = undefined
        return Deferred.succeed(sent, undefined)
      })
    )
  }

  const resolver = RequestResolver.makeBatched((lookups: ReadonlyArray<Lookup>) => {
    const batches: RowBatch.Batches = new Map()
    const batchOf = ({ group, key }: Lookup) => RowBatch.add(batches, group, key)
    lookups.forEach(batchOf)
    return Effect.zipRight(
      complete(batches),
      Effect.forEach(lookups, (lookup) => Request.complete(lookup, RowBatch.result(batchOf(lookup), lookup.key)), {
        discard: true
      })
    )
  })

  const cached = (fiber: AnyFiber, group: RowBatch.Group, key: string): Effect.Effect<unknown, RetrieveError> => {
    const lookup = new Lookup({ key, group, call })
    const cache = fiber.getFiberRef(FiberRef.currentRequestCache)
    // A cache keeps rows and their absence, but no error that may pass.
    return Effect.tapError(Effect.request(lookup, resolver), ({ _tag }) =>
      _tag === "RowNotFound" ? Effect.void : cache.invalidate(lookup)
    )
  }

  return (method, resource, key, options) =>
    Effect.withFiberRuntime<unknown, RetrieveError>((fiber) => {
      const { resource: subject } = resource
      const group = { resource, options, context: fiber.getFiberRef(CallContext.current) }
      if (isCaching(fiber)) return Telemetry.observe(method, subject, cached(fiber, group, key))
      if (!isCollecting(fiber)) return Telemetry.observe(method, subject, one(resource, key, options))
      const region = regionOf(ownerOf(fiber))
      const collection = (region.open ??= { batches: new Map(), context: fiber.currentContext, sent: undefined })
      const batch = RowBatch.add(collection.batches, group, key)
      const end = Telemetry.start(fiber, method, subject)
      const ended = () => end(RowBatch.result(batch, key))
      const found: Effect.Effect<unknown, RetrieveError> = Effect.suspend(() =>
        batch.exit === undefined
          ? Effect.flatMap(
              Effect.onInterrupt(advance(region, collection), () => Effect.sync(ended)),
              () => found
            )
          : ended()
      )
      return Telemetry.inSpan(fiber, method, subject, Effect.blocked(noRequests, found))
    })
}

/** Empties the cache of a fiber, where it has one. */
const forget: Effect.Effect<void> = Effect.withFiberRuntime((fiber) =>
  isCaching(fiber) ? fiber.getFiberRef(FiberRef.currentRequestCache).invalidateAll : Effect.void
)

/** Calls that write, after which a cache retrieves rows again. */
export const forgetting =
  (call: RowCall): RowCall =>
  (...parameters) =>
    Effect.ensuring(call(...parameters), forget)

/** Retrieves each row of an effect once. */
export const cached = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { capacity = 10_000, timeToLive }: CacheOptions = {}
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const cache = Request.makeCache({
      capacity: ClientOptions.count("capacity", capacity),
      timeToLive: timeToLive === undefined ? Duration.infinity : ClientOptions.duration("timeToLive", timeToLive)
    })
    return Effect.flatMap(cache, (cache) => Effect.withRequestCaching(Effect.withRequestCache(effect, cache), true))
  })
