/**
 * What an administrator sees of deliveries: each with its attempts, what can be delivered again, and for how long
 * they are kept.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import type { Rows, Step } from "../sql/Change.ts"
import { type Fragment, join, render, sql, text } from "../sql/Statement.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import * as Delivery from "./Delivery.ts"

/** There is no such delivery, or its webhook is gone. */
export class DeliveryMissing extends Data.TaggedError("DeliveryMissing")<{ readonly id: string }> {
  override get message() {
    return `there is no delivery ${JSON.stringify(this.id)} to a webhook that exists`
  }
}

/** Which deliveries; all of them where nothing is said. */
interface Filter {
  readonly companyId?: string | undefined
  readonly webhookId?: string | undefined
  readonly table?: string | undefined
  readonly key?: string | undefined
  readonly eventId?: string | undefined
  readonly state?: AdminApi.DeliveryState | undefined
  /** Whose event happened then or later. */
  readonly since?: Timestamp.Timestamp | undefined
}

interface Page extends Filter {
  readonly limit: number
  /** Continues behind this one. */
  readonly after?: string | undefined
}

export interface DeliveryLog {
  /** The newest first. */
  readonly list: (page: Page) => Effect.Effect<ReadonlyArray<AdminApi.DeliveryRecord>, StoreUnavailable>
  readonly get: (id: string) => Effect.Effect<AdminApi.DeliveryDetail, DeliveryMissing | StoreUnavailable>
  /** Delivers again, whatever became of it before; what is under way is left alone. */
  readonly redeliver: (id: string) => Effect.Effect<void, DeliveryMissing | StoreUnavailable>
  /** Delivers again all that pass; answers how many. */
  readonly redeliverAll: (filter: Filter) => Effect.Effect<number, StoreUnavailable>
  /** Forgets what was settled before a moment, in milliseconds since 1970. */
  readonly prune: (beforeMillis: number) => Effect.Effect<void, StoreUnavailable>
}

const isNumber = (id: string): boolean => /^\d{1,15}$/.test(id)

const moment = (micros: Rows[number][number] | undefined): Timestamp.Timestamp | null =>
  micros === null || micros === undefined ? null : Timestamp.fromMicros(BigInt(micros))

const columns = sql`"delivery"."id", ${Delivery.eventId}, "delivery"."companyId", "delivery"."webhookId",
  "event"."table", "event"."type", "delivery"."key", "delivery"."state", "delivery"."attempts", "delivery"."dueAt",
  "delivery"."createdAt", "delivery"."settledAt"`

const source = text(`FROM "_delivery" AS "delivery"
  JOIN "_outbox" AS "event" ON "event"."sequence" = "delivery"."sequence"`)

const fromRow = (row: Rows[number]): AdminApi.DeliveryRecord => {
  const [id, eventId, companyId, webhookId, table, type, key, state, attempts, dueAt, createdAt, settledAt] = row
  return {
    id: String(id),
    eventId: String(eventId),
    companyId: String(companyId),
    webhookId: String(webhookId),
    table: String(table),
    type: String(type),
    key: String(key),
    // Written by the queue, which knows no others.
    state: String(state) as AdminApi.DeliveryState,
    attempts: Number(attempts),
    dueAt: moment(dueAt),
    createdAt: moment(createdAt) ?? Timestamp.fromMicros(0n),
    settledAt: moment(settledAt)
  }
}

const attemptOf = (row: Rows[number]): AdminApi.DeliveryAttempt => {
  const [number, at, duration, outcome, url, requestHeaders, status, responseHeaders, responseBody, error] = row
  return {
    number: Number(number),
    at: moment(at) ?? Timestamp.fromMicros(0n),
    durationMillis: Number(duration) / 1000,
    // As the queue has it, which knows no others.
    outcome: String(outcome) as AdminApi.DeliveryAttempt["outcome"],
    url: String(url),
    requestHeaders: JSON.parse(String(requestHeaders)),
    status: status === null || status === undefined ? null : Number(status),
    responseHeaders: typeof responseHeaders === "string" ? JSON.parse(responseHeaders) : null,
    responseBody: typeof responseBody === "string" ? responseBody : null,
    error: typeof error === "string" ? error : null
  }
}

const conditions = ({ companyId, eventId, key, since, state, table, webhookId }: Filter): ReadonlyArray<Fragment> => {
  const terms: Array<Fragment> = []
  if (companyId !== undefined) terms.push(sql`"delivery"."companyId" = ${companyId}`)
  if (webhookId !== undefined) terms.push(sql`"delivery"."webhookId" = ${webhookId}`)
  if (table !== undefined) terms.push(sql`"event"."table" = ${table}`)
  if (key !== undefined) terms.push(sql`"delivery"."key" = ${key}`)
  if (state !== undefined) terms.push(sql`"delivery"."state" = ${state}`)
  if (since !== undefined) terms.push(sql`"delivery"."createdAt" >= ${Number(Timestamp.toMicros(since))}`)
  if (eventId !== undefined) {
    const [, change = "", sequence = ""] = /^(.+)-(\d{1,15})$/.exec(eventId) ?? []
    terms.push(sql`"event"."change" = ${change} AND "event"."sequence" = CAST(${sequence || "0"} AS bigint)`)
  }
  return terms
}

