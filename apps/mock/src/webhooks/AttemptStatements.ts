/**
 * Builds the statements that settle attempts: they write the log, the deliveries, and the counts in the webhooks' rows.
 * Attempts that ended together share statements.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Dialect } from "../sql/Dialect.ts"
import { micros, timestamp } from "../sql/ServiceColumn.ts"
import { type Fragment, identifier, join, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import * as RowUpdate from "../sql/write/RowUpdate.ts"
import type { Attempt } from "./Attempt.ts"
import * as WebhookRef from "./WebhookRef.ts"

const { webhook } = Catalogue.byName

/** An increment of a webhook's counter, to which clients can assign any value too. */
interface Count {
  readonly webhook: WebhookRef.WebhookRef
  readonly column: "successCount" | "errorCount"
  readonly last: "lastSuccess" | "lastError"
  readonly at: number
  readonly count: number
}

const counts = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Count> => {
  const found = new Map<string, Count>()
  for (const { delivery, disposition, endedAt } of attempts) {
    const isSuccess = disposition._tag === "Delivered"
    const webhook = WebhookRef.fromDelivery(delivery)
    const key = `${WebhookRef.toKey(webhook)} ${isSuccess}`
    const before = found.get(key)
    found.set(key, {
      webhook,
      column: isSuccess ? "successCount" : "errorCount",
      last: isSuccess ? "lastSuccess" : "lastError",
      at: Math.max(before?.at ?? 0, endedAt),
      count: (before?.count ?? 0) + 1
    })
  }
  // The same order in every process avoids deadlocks.
  return Array.from(found, ([key, count]) => ({ key, count }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ count }) => count)
}

/** The columns of the log. */
const logColumns = [
  { name: "deliveryId", type: "number" },
  { name: "number", type: "number" },
  { name: "at", type: "number" },
  { name: "duration", type: "number" },
  { name: "outcome", type: "text" },
  { name: "url", type: "text" },
  { name: "requestHeaders", type: "text" },
  { name: "status", type: "number" },
  { name: "responseHeaders", type: "text" },
  { name: "responseBody", type: "text" },
  { name: "error", type: "text" }
] as const

const logRow = ({ delivery, disposition, endedAt, log, startedAt }: Attempt) =>
  ({
    deliveryId: delivery.id,
    number: delivery.attempts + 1,
    at: micros(startedAt),
    duration: micros(endedAt - startedAt),
    outcome: log.outcome,
    url: delivery.url,
    requestHeaders: JSON.stringify(log.headers),
    status: log.response?.status ?? null,
    responseHeaders: log.response === undefined ? null : JSON.stringify(log.response.headers),
    responseBody: log.response?.body ?? null,
    error: log.error ?? (disposition._tag === "Disabled" ? "the receiver is gone, so the webhook is disabled" : null)
  }) satisfies { readonly [name in (typeof logColumns)[number]["name"]]: string | number | null }

const idsOf = (attempts: ReadonlyArray<Attempt>) => attempts.map(({ delivery }) => delivery.id)

interface Options {
  readonly dialect: Dialect
  /** The process that made the attempts. Deliveries that another process has claimed since are not written. */
  readonly holder: string
  readonly now: () => number
  readonly disableAfterMillis: number
}

