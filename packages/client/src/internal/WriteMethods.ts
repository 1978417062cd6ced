/**
 * The writing methods of `Rows`. The interface `Rows.Service` gives them their types; here a row is a value that its
 * reader accepted.
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
import type { CreateManyOptions, CreateOptions, UpdateOptions, VersionedRow } from "../Rows.ts"
import * as CreateMany from "./CreateMany.ts"
import * as ResponseError from "./ResponseError.ts"
import * as RowCall from "./RowCall.ts"
import * as RowQuery from "./RowQuery.ts"
import * as RowReader from "./RowReader.ts"
import * as Telemetry from "./Telemetry.ts"

type Any = Resource.Any
type Values = object

const representation = { prefer: "return=representation" }

/** A unique key; `crypto.randomUUID` exists only in secure contexts. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The most attempts of `modify`. */
const maxAttempts = 10

/** The key in the values of a row. */
const keyOf = ({ key }: Any, values: Values): string | undefined => {
  const value: unknown = Reflect.get(values, key)
  return typeof value === "string" ? value : undefined
}

const targetOf = (resource: Any, key: string): string => `/${resource.resource}?${RowQuery.keyFilter(resource, key)}`

/** The writing methods over calls. */
export const make = (
  call: RowCall.RowCall,
  options: {
    readonly idempotencyKeys: boolean
    readonly retrieveVersioned: (resource: Any, key: string) => Effect.Effect<VersionedRow<unknown>, RetrieveError>
  }
) => {
  /** The header that makes the service respond to a retry as to the first attempt. */
  const once = (key?: string): { readonly "idempotency-key"?: string } =>
    options.idempotencyKeys || key !== undefined ? { "idempotency-key": key ?? newKey() } : {}

  const create = (
    resource: Any,
    values: Values,
    { idempotencyKey }: CreateOptions = {}
  ): Effect.Effect<unknown, WriteError> =>
    Telemetry.observe(
      "Rows.create",
      resource.resource,
      Effect.suspend(() => {
        const headers = { ...representation, ...once(idempotencyKey) }
        return call(
          resource,
          ResponseError.create,
          {
            method: "POST",
            target: `/${resource.resource}`,
            headers,
            body: JSON.stringify(values),
            isIdempotent: "idempotency-key" in headers
          },
          RowCall.expectRow(resource)
        )
      })
    )

  const createMany = (
    resource: Any,
    values: Iterable<Values>,
    { batchSize = 100, concurrency = 1, idempotencyKey }: CreateManyOptions = {}
  ) =>
    Telemetry.observe(
      "Rows.createMany",
      resource.resource,
      Effect.suspend(() =>
        CreateMany.create(call, resource, [...values], {
          batchSize: Math.max(1, Math.floor(batchSize)),
          concurrency,
          idempotencyKey: once(idempotencyKey)["idempotency-key"]
        })
      )
    )

  const patch = (
    resource: Any,
    key: string,
    changes: Values,
    ifMatch: string | undefined
  ): Effect.Effect<unknown, UpdateError | PreconditionFailed> => {
    // A retry would not find the version that the first attempt has changed.
    const headers = { ...representation, ...(ifMatch !== undefined && { "if-match": ifMatch, ...once() }) }
    const updated = call(
      resource,
      ResponseError.update({ key, ifMatch }),
      {
        method: "PATCH",
        target: targetOf(resource, key),
        headers,
        body: JSON.stringify(changes),
        isIdempotent: ifMatch === undefined || "idempotency-key" in headers
      },
      RowCall.readRow(resource, keyOf(resource, changes) ?? key)
    )
    return Effect.filterOrFail(
      updated,
      (row) => row !== undefined,
      () => new RowNotFound({ resource: resource.resource, key })
    )
  }

  const update = (resource: Any, key: string, changes: Values, options?: UpdateOptions) =>
    Telemetry.observe(
      "Rows.update",
      resource.resource,
      Effect.suspend(() => patch(resource, key, changes, options?.ifMatch))
    )

  const modify = (
    resource: Any,
    key: string,
    change: (row: unknown) => Values
  ): Effect.Effect<unknown, UpdateError | RetrieveError | PreconditionFailed> =>
    Telemetry.observe(
      "Rows.modify",
      resource.resource,
      Effect.flatMap(options.retrieveVersioned(resource, key), ({ etag, row }) =>
        patch(resource, key, change(row), etag)
      ).pipe(
        Effect.retry({
          while: (error) => error._tag === "PreconditionFailed",
          schedule: Schedule.jittered(Schedule.exponential("5 millis")),
          times: maxAttempts - 1
        })
      )
    )

  const upsert = (resource: Any, values: Values): Effect.Effect<unknown, UpsertError> =>
    Telemetry.observe(
      "Rows.upsert",
      resource.resource,
      Effect.suspend(() => {
        // The type of the method requires the key.
        const key = String(keyOf(resource, values))
        return call(
          resource,
          ResponseError.upsert(key),
          {
            method: "POST",
            target: `/${resource.resource}?on_conflict=${resource.key}`,
            // Only PostgREST's form of this interface takes keys in bodies.
            headers: { "content-profile": "public", prefer: "resolution=merge-duplicates,return=representation" },
            body: JSON.stringify(values),
            isIdempotent: true
          },
          RowCall.expectRow(resource, key)
        )
      })
    )

  const remove = (
    resource: Any,
    key: string,
    { ifMatch }: UpdateOptions = {}
  ): Effect.Effect<void, RemoveError | PreconditionFailed> =>
    Telemetry.observe(
      "Rows.remove",
      resource.resource,
      Effect.suspend(() => {
        const removed = call(
          resource,
          ResponseError.remove({ key, ifMatch }),
          {
            method: "DELETE",
            target: targetOf(resource, key),
            ...(ifMatch !== undefined && { headers: { "if-match": ifMatch, ...once() } }),
            isIdempotent: ifMatch === undefined || options.idempotencyKeys
          },
          (response) => (response.status === 404 ? Either.right(true) : RowReader.readRemoval(resource, key, response))
        )
        return Effect.flatMap(removed, (isRemoved) =>
          isRemoved ? Effect.void : Effect.fail(new RowNotFound({ resource: resource.resource, key }))
        )
      })
    )

  return { create, createMany, update, modify, upsert, remove }
}
