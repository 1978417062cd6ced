/**
 * Lists deliveries with their attempts for an administrator, and delivers again.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import type { Rows } from "../sql/Change.ts"
import { micros } from "../sql/ServiceColumn.ts"
import { type Fragment, join, sql, text } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import * as Delivery from "./Delivery.ts"

/** The delivery does not exist, or its webhook was deleted. */
export class DeliveryMissing extends Data.TaggedError("DeliveryMissing")<{ readonly id: string }> {
  override get message() {
    return `there is no delivery ${JSON.stringify(this.id)} to a webhook that exists`
  }
}

/** Selects deliveries; an absent field selects all. */
interface Filter {
  readonly companyId?: string | undefined
  readonly webhookId?: string | undefined
  readonly table?: string | undefined
  readonly key?: string | undefined
  readonly eventId?: string | undefined
  readonly state?: AdminApi.DeliveryState | undefined
  /** The earliest moment of the event. */
  readonly since?: Timestamp.Timestamp | undefined
}

interface Page extends Filter {
  readonly limit: number
  /** The id of the last delivery of the page before. */
  readonly after?: string | undefined
}

export interface DeliveryLog {
  /** The selected deliveries, newest first. */
  readonly list: (page: Page) => Effect.Effect<ReadonlyArray<AdminApi.DeliveryRecord>, StoreUnavailable>
  readonly get: (id: string) => Effect.Effect<AdminApi.DeliveryDetail, DeliveryMissing | StoreUnavailable>
  /** Delivers again, also after a success; a delivery in flight is left alone. */
  readonly redeliver: (id: string) => Effect.Effect<void, DeliveryMissing | StoreUnavailable>
  /** Delivers all selected deliveries again and returns their number. */
  readonly redeliverAll: (filter: Filter) => Effect.Effect<number, StoreUnavailable>
}

const isNumber = (id: string): boolean => /^\d{1,15}$/.test(id)

const moment = (micros: Rows[number][number] | undefined): Timestamp.Timestamp | null =>
  micros === null || micros === undefined ? null : Timestamp.fromMicros(BigInt(micros))

const columns = sql`"delivery"."id", ${Delivery.eventId}, "delivery"."companyId", "delivery"."webhookId",
  "event"."table", "event"."type", "delivery"."key", "delivery"."state", "delivery"."attempts", "delivery"."dueAt",
  "delivery"."createdAt", "delivery"."settledAt"`

const source = text(`FROM "_delivery" AS "delivery"
  JOIN "_outbox" AS "event" ON "event"."sequence" = "delivery"."sequence"
    AND "event"."companyId" = "delivery"."companyId"`)

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
    // The queue writes only these states.
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
    // The queue writes only these outcomes.
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
  if (since !== undefined) terms.push(sql`"event"."at" >= ${Number(Timestamp.toMicros(since))}`)
  if (eventId !== undefined) {
    const [, change = "", sequence = ""] = /^(.+)-(\d{1,15})$/.exec(eventId) ?? []
    terms.push(sql`"event"."change" = ${change} AND "event"."sequence" = CAST(${sequence || "0"} AS bigint)`)
  }
  return terms
}

export const make = ({ now, store }: Pick<World["Type"], "now" | "store">): DeliveryLog => {
  const tables = ServiceTables.make(store)

  const find = (terms: ReadonlyArray<Fragment>, limit: number) => {
    const where = terms.length === 0 ? sql`` : sql`WHERE ${join(terms, " AND ")}`
    return Effect.map(
      tables.read(sql`SELECT ${columns} ${source} ${where} ORDER BY "delivery"."id" DESC LIMIT ${text(String(limit))}`),
      (rows) => rows.map(fromRow)
    )
  }

  /** Resets deliveries. Only the first unsettled delivery of a row becomes due; the others follow it. */
  const again = (terms: ReadonlyArray<Fragment>) => {
    const known = sql`EXISTS (SELECT 1 FROM "webhook" WHERE "webhook"."_tenant" = "delivery"."companyId"
      AND "webhook"."id" = "delivery"."webhookId")`
    const chosen = sql`SELECT "delivery"."id" ${source} WHERE ${join([...terms, known], " AND ")}`
    const same = sql`"other"."companyId" = "_delivery"."companyId" AND "other"."webhookId" = "_delivery"."webhookId"
      AND "other"."key" = "_delivery"."key" AND "other"."settledAt" IS NULL`
    return tables.change({
      statements: [
        sql`UPDATE "_delivery" SET "state" = 'pending', "attempts" = 0, "settledAt" = NULL, "dueAt" = NULL
          WHERE "leasedBy" IS NULL AND "id" IN (${chosen}) RETURNING 1`,
        sql`UPDATE "_delivery" SET "dueAt" = ${micros(now())} WHERE "settledAt" IS NULL AND "dueAt" IS NULL
          AND NOT EXISTS (SELECT 1 FROM "_delivery" AS "other" WHERE ${same}
            AND ("other"."dueAt" IS NOT NULL OR "other"."id" < "_delivery"."id"))`
      ],
      notifies: true,
      resolve: ([changed = []]) => Either.right(changed.length)
    })
  }

  const one = (id: string) => [sql`"delivery"."id" = ${Number(id)}`]

  return {
    list: ({ after, limit, ...filter }) =>
      find([...conditions(filter), ...(after === undefined ? [] : [sql`"delivery"."id" < ${Number(after)}`])], limit),

    get: (id) =>
      Effect.gen(function* () {
        const [found] = isNumber(id) ? yield* find(one(id), 1) : []
        if (found === undefined) return yield* new DeliveryMissing({ id })
        const [event] = yield* tables.read(sql`SELECT "event"."at", "event"."record", "event"."old" ${source}
          WHERE ${join(one(id), " AND ")}`)
        const attempts = yield* tables.read(sql`SELECT "number", "at", "duration", "outcome", "url", "requestHeaders",
          "status", "responseHeaders", "responseBody", "error" FROM "_deliveryAttempt"
          WHERE "deliveryId" = ${Number(id)} AND "companyId" = ${found.companyId} ORDER BY "id"`)
        const { companyId, eventId, table, type } = found
        const [at, record, old] = event ?? []
        const before = typeof old === "string" ? old : null
        return {
          ...found,
          body: JSON.parse(
            Delivery.body(type, table, companyId, eventId, moment(at) ?? found.createdAt, String(record), before)
          ),
          log: attempts.map(attemptOf)
        }
      }),

    redeliver: (id) =>
      Effect.gen(function* () {
        const count = isNumber(id) ? yield* again(one(id)) : 0
        if (count === 0) return yield* new DeliveryMissing({ id })
      }),

    redeliverAll: (filter) => again(conditions(filter))
  }
}
