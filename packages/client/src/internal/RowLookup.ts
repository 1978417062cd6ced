/**
 * Retrieves rows by their keys as requests of Effect: those of one batch are retrieved with few requests, and those of
 * a cache once. A group of lookups shares everything but the key: resource, selection, decoding and options of the call.
 */
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as Hash from "effect/Hash"
import * as Predicate from "effect/Predicate"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import type { CacheOptions } from "../ReadOptions.ts"
import { type QueryError, type RetrieveError, RowNotFound } from "../ClientError.ts"
import * as CallContext from "./call/CallContext.ts"
import * as CallSettings from "./call/CallSettings.ts"
import * as ClientOptions from "./ClientOptions.ts"
import * as ResponseError from "./ResponseError.ts"
import type { RowCall } from "./RowCall.ts"
import * as RowQuery from "./RowQuery.ts"
import * as RowReader from "./RowReader.ts"
import * as Telemetry from "./Telemetry.ts"

/** Lookups that differ only in their keys. */
interface Group {
  /** The service, as its call. */
  readonly call: RowCall
  readonly resource: Resource.Any
  readonly options: RowQuery.SelectOptions
  readonly context: CallContext.CallContext
  /** Equal for equal groups of one service; a function, because its text holds the API key. */
  readonly signature: () => string
}

class Lookup extends Request.Class<unknown, RetrieveError, { readonly key: string; readonly group: Group }> {
  [Hash.symbol](): number {
    return Hash.string(this.key)
  }
  [Equal.symbol](that: unknown): boolean {
    if (!(that instanceof Lookup) || this.key !== that.key || this.group.call !== that.group.call) return false
    return this.group.signature() === that.group.signature()
  }
}

const groupOf = (
  call: RowCall,
  resource: Resource.Any,
  options: RowQuery.SelectOptions,
  context: CallContext.CallContext
): Group => {
  let text: string | undefined
  const signature = () => (text ??= `${signatureOf(resource, options)}\n${CallSettings.signature(context.options)}`)
  return { call, resource, options, context, signature }
}

const signatureOf = (resource: Resource.Any, { extra, onInvalid, select = [] }: RowQuery.SelectOptions): string => {
  const target = select.length === 0 ? "" : RowQuery.target(resource, RowQuery.selection(resource, select).query)
  return `${extra} ${onInvalid} ${resource.resource} ${target}`
}

/** The most keys of a request, and the longest list of them in an address: services limit both. */
const most = { keys: 200, characters: 4000 }

/** The requests of a batch that are sent at the same time. */
const concurrency = 4

/** Divides keys between the requests of a batch. */
const divide = (keys: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const parts: Array<Array<string>> = []
  let length = Infinity
  for (const key of keys) {
    const size = encodeURIComponent(key).length + 3
    length += size
    if (length > most.characters || (parts.at(-1)?.length ?? 0) >= most.keys) {
      parts.push([])
      length = size
    }
    parts.at(-1)?.push(key)
  }
  return parts
}

/** The name of the key in the rows of a batch, where the caller did not select it. */
const hidden = "_key"

/** The request for the rows with some keys, the reader of its rows, and the name of the key in them. */
const requestOf = ({ options, resource }: Group, keys: ReadonlyArray<string>) => {
  const { select = [] } = options
  const isSelected = select.length === 0 || select.includes("*") || select.includes(resource.key)
  const query = Query.make(resource, {
    select: isSelected ? select : [...select, { [hidden]: resource.key }],
    where: { [resource.key]: Query.in(keys) }
  })
  const { reader } = RowQuery.selection(resource, select)
  return { reader, target: RowQuery.target(resource, query), name: isSelected ? resource.key : hidden }
}

/** Reports whether fewer keys may succeed where a request failed: one key can make it invalid, too long or too large. */
const isOfBatch = ({ _tag }: QueryError): boolean =>
  _tag === "QueryRejected" || _tag === "QueryTooCostly" || _tag === "ResponseMalformed"

const isCaching = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  fiber.getFiberRef(FiberRef.currentRequestCacheEnabled)

/**
 * Reports whether a fiber collects requests for a batch. Effect has this only as an internal field; without the field
 * each lookup is a request, which costs a call by itself some 50 microseconds.
 */
const isCollecting = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  !("_steps" in fiber && Array.isArray(fiber._steps) && fiber._steps.length === 0)

/** Retrieves one row by a request of its own. */
interface RetrieveOne {
  (resource: Resource.Any, key: string, options: RowQuery.SelectOptions): Effect.Effect<unknown, RetrieveError>
}

