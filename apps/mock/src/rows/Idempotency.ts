/**
 * Makes writes idempotent: the response to a write is stored with it under the caller's `Idempotency-Key`, and a repeated
 * request receives the stored response. A refused write stores nothing, so it can be retried. A commit only decides
 * whether a request is repeated: a large stored body is read after it, by a query of its own.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { createHash } from "node:crypto"
import type { Caller } from "../access/Caller.ts"
import type * as Exchange from "../Exchange.ts"
import type { Change, Idempotency as Once, Rows } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { type Fragment, render, sql, text, type Value } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { Consumer } from "../store/FairQueue.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { Refused, StoreUnavailable } from "../store/Store.ts"
import type * as Retention from "../world/Retention.ts"
import type { Slices } from "../world/Slices.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { World } from "../world/World.ts"
import type { RowError } from "./RowError.ts"

/** The maximum length of a key. */
export const longest = 255
const form = new RegExp(`^[\\x20-\\x7e]{1,${longest}}$`)

/** The key of a request, and the hash by which a repeated request is recognized. */
export interface IdempotencyKey {
  readonly key: string
  readonly requestHash: string
}

/** The number of characters or bytes that are hashed without a pause. */
const chunkLength = 512 * 1024

/** The headers that decide the content of the response. A key that must not read rows cannot repeat one that may. */
const hashed = ["prefer", "accept", "content-profile"] as const

/** Hashes a request, of which `body` is part. */
export const hash = function* ({ body, headers, method, target }: Exchange.Request): Slices<string> {
  const form = JSON.stringify(hashed.map((name) => headers[name] ?? ""))
  const hash = createHash("sha256").update(`${method} ${target}\n${form}\n`)
  // A text is not divided, because a surrogate pair must not be.
  if (typeof body === "string" || body.length <= chunkLength) return hash.update(body).digest("hex")
  for (let start = 0; start < body.length; start += chunkLength) {
    hash.update(body.subarray(start, start + chunkLength))
    yield
  }
  return hash.digest("hex")
}

/** Reads the `Idempotency-Key` of a request. */
export const fromHeaders = (headers: Exchange.Headers): Either.Either<string | undefined, RowError> => {
  const key = headers["idempotency-key"]
  if (key === undefined) return Either.right(undefined)
  return form.test(key) ? Either.right(key) : Either.left({ _tag: "IdempotencyKeyMalformed", longest })
}

/** The response of a write, which was made now or before; without a body if that is stored and large. */
export type Answer = Exchange.Response | LargeAnswer

interface LargeAnswer extends Omit<Exchange.Response, "body"> {
  readonly body: undefined
}

/** The stored response. */
const replay = ([, status, headers, body]: ReadonlyArray<Value>): Answer => {
  // Written by `save`.
  const stored: Exchange.Headers = JSON.parse(String(headers))
  const head = { status: Number(status), headers: { ...stored, "Idempotency-Replayed": "true" } }
  return typeof body === "string" ? { ...head, body } : { ...head, body: undefined }
}

/** The response to a repeated request, whose hash must be that of the first one. */
const repeat = (row: ReadonlyArray<Value>, requestHash: string): Either.Either<Answer, RowError> =>
  row[0] === requestHash ? Either.right(replay(row)) : Either.left({ _tag: "IdempotencyKeyReused" })

const bodyText = (body: Exchange.Response["body"]): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body)

const named = ({ companyId, userId }: Caller, key: string): Fragment =>
  sql`"companyId" = ${companyId} AND "userId" = ${userId} AND "key" = ${key}`

/** The most bytes of a body that a commit reads. */
const mostInline = text(String(16 * 1024))

const stored = (caller: Caller, key: string, dialect: Dialect) =>
  render(
    sql`SELECT "requestHash", "status", "headers", CASE WHEN octet_length("body") <= ${mostInline} THEN "body" END
      FROM "_idempotency" WHERE ${named(caller, key)}`,
    dialect
  )

type Store = World["Type"]["store"]

/** Reads a large body in its turn; undefined if the response has expired since its key was found. */
export const body = (
  { dialect, query }: Pick<Store, "dialect" | "query">,
  { key, requestHash }: IdempotencyKey,
  caller: Caller & Consumer
): Effect.Effect<string | undefined, StoreUnavailable | QueryStopped> =>
  SyncEffect.andThen(
    query(
      render(
        sql`SELECT "body" FROM "_idempotency" WHERE ${named(caller, key)} AND "requestHash" = ${requestHash}`,
        dialect
      ),
      caller
    ),
    Exit.map(([row]) => (row === undefined ? undefined : String(row[0])))
  )

