/**
 * Builds the steps that create the deliveries of a change, one of each event for each subscribed webhook, and that count
 * them before.
 */
import type { Step } from "../Change.ts"
import type { Dialect } from "../Dialect.ts"
import type { OwnedTable } from "../Owner.ts"
import * as ServiceColumn from "../ServiceColumn.ts"
import { empty, type Fragment, render, sql, text } from "../Statement.ts"
import * as Subscription from "./Subscription.ts"

/**
 * The maximum number of deliveries of a change. On SQLite they take a tenth of a second, in which no other change runs; on
 * PostgreSQL half a second of a processor.
 */
export const most = 10_000

/** The subscribed webhooks of an event, by the names of both. */
const subscribed = (event: string): Fragment =>
  text(
    `"webhook"."table" = "${event}"."table" AND "webhook"."active" AND CASE "${event}"."type" ${Object.entries(
      Subscription.flags
    )
      .map(([type, flag]) => `WHEN '${type}' THEN "webhook"."${flag}"`)
      .join(" ")} END`
  )

/**
 * Creates a delivery of each event of a change for each subscribed webhook. A delivery is due immediately, unless an
 * earlier one of the same webhook and row is pending: then it waits for that one, which a lock keeps from being settled
 * until the transaction ends. If the earlier one is being settled already, its row is skipped and the new delivery is
 * due immediately; the queue still takes deliveries of one row in their order.
 */
const enqueue = (dialect: Dialect, { owner: { companyId } }: OwnedTable, change: string): Step => {
  const before = sql`SELECT 1 FROM "_delivery" AS "before" WHERE "before"."companyId" = "event"."companyId"
    AND "before"."webhookId" = "webhook"."id" AND "before"."key" = "event"."key" AND "before"."settledAt" IS NULL`
  const insert = (range: Fragment) =>
    render(
      sql`INSERT INTO "_delivery" ("sequence", "companyId", "webhookId", "key", "state", "attempts", "dueAt", "createdAt")
        SELECT "event"."sequence", "event"."companyId", "webhook"."id", "event"."key", 'pending', 0,
          CASE WHEN NOT EXISTS (${before}${dialect.lock(text('"before"'), "skip")}) THEN "event"."at" END, "event"."at"
        FROM "_outbox" AS "event" JOIN "webhook" ON "webhook"."_tenant" = "event"."companyId" AND ${subscribed("event")}
        WHERE "event"."change" = ${change} AND "event"."companyId" = ${companyId}${range} ORDER BY "event"."sequence"`,
      dialect
    )
  return {
    _tag: "Enqueue",
    statement: insert(empty),
    slice: (first, last) =>
      insert(sql` AND "event"."sequence" BETWEEN ${ServiceColumn.long(first)} AND ${ServiceColumn.long(last)}`)
  }
}

/** Counts the deliveries of a number of rows, each of which is an event of the type. */
const ofRows = (dialect: Dialect, owned: OwnedTable, type: Subscription.EventType, rows: number): Step => ({
  _tag: "Count",
  statement: render(
    sql`SELECT count(*) * ${text(String(rows))} FROM (${Subscription.subscribers(owned, type)}) AS ${text('"subscriber"')}`,
    dialect
  ),
  limit: most
})

/** Counts the deliveries of the published events of a change. */
const ofEvents = (dialect: Dialect, { owner: { companyId } }: OwnedTable, change: string): Step => {
  const events = sql`SELECT "table", "type", count(*) AS "count" FROM "_outbox" WHERE "change" = ${change}
    AND "companyId" = ${companyId} GROUP BY "table", "type"`
  const webhooks = sql`SELECT count(*) FROM "webhook" WHERE "webhook"."_tenant" = ${companyId} AND ${subscribed("event")}`
  return {
    _tag: "Count",
    statement: render(sql`SELECT sum("event"."count" * (${webhooks})) FROM (${events}) AS ${text('"event"')}`, dialect),
    limit: most,
    isOfEvents: true
  }
}

/**
 * The number of events of a change: at most one, one for each of a number of rows, or one that is known only when the
 * events are published. The deliveries of one event are not counted, because the number of webhooks has a limit.
 */
export type Extent =
  | { readonly _tag: "Single" }
  | { readonly _tag: "Rows"; readonly type: Subscription.EventType; readonly rows: number }
  | { readonly _tag: "Published" }

export const single: Extent = { _tag: "Single" }
export const published: Extent = { _tag: "Published" }

/** The extent of a change of a number of rows. */
export const extentOf = (type: Subscription.EventType, rows: number): Extent =>
  rows > 1 ? { _tag: "Rows", type, rows } : single

/** The steps before events are published: too many deliveries of a known number of rows are refused before any work. */
export const before = (dialect: Dialect, owned: OwnedTable, extent: Extent): ReadonlyArray<Step> =>
  extent._tag === "Rows" ? [ofRows(dialect, owned, extent.type, extent.rows)] : []

/** The steps after the last event is published. */
export const after = (dialect: Dialect, owned: OwnedTable, change: string, extent: Extent): ReadonlyArray<Step> => [
  ...(extent._tag === "Published" ? [ofEvents(dialect, owned, change)] : []),
  enqueue(dialect, owned, change)
]
