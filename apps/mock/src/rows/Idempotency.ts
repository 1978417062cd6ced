/**
 * Makes writes idempotent: the response to a write is stored with it under the caller's `Idempotency-Key`, and a repeated
 * request receives the stored response. A refused write stores nothing, so it can be retried.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { createHash } from "node:crypto"
import type { Caller } from "../access/Caller.ts"
import type * as Exchange from "../Exchange.ts"
import type { Change, Rows } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { type Fragment, render, sql, text, type Value } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type * as Retention from "../world/Retention.ts"
import type { Slices } from "../world/Slices.ts"
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

/** The stored response. */
const replay = ([, status, headers, body]: ReadonlyArray<Value>): Exchange.Response => {
  // Written by `save`.
  const stored: Exchange.Headers = JSON.parse(String(headers))
  return { status: Number(status), headers: { ...stored, "Idempotency-Replayed": "true" }, body: String(body) }
}

/** The response to a repeated request, whose hash must be that of the first one. */
const repeat = (row: ReadonlyArray<Value>, requestHash: string): Either.Either<Exchange.Response, RowError> =>
  row[0] === requestHash ? Either.right(replay(row)) : Either.left({ _tag: "IdempotencyKeyReused" })

const bodyText = ({ body }: Exchange.Response): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body)

const named = ({ companyId, userId }: Caller, key: string): Fragment =>
  sql`"companyId" = ${companyId} AND "userId" = ${userId} AND "key" = ${key}`

const stored = (caller: Caller, key: string, dialect: Dialect) =>
  render(
    sql`SELECT "requestHash", "status", "headers", "body" FROM "_idempotency" WHERE ${named(caller, key)}`,
    dialect
  )

/**
 * Repeats the stored response where a quota refuses a request, which may have filled the quota itself. `complete` completes
 * what is stored.
 */
export const orStored = <E extends { readonly _tag: string }>(
  applied: Effect.Effect<Exchange.Response, E>,
  { dialect, read }: Pick<World["Type"]["store"], "dialect" | "read">,
  { key, requestHash }: IdempotencyKey,
  caller: Caller,
  complete: (response: Exchange.Response) => Effect.Effect<Exchange.Response>
): Effect.Effect<Exchange.Response, E | RowError> =>
  Effect.catchAll(applied, (error): Effect.Effect<Exchange.Response, E | RowError> =>
    error._tag === "QuotaExceeded"
      ? Effect.flatMap(
          read(stored(caller, key, dialect), caller.companyId),
          ([row]): Effect.Effect<Exchange.Response, E | RowError> =>
            row === undefined ? Effect.fail(error) : Effect.flatMap(repeat(row, requestHash), complete)
        )
      : Effect.fail(error)
  )

/** The change, which is carried out once for each caller and key as long as its response is stored. */
export const once = <E>(
  change: Change<Exchange.Response, E>,
  { key, requestHash }: IdempotencyKey,
  caller: Caller,
  millis: number,
  dialect: Dialect
): Change<Exchange.Response, E | RowError> => {
  const { companyId, userId } = caller
  return {
    ...change,
    idempotency: {
      name: JSON.stringify([companyId, userId, key]),
      load: stored(caller, key, dialect),
      replay: (row) => repeat(row, requestHash),
      // The primary key refuses the second of two concurrent requests.
      save: (answer) =>
        render(
          sql`INSERT INTO "_idempotency"
            ("companyId", "userId", "key", "requestHash", "status", "headers", "body", "createdAt")
            VALUES (${companyId}, ${userId}, ${key}, ${requestHash}, ${ServiceColumn.long(answer.status)}, ${JSON.stringify(answer.headers)},
            ${bodyText(answer)}, ${ServiceColumn.long(ServiceColumn.micros(millis))})`,
          dialect
        )
    }
  }
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