/** Makes the retrieval of a row that takes part in batches and caches. */
export const make = (call: RowCall, one: RetrieveOne): RetrieveOne => {
  type Results = Map<string, Exit.Exit<unknown, RetrieveError>>

  /** The rows of a response by their keys. */
  const read = (group: Group, keys: ReadonlyArray<string>): Effect.Effect<Results, QueryError> => {
    const { name, reader, target } = requestOf(group, keys)
    const request = { method: "GET", target, isIdempotent: true } as const
    return call(group.resource, ResponseError.query, request, (response, toError) =>
      Either.map(RowReader.list(reader, response.text), (rows): Results => {
        const results: Results = new Map()
        for (const row of rows) {
          const { [name]: key, ...rest } = Predicate.isRecord(row) ? row : {}
          const raw = name === hidden ? rest : row
          const decoded = RowReader.readKept(reader, group.options, raw, toError)
          if (Either.isLeft(decoded)) results.set(String(key), Exit.fail(toError(decoded.left)))
          else if (decoded.right !== undefined) results.set(String(key), Exit.succeed(decoded.right))
        }
        return results
      })
    )
  }

  const merged = (some: Effect.Effect<Results>, others: Effect.Effect<Results>): Effect.Effect<Results> =>
    Effect.zipWith(some, others, (some, others) => new Map([...some, ...others]))

  /** The result of each key; an absent one has none. */
  const resolve = (group: Group, keys: ReadonlyArray<string>): Effect.Effect<Results> => {
    const [key = ""] = keys
    if (keys.length === 1) {
      return Effect.map(Effect.exit(one(group.resource, key, group.options)), (exit) => new Map([[key, exit]]))
    }
    const half = Math.ceil(keys.length / 2)
    const halves = () => merged(resolve(group, keys.slice(0, half)), resolve(group, keys.slice(half)))
    return Effect.matchEffect(read(group, keys), {
      onFailure: (error) =>
        isOfBatch(error) ? halves() : Effect.succeed(new Map(keys.map((key) => [key, Exit.fail(error)]))),
      onSuccess: (found) => {
        const missing = keys.filter((key) => !found.has(key))
        if (missing.length === 0 || found.size === 0) return Effect.succeed(found)
        // The service may have returned fewer rows than it has: only an empty response shows that the others are absent.
        return missing.length < keys.length ? merged(Effect.succeed(found), resolve(group, missing)) : halves()
      }
    })
  }

  /** Completes the lookups of a group, with the options of its calls and the hooks of all of them. */
  const complete = (lookups: ReadonlyArray<Lookup>, { context, ...group }: Group): Effect.Effect<void> => {
    const hooks = [...new Set(lookups.flatMap(({ group }) => group.context.hooks))]
    const parts = divide([...new Set(lookups.map(({ key }) => key))])
    const resolved = Effect.forEach(parts, (keys) => resolve({ ...group, context }, keys), { concurrency })
    const observed = Telemetry.observe("Rows.batch", group.resource.resource, resolved, (parts) =>
      parts.reduce((count, part) => count + part.size, 0)
    )
    return Effect.flatMap(Effect.locally(observed, CallContext.current, { ...context, hooks }), (parts) => {
      const results: Results = new Map(parts.flatMap((part) => [...part]))
      const absent = (key: string) => Exit.fail(new RowNotFound({ resource: group.resource.resource, key }))
      return Effect.forEach(
        lookups,
        (lookup) => Request.complete(lookup, results.get(lookup.key) ?? absent(lookup.key)),
        { discard: true }
      )
    })
  }

  const resolver = RequestResolver.makeBatched((lookups: ReadonlyArray<Lookup>) => {
    const groups = new Map<string, [Lookup, ...Array<Lookup>]>()
    for (const lookup of lookups) {
      const group = groups.get(lookup.group.signature())
      if (group === undefined) groups.set(lookup.group.signature(), [lookup])
      else group.push(lookup)
    }
    return Effect.forEach([...groups.values()], (lookups) => complete(lookups, lookups[0].group), {
      concurrency,
      discard: true
    })
  })

  return (resource, key, options) =>
    Effect.withFiberRuntime((fiber) => {
      const isCached = isCaching(fiber)
      if (!isCached && !isCollecting(fiber)) return one(resource, key, options)
      const context = fiber.getFiberRef(CallContext.current)
      const lookup = new Lookup({ key, group: groupOf(call, resource, options, context) })
      const found = Effect.request(lookup, resolver)
      if (!isCached) return found
      // A cache keeps rows and their absence, but no error that may pass.
      const cache = fiber.getFiberRef(FiberRef.currentRequestCache)
      return Effect.tapError(found, ({ _tag }) => (_tag === "RowNotFound" ? Effect.void : cache.invalidate(lookup)))
    })
}

/** Removes the rows of all lookups from the cache of a fiber, where it has one. */
const forget: Effect.Effect<void> = Effect.withFiberRuntime((fiber) => {
  if (!isCaching(fiber)) return Effect.void
  const cache = fiber.getFiberRef(FiberRef.currentRequestCache)
  return Effect.flatMap(cache.keys, (requests) =>
    Effect.forEach(
      requests.filter((request) => request instanceof Lookup),
      (lookup) => cache.invalidate(lookup),
      { discard: true }
    )
  )
})

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
