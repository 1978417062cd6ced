/**
 * Counts the deliveries that are not settled.
 */
import * as Effect from "effect/Effect"
import { render, sql } from "../sql/Statement.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"

export interface Backlog {
  /** The deliveries to active webhooks. */
  readonly pending: number
  /** The time of the first of their events, in milliseconds since 1970. */
  readonly oldestMillis: number | undefined
  /** The deliveries that wait until their webhook is enabled. */
  readonly paused: number
}

/** The entries of an index on unsettled deliveries, by webhook. */
const byWebhook = sql`SELECT "companyId", "webhookId", count(*) AS "count", min("id") AS "first" FROM "_delivery"
  WHERE "settledAt" IS NULL GROUP BY "companyId", "webhookId"`

const sums = sql`SELECT sum(CASE WHEN "webhook"."active" THEN "waiting"."count" ELSE 0 END) AS "pending",
  sum("waiting"."count") AS "all", min(CASE WHEN "webhook"."active" THEN "waiting"."first" END) AS "first"
  FROM (${byWebhook}) AS "waiting" LEFT JOIN "webhook"
  ON "webhook"."_tenant" = "waiting"."companyId" AND "webhook"."id" = "waiting"."webhookId"`

const statement = sql`SELECT CAST(coalesce("pending", 0) AS bigint), CAST(coalesce("all", 0) AS bigint),
  (SELECT "at" FROM "_delivery" JOIN "_outbox" ON "_outbox"."sequence" = "_delivery"."sequence" WHERE "id" = "first")
  FROM (${sums}) AS "sums"`

/** Counts on a connection for queries of any size. */
export const measure = ({
  store
}: Pick<World["Type"], "store">): Effect.Effect<Backlog, StoreUnavailable | QueryStopped> =>
  store.query(render(statement, store.dialect), { companyId: "", keyId: "metrics" }).pipe(
    Effect.map(([row = []]) => {
      const [pending, all, oldest] = row
      return {
        pending: Number(pending),
        paused: Number(all) - Number(pending),
        oldestMillis: oldest === null || oldest === undefined ? undefined : Math.floor(Number(oldest) / 1000)
      }
    })
  )