/** The statements that settle attempts. */
export const make = ({
  dialect,
  holder,
  now,
  disableAfterMillis
}: Options): ((attempts: ReadonlyArray<Attempt>) => ReadonlyArray<Fragment>) => {
  // A condition on `state` and not on `settledAt`, whose index covers all unsettled deliveries: these are found by id.
  const mine = sql`"leasedBy" = ${holder} AND "state" = 'pending'`

  const update = (ref: WebhookRef.WebhookRef, assignments: ReadonlyArray<RowUpdate.Assignment>): Fragment =>
    RowUpdate.make(dialect, webhook, assignments, WebhookRef.ownRow(ref))

  const increment = ({ at, column, count, last, webhook: ref }: Count): Fragment => {
    const sum = sql`(${Table.column(Table.name(webhook), column)} + ${text(String(count))})`
    const sums = RowUpdate.columnsOf(webhook, [column]).map((column) => ({
      column,
      value: sum,
      json: dialect.computed(sum)
    }))
    return update(ref, [...sums, ...RowUpdate.constants(dialect, webhook, { [last]: timestamp(at) })])
  }

  const disable = (ref: WebhookRef.WebhookRef): Fragment =>
    sql`${update(ref, RowUpdate.constants(dialect, webhook, { active: false }))} AND "active"`

  const logged = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Fragment> => {
    const into = sql`INSERT INTO "_deliveryAttempt" (${join(
      logColumns.map(({ name }) => identifier(name)),
      ", "
    )})`
    const rows = attempts.map(logRow)
    // A dropped delivery may have expired during a long attempt.
    const exists = (id: Fragment) => sql`EXISTS (SELECT 1 FROM "_delivery" WHERE "_delivery"."id" = ${id})`
    if (dialect.unpack === undefined) {
      return rows.map((row) => {
        const values = logColumns.map(({ name }) => sql`${row[name]}`)
        return sql`${into} SELECT ${join(values, ", ")} WHERE ${exists(sql`${row.deliveryId}`)}`
      })
    }
    const columns = logColumns.map(({ name }) => Table.column(text(`"row"`), name))
    return [
      sql`${into} SELECT ${join(columns, ", ")} FROM ${dialect.unpack(logColumns, rows)}
        WHERE ${exists(Table.column(text('"row"'), "deliveryId"))} ORDER BY "given"."place"`
    ]
  }

  /** Settles deliveries, and makes the next delivery of each row due, in two statements for any number. */
  const settled = (state: "delivered" | "dead", attempts: ReadonlyArray<Attempt>): ReadonlyArray<Fragment> => {
    if (attempts.length === 0) return []
    const ids = idsOf(attempts)
    const moment = micros(now())
    const next = sql`SELECT min("next"."id") FROM "_delivery" AS "next" WHERE "next"."companyId" = "over"."companyId"
      AND "next"."webhookId" = "over"."webhookId" AND "next"."key" = "over"."key" AND "next"."settledAt" IS NULL`
    return [
      sql`UPDATE "_delivery" SET "state" = ${state}, "attempts" = "attempts" + 1, "leasedBy" = NULL, "dueAt" = NULL,
        "settledAt" = ${moment} WHERE ${dialect.numbered(text(`"id"`), ids)} AND ${mine}`,
      sql`UPDATE "_delivery" SET "dueAt" = ${moment} WHERE "dueAt" IS NULL AND "state" = 'pending'
        AND "id" IN (SELECT (${next}) FROM "_delivery" AS "over"
        WHERE ${dialect.numbered(text(`"over"."id"`), ids)})`
    ]
  }

  const retried = ({ delivery: { id }, disposition }: Attempt): ReadonlyArray<Fragment> =>
    "dueAt" in disposition
      ? [
          sql`UPDATE "_delivery" SET "attempts" = "attempts" + 1, "leasedBy" = NULL, "dueAt" = ${micros(disposition.dueAt)}
            WHERE "id" = ${id} AND ${mine}`
        ]
      : []

  /** Clears the time since which webhooks have been failing, after a success. */
  const recovered = (delivered: ReadonlyArray<Attempt>): ReadonlyArray<Fragment> =>
    delivered.length === 0
      ? []
      : [
          sql`DELETE FROM "_webhookFailure" WHERE ("companyId", "webhookId") IN (
            SELECT "companyId", "webhookId" FROM "_delivery"
            WHERE ${dialect.numbered(text(`"id"`), idsOf(delivered))})`
        ]

  /** Records since when a webhook has been failing, and disables it when that is too long ago. */
  const failing = ({ at, column, webhook: ref }: Count): ReadonlyArray<Fragment> => {
    if (column === "successCount") return []
    const { companyId, id } = ref
    const tooLong = sql`EXISTS (SELECT 1 FROM "_webhookFailure" WHERE ${WebhookRef.referringRows(ref)}
      AND "failingSince" <= ${micros(at - disableAfterMillis)})`
    return [
      sql`INSERT INTO "_webhookFailure" ("companyId", "webhookId", "failingSince") VALUES (${companyId}, ${id}, ${micros(at)})
        ON CONFLICT DO NOTHING`,
      sql`${disable(ref)} AND ${tooLong}`
    ]
  }

  return (attempts) => {
    if (attempts.length === 0) return []
    const inOrder = attempts.toSorted((one, other) => one.delivery.id - other.delivery.id)
    const ended = (tag: Attempt["disposition"]["_tag"]) => inOrder.filter(({ disposition }) => disposition._tag === tag)
    const delivered = ended("Delivered")
    const totals = counts(attempts)
    const gone = new Map(
      ended("Disabled").map(({ delivery }) => {
        const ref = WebhookRef.fromDelivery(delivery)
        return [WebhookRef.toKey(ref), ref]
      })
    )
    return [
      ...logged(inOrder),
      ...settled("delivered", delivered),
      ...settled("dead", ended("Dead")),
      ...inOrder.flatMap(retried),
      ...totals.map(increment),
      ...recovered(delivered),
      ...totals.flatMap(failing),
      ...Array.from(gone.values(), disable)
    ]
  }
}
