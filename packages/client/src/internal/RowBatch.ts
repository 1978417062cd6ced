/**
 * Retrieves the rows of many keys with few requests. The rows of a batch have everything but the key in common:
 * resource, selection, decoding and options of the call.
 */
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Predicate from "effect/Predicate"
import type { Hooks } from "../CallResponse.ts"
import { type QueryError, type RetrieveError, RowNotFound } from "../ClientError.ts"
import * as CallContext from "./call/CallContext.ts"
import * as CallSettings from "./call/CallSettings.ts"
import * as ResponseError from "./ResponseError.ts"
import type { RowCall } from "./RowCall.ts"
import * as RowQuery from "./RowQuery.ts"
import * as RowReader from "./RowReader.ts"
import * as Telemetry from "./Telemetry.ts"

/** The retrieval of a row, but for its key. */
export interface Group {
  readonly resource: Resource.Any
  readonly options: RowQuery.SelectOptions
  readonly context: CallContext.CallContext
}

export interface Batch extends Group {
  readonly keys: Set<string>
  /** The hooks of all callers. */
  readonly hooks: Set<Hooks>
  /** The results of the keys whose requests are answered; at the end the rows of the other keys are absent. */
  readonly results: Map<string, Exit.Exit<unknown, RetrieveError>>
  /** Absent until the batch is complete. */
  exit: Exit.Exit<unknown> | undefined
}

/** Batches by their signatures. */
export type Batches = Map<string, Batch>

/** A text that is the same for retrievals that can share a request; it holds the API key. */
export const signature = ({ context, options, resource }: Group): string => {
  const { extra, onInvalid, select = [] } = options
  const target = select.length === 0 ? "" : RowQuery.target(resource, RowQuery.selection(resource, select).query)
  return `${extra} ${onInvalid} ${resource.resource} ${target}\n${CallSettings.signature(context.options)}`
}

/** Adds a key to the batch of its group. */
export const add = (batches: Batches, group: Group, key: string): Batch => {
  const text = signature(group)
  let batch = batches.get(text)
  if (batch === undefined) {
    batch = { ...group, keys: new Set(), hooks: new Set(), results: new Map(), exit: undefined }
    batches.set(text, batch)
  }
  batch.keys.add(key)
  for (const hook of group.context.hooks) batch.hooks.add(hook)
  return batch
}

/** The result of a key; a batch that is not complete was interrupted. */
export const result = (
  { exit = Exit.interrupt(FiberId.none), resource: { resource }, results }: Batch,
  key: string
): Exit.Exit<unknown, RetrieveError> =>
  Exit.isFailure(exit) ? exit : (results.get(key) ?? Exit.fail(new RowNotFound({ resource, key })))

/** The most keys of a request, and the longest list of them in an address: services limit both. */
const most = { keys: 200, characters: 4000 }

/** The requests that are sent at the same time. */
const concurrency = 4

/** Divides keys between the requests of a batch. */
const divide = (keys: Iterable<string>): ReadonlyArray<ReadonlyArray<string>> => {
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
const requestOf = ({ options, resource }: Batch, keys: ReadonlyArray<string>) => {
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

/** Retrieves one row by a request of its own. */
export interface RetrieveOne {
  (resource: Resource.Any, key: string, options: RowQuery.SelectOptions): Effect.Effect<unknown, RetrieveError>
}

/** Makes the function that completes batches. */
export const make = (call: RowCall, one: RetrieveOne): ((batches: Batches) => Effect.Effect<void>) => {
  /** Adds the rows of a response to the results, and returns the number of them. */
  const read = (batch: Batch, keys: ReadonlyArray<string>): Effect.Effect<number, QueryError> => {
    const { name, reader, target } = requestOf(batch, keys)
    const request = { method: "GET", target, isIdempotent: true } as const
    return call(batch.resource, ResponseError.query, request, (response, toError) =>
      Either.map(RowReader.list(reader, response.text), (rows) => {
        for (const row of rows) {
          const key = Predicate.isRecord(row) ? row[name] : undefined
          if (name === hidden && Predicate.isRecord(row)) delete row[name]
          const decoded = RowReader.readKept(reader, batch.options, row, toError)
          // A row that is skipped has no value.
          if (Either.isLeft(decoded) || decoded.right !== undefined)
            batch.results.set(String(key), Exit.fromEither(Either.mapLeft(decoded, toError)))
        }
        return rows.length
      })
    )
  }

  const resolve = (batch: Batch, keys: ReadonlyArray<string>): Effect.Effect<void> => {
    const { options, resource, results } = batch
    const [key = ""] = keys
    if (keys.length === 1) {
      return Effect.map(Effect.exit(one(resource, key, options)), (exit) => void results.set(key, exit))
    }
    const half = Math.ceil(keys.length / 2)
    const halves = () => Effect.zipRight(resolve(batch, keys.slice(0, half)), resolve(batch, keys.slice(half)))
    return Effect.matchEffect(read(batch, keys), {
      onFailure: (error) => {
        if (isOfBatch(error)) return halves()
        for (const key of keys) results.set(key, Exit.fail(error))
        return Effect.void
      },
      onSuccess: (count) => {
        const missing = keys.filter((key) => !results.has(key))
        if (missing.length === 0 || count === 0) return Effect.void
        // The service may have returned fewer rows than it has: only an empty response shows that the others are absent.
        return missing.length < keys.length ? resolve(batch, missing) : halves()
      }
    })
  }

  const complete = (batch: Batch): Effect.Effect<void> => {
    const resolved = Effect.forEach(divide(batch.keys), (keys) => resolve(batch, keys), { concurrency })
    const { context, resource, results } = batch
    const observed = Telemetry.observe("Rows.batch", resource.resource, resolved, () => results.size)
    const hooked = Effect.locally(observed, CallContext.current, { ...context, hooks: [...batch.hooks] })
    return Effect.map(Effect.exit(hooked), (exit) => void (batch.exit = exit))
  }

  return (batches) =>
    Effect.forEach(batches.values(), (batch) => (batch.exit === undefined ? complete(batch) : Effect.void), {
      concurrency,
      discard: true
    })
}