/** Repeats the stored response where a quota refuses a request, which may have filled the quota itself. */
export const orStored = <E extends { readonly _tag: string }, E2>(
  applied: Effect.Effect<Exchange.Response, E>,
  { dialect, read }: Pick<Store, "dialect" | "read">,
  { key, requestHash }: IdempotencyKey,
  caller: Caller,
  /** Completes what is stored. */
  complete: (answer: Answer) => Effect.Effect<Exchange.Response, E2>
): Effect.Effect<Exchange.Response, E | E2 | RowError | StoreUnavailable> =>
  Effect.catchAll(applied, (error): Effect.Effect<Exchange.Response, E | E2 | RowError | StoreUnavailable> =>
    error._tag === "QuotaExceeded"
      ? Effect.flatMap(
          read(stored(caller, key, dialect), caller.companyId),
          ([row]): Effect.Effect<Exchange.Response, E | E2 | RowError> =>
            row === undefined ? Effect.fail(error) : Effect.flatMap(repeat(row, requestHash), complete)
        )
      : Effect.fail(error)
  )

/** The part of a change that carries it out once for each caller and key, as long as its response is stored. */
export const make = (
  { key, requestHash }: IdempotencyKey,
  caller: Caller,
  millis: number,
  dialect: Dialect
): Once<Answer, RowError> => {
  const { companyId, userId } = caller
  return {
    name: JSON.stringify([companyId, userId, key]),
    load: stored(caller, key, dialect),
    replay: (row) => repeat(row, requestHash),
    // The primary key refuses the second of two concurrent requests.
    save: ({ body = "", headers, status }) =>
      render(
        sql`INSERT INTO "_idempotency"
          ("companyId", "userId", "key", "requestHash", "status", "headers", "body", "createdAt")
          VALUES (${companyId}, ${userId}, ${key}, ${requestHash}, ${ServiceColumn.long(status)}, ${JSON.stringify(headers)},
          ${bodyText(body)}, ${ServiceColumn.long(ServiceColumn.micros(millis))})`,
        dialect
      )
  }
}

/** A change found no stored response. */
interface NotStored {
  readonly _tag: "NotStored"
}

/** Repeats the stored response before any other work for the request; undefined if none is stored. */
export const find = (
  { change, dialect, read }: Pick<Store, "change" | "dialect" | "read">,
  { key, requestHash }: IdempotencyKey,
  caller: Caller
): Effect.Effect<Answer | undefined, RowError | Refused | StoreUnavailable> => {
  const { companyId } = caller
  const known = render(sql`SELECT 1 FROM "_idempotency" WHERE ${named(caller, key)}`, dialect)
  // The row may be of a commit that is not durable yet, so the response comes from a change without steps after it.
  const repeated: Change<Answer | undefined, RowError | NotStored> = {
    companyId,
    steps: [],
    resolve: () => Either.left({ _tag: "NotStored" }),
    idempotency: make({ key, requestHash }, caller, 0, dialect)
  }
  return Effect.flatMap(read(known, companyId), ([row]) =>
    row === undefined
      ? Effect.succeed(undefined)
      : Effect.catchTag(change(repeated), "NotStored", () => Effect.succeed(undefined))
  )
}

/** The key of the first response of the next batch. */
interface Cursor {
  readonly at: number
}

/** The maximum number of responses of a batch, and the bytes of their bodies. */
const sizes = {
  sqlite: { responses: 64, bytes: 512 * 1024 },
  postgres: { responses: 1000, bytes: 16 * 1024 * 1024 }
}

/** The number of responses whose bytes fit a batch, at least one. */
const fitting = (found: Rows, bytes: number): number => {
  let sum = 0
  const end = found.findIndex(([, size], index) => (sum += Number(size)) > bytes && index > 0)
  return end === -1 ? found.length : end
}

/** The retention of responses. */
export const expiry = ({ store }: Pick<World["Type"], "store">, keepMillis: number): Retention.Expiry<Cursor> => {
  const { dialect } = store
  const tables = ServiceTables.make(store)
  const size = sizes[dialect.name]

  const batch = (beforeMillis: number, { at }: Cursor): Effect.Effect<Retention.Batch<Cursor>, StoreUnavailable> =>
    Effect.gen(function* () {
      const expired = sql`"createdAt" >= ${at} AND "createdAt" <= ${ServiceColumn.micros(beforeMillis)} ORDER BY "createdAt"`
      const found = yield* tables.read(sql`SELECT "createdAt", octet_length("body") FROM "_idempotency"
        WHERE ${expired} LIMIT ${text(String(size.responses))}`)
      const count = fitting(found, size.bytes)
      const last = found[count - 1]
      if (last === undefined) return { deleted: {}, next: undefined }
      const table = text('"_idempotency"')
      const deletion = ServiceTables.deletion(
        dialect,
        table,
        (place) => sql`SELECT ${place} FROM ${table} WHERE ${expired}
          LIMIT ${text(String(count))}${dialect.lock(table, "skip")}`
      )
      const [deleted = []] = yield* tables.change({
        statements: [deletion],
        isLong: true,
        resolve: Either.right
      })
      return { deleted: { _idempotency: deleted.length }, next: { at: Number(last[0]) } }
    })

  return { name: "responses of idempotent requests", tables: ["_idempotency"], keepMillis, first: { at: 0 }, batch }
}
