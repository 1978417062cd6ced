/**
 * Writes that happen once: what came of one is kept with it under the caller's `Idempotency-Key`, and told again
 * whenever it is repeated. A write that was refused has left nothing behind, so it may be tried again.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { createHash } from "node:crypto"
import type { Caller } from "../access/Caller.ts"
import type * as Exchange from "../Exchange.ts"
import type { Change } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { type Fragment, render, sql, type Value } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { Task } from "../world/Janitor.ts"
import type { World } from "../world/World.ts"
import type { RowError } from "./RowError.ts"

/** For how long an answer is kept; it goes when the duty to forget comes round next. */
const keptMillis = 24 * 60 * 60 * 1000

const longest = 255
const form = new RegExp(`^[\\x20-\\x7e]{1,${longest}}$`)

/** A request that is to be carried out once. */
export interface Once {
  readonly key: string
  /** By which the same request is known again. */
  readonly requestHash: string
}

const hash = ({ body, method, target }: Exchange.Request): string =>
  createHash("sha256").update(`${method} ${target}\n`).update(body).digest("hex")

/** Whether a request says that it is to be carried out once. */
export const fromRequest = (request: Exchange.Request): Either.Either<Once | undefined, RowError> => {
  const key = request.headers["idempotency-key"]
  if (key === undefined) return Either.right(undefined)
  return form.test(key)
    ? Either.right({ key, requestHash: hash(request) })
    : Either.left({ _tag: "IdempotencyKeyMalformed", longest })
}

/** What was kept: status, headers and body. */
const replay = ([, status, headers, body]: ReadonlyArray<Value>): Exchange.Response => {
  // Written by `save`.
  const kept: Exchange.Headers = JSON.parse(String(headers))
  return { status: Number(status), headers: { ...kept, "Idempotency-Replayed": "true" }, body: String(body) }
}

const bodyText = ({ body }: Exchange.Response): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body)

/** The same change, which happens once for a caller as long as its answer is kept. */
export const once = <E>(
  change: Change<Exchange.Response, E>,
  { key, requestHash }: Once,
  { companyId, userId }: Caller,
  millis: number,
  dialect: Dialect
): Change<Exchange.Response, E | RowError> => {
  const statement = (fragment: Fragment) => render(fragment, dialect)
  return {
    ...change,
    idempotency: {
      name: JSON.stringify([companyId, userId, key]),
      load: statement(sql`SELECT "requestHash", "status", "headers", "body" FROM "_idempotency"
        WHERE "companyId" = ${companyId} AND "userId" = ${userId} AND "key" = ${key}`),
      replay: (row) =>
        row[0] === requestHash ? Either.right(replay(row)) : Either.left({ _tag: "IdempotencyKeyReused" }),
      // Where two of the same request are under way at once, the second cannot be kept beside the first.
      save: (answer) =>
        statement(sql`INSERT INTO "_idempotency"
          ("companyId", "userId", "key", "requestHash", "status", "headers", "body", "createdAt")
          VALUES (${companyId}, ${userId}, ${key}, ${requestHash}, ${ServiceColumn.long(answer.status)}, ${JSON.stringify(answer.headers)},
          ${bodyText(answer)}, ${ServiceColumn.long(ServiceColumn.micros(millis))})`)
    }
  }
}

/** The duty to forget what nobody can ask for any more. */
export const forgetting = ({ now, store }: Pick<World["Type"], "now" | "store">): Task => ({
  name: "forgetting answers of repeated requests",
  everyMillis: keptMillis / 24,
  work: Effect.suspend(() => {
    const before = ServiceColumn.long(ServiceColumn.micros(now() - keptMillis))
    return ServiceTables.make(store).write(sql`DELETE FROM "_idempotency" WHERE "createdAt" <= ${before}`)
  })
})