export const make = ({ now, store }: Pick<World["Type"], "now" | "store">): DeliveryLog => {
  const read = (fragment: Fragment) => store.read(render(fragment, store.dialect))
  const run = (fragment: Fragment): Step => ({ _tag: "Run", statement: render(fragment, store.dialect) })
  /** No statement here breaks a constraint. */
  const apply = (steps: ReadonlyArray<Step>) =>
    store.change({ steps, resolve: Either.right }).pipe(Effect.catchTag("Refused", Effect.die))

  const find = (terms: ReadonlyArray<Fragment>, limit: number) => {
    const where = terms.length === 0 ? sql`` : sql`WHERE ${join(terms, " AND ")}`
    return Effect.map(
      read(sql`SELECT ${columns} ${source} ${where} ORDER BY "delivery"."id" DESC LIMIT ${text(String(limit))}`),
      (rows) => rows.map(fromRow)
    )
  }

  /** Only the first of a row's unfinished deliveries is due; the others follow it. */
  const again = (terms: ReadonlyArray<Fragment>) => {
    const known = sql`EXISTS (SELECT 1 FROM "webhook" WHERE "webhook"."_tenant" = "delivery"."companyId"
      AND "webhook"."id" = "delivery"."webhookId")`
    const chosen = sql`SELECT "delivery"."id" ${source} WHERE ${join([...terms, known], " AND ")}`
    const same = sql`"other"."companyId" = "_delivery"."companyId" AND "other"."webhookId" = "_delivery"."webhookId"
      AND "other"."key" = "_delivery"."key" AND "other"."settledAt" IS NULL`
    return Effect.map(
      apply([
        run(sql`UPDATE "_delivery" SET "state" = 'pending', "attempts" = 0, "settledAt" = NULL, "dueAt" = NULL
          WHERE "leasedBy" IS NULL AND "id" IN (${chosen}) RETURNING 1`),
        run(sql`UPDATE "_delivery" SET "dueAt" = ${now() * 1000} WHERE "settledAt" IS NULL AND "dueAt" IS NULL
          AND NOT EXISTS (SELECT 1 FROM "_delivery" AS "other" WHERE ${same}
            AND ("other"."dueAt" IS NOT NULL OR "other"."id" < "_delivery"."id"))`),
        { _tag: "Publish", statement: render(sql`SELECT 1`, store.dialect) }
      ]),
      ([changed]) => changed?.length ?? 0
    )
  }

  const one = (id: string) => [sql`"delivery"."id" = ${Number(id)}`]

  return {
    list: ({ after, limit, ...filter }) =>
      find([...conditions(filter), ...(after === undefined ? [] : [sql`"delivery"."id" < ${Number(after)}`])], limit),

    get: (id) =>
      Effect.gen(function* () {
        const [found] = isNumber(id) ? yield* find(one(id), 1) : []
        if (found === undefined) return yield* new DeliveryMissing({ id })
        const [event] = yield* read(sql`SELECT "event"."record", "event"."old" ${source}
          WHERE ${join(one(id), " AND ")}`)
        const attempts = yield* read(sql`SELECT "number", "at", "duration", "outcome", "url", "requestHeaders",
          "status", "responseHeaders", "responseBody", "error" FROM "_deliveryAttempt"
          WHERE "deliveryId" = ${Number(id)} ORDER BY "id"`)
        const { companyId, eventId, table, type } = found
        const [record, old] = event ?? []
        const before = typeof old === "string" ? old : null
        return {
          ...found,
          body: JSON.parse(Delivery.body(type, table, companyId, eventId, String(record), before)),
          log: attempts.map(attemptOf)
        }
      }),

    redeliver: (id) =>
      Effect.gen(function* () {
        const count = isNumber(id) ? yield* again(one(id)) : 0
        if (count === 0) return yield* new DeliveryMissing({ id })
      }),

    redeliverAll: (filter) => again(conditions(filter)),

    prune: (beforeMillis) => {
      const before = beforeMillis * 1000
      const over = sql`SELECT "id" FROM "_delivery" WHERE "createdAt" < ${before} AND "settledAt" < ${before}`
      return Effect.asVoid(
        apply(
          [
            sql`DELETE FROM "_deliveryAttempt" WHERE "deliveryId" IN (${over})`,
            sql`DELETE FROM "_delivery" WHERE "createdAt" < ${before} AND "settledAt" < ${before}`,
            sql`DELETE FROM "_outbox" WHERE "at" < ${before} AND NOT EXISTS (
              SELECT 1 FROM "_delivery" WHERE "_delivery"."sequence" = "_outbox"."sequence")`
          ].map(run)
        )
      )
    }
  }
}
