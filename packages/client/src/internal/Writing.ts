/**
 * What the writing methods of `Rows` do. Types are told by `Rows.Service`; in here a row is whatever its reader
 * accepted.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import {
  type PreconditionFailed,
  type RemoveError,
  type RetrieveError,
  RowNotFound,
  type UpdateError,
  type UpsertError,
  type WriteError
} from "../ClientError.ts"
import type { Creating, CreatingMany, Matching, Versioned } from "../Rows.ts"
import * as Bulk from "./Bulk.ts"
import * as RowCall from "./RowCall.ts"
import * as RowQuery from "./RowQuery.ts"
import * as Telemetry from "./Telemetry.ts"

type Any = Resource.Any
type Values = object

const representation = { prefer: "return=representation" }

/** A key unlike any other, wherever this runs. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** How often `modify` begins again at most. */
const modifications = 10

const addressOf = (resource: Any, key: string): string => `/${resource.resource}?${RowQuery.keyFilter(resource, key)}`

/** Writing, over calls. */
export const make = (
  call: RowCall.RowCall,
  options: {
    readonly idempotencyKeys: boolean
    readonly retrieveVersioned: (resource: Any, key: string) => Effect.Effect<Versioned<unknown>, RetrieveError>
  }
) => {
  /** The header that makes the second of two equal calls a replay of the first. */
  const once = (key?: string): { readonly "idempotency-key"?: string } =>
    options.idempotencyKeys || key !== undefined ? { "idempotency-key": key ?? newKey() } : {}

  const create = (
    resource: Any,
    values: Values,
    { idempotencyKey }: Creating = {}
  ): Effect.Effect<unknown, WriteError> =>
    Telemetry.observe(
      "Rows.create",
      resource.resource,
      Effect.suspend(() => {
        const headers = { ...representation, ...once(idempotencyKey) }
        const created = call(
          resource,
          { _tag: "Create" },
          {
            method: "POST",
            target: `/${resource.resource}`,
            headers,
            body: JSON.stringify(values),
            repeatable: "idempotency-key" in headers
          },
          RowCall.readRow(resource)
        )
        return created as Effect.Effect<unknown, WriteError>
      })
    )

  const createMany = (
    resource: Any,
    values: Iterable<Values>,
    { batchSize = 100, concurrency = 1, idempotencyKey }: CreatingMany = {}
  ) =>
    Telemetry.observe(
      "Rows.createMany",
      resource.resource,
      Effect.suspend(() =>
        Bulk.create(call, resource, [...values], {
          batchSize: Math.max(1, Math.floor(batchSize)),
          concurrency,
          idempotencyKey: once(idempotencyKey)["idempotency-key"]
        })
      )
    )

  const change = (
    resource: Any,
    key: string,
    changes: Values,
    ifMatch: string | undefined
  ): Effect.Effect<unknown, UpdateError | PreconditionFailed> => {
    // Sent twice, a change would not find the version that it changed itself.
    const headers = { ...representation, ...(ifMatch !== undefined && { "if-match": ifMatch, ...once() }) }
    const updated = call(
      resource,
      { _tag: "Update", key, ifMatch },
      {
        method: "PATCH",
        target: addressOf(resource, key),
        headers,
        body: JSON.stringify(changes),
        repeatable: ifMatch === undefined || "idempotency-key" in headers
      },
      RowCall.readRow(resource)
    )
    return Effect.filterOrFail(
      updated as Effect.Effect<unknown, UpdateError | PreconditionFailed>,
      (row) => row !== undefined,
      () => new RowNotFound({ resource: resource.resource, key })
    )
  }

  const update = (resource: Any, key: string, changes: Values, options?: Matching) =>
    Telemetry.observe(
      "Rows.update",
      resource.resource,
      Effect.suspend(() => change(resource, key, changes, options?.ifMatch))
    )

  const modify = (
    resource: Any,
    key: string,
    by: (row: unknown) => Values
  ): Effect.Effect<unknown, UpdateError | RetrieveError | PreconditionFailed> =>
    Telemetry.observe(
      "Rows.modify",
      resource.resource,
      Effect.flatMap(options.retrieveVersioned(resource, key), ({ etag, row }) =>
        change(resource, key, by(row), etag)
      ).pipe(
        Effect.retry({
          while: (error) => error._tag === "PreconditionFailed",
          schedule: Schedule.jittered(Schedule.exponential("5 millis")),
          times: modifications - 1
        })
      )
    )

  const upsert = (resource: Any, values: Values): Effect.Effect<unknown, UpsertError> =>
    Telemetry.observe(
      "Rows.upsert",
      resource.resource,
      Effect.suspend(() => {
        // The type says that it is there.
        const key = String((values as { readonly [column: string]: unknown })[resource.key])
        const upserted = call(
          resource,
          { _tag: "Upsert", key },
          {
            method: "POST",
            target: `/${resource.resource}?on_conflict=${resource.key}`,
            // Keys in bodies are a matter of PostgREST's shape of this interface.
            headers: { "content-profile": "public", prefer: "resolution=merge-duplicates,return=representation" },
            body: JSON.stringify(values),
            repeatable: true
          },
          RowCall.readRow(resource)
        )
        return upserted as Effect.Effect<unknown, UpsertError>
      })
    )

  const remove = (
    resource: Any,
    key: string,
    { ifMatch }: Partial<Matching> = {}
  ): Effect.Effect<void, RemoveError | PreconditionFailed> =>
    Telemetry.observe(
      "Rows.remove",
      resource.resource,
      Effect.suspend(() => {
        const removed = call(
          resource,
          { _tag: "Remove", key, ifMatch },
          {
            method: "DELETE",
            target: addressOf(resource, key),
            ...(ifMatch !== undefined && { headers: { "if-match": ifMatch, ...once() } }),
            repeatable: ifMatch === undefined || options.idempotencyKeys
          },
          // Nothing to read, whatever is said of what was removed.
          () => Either.void
        )
        return removed as Effect.Effect<void, RemoveError | PreconditionFailed>
      })
    )

  return { create, createMany, update, modify, upsert, remove }
}
