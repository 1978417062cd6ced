/**
 * Builds the statements that settle attempts: they write the log, the deliveries, and the counts of the webhooks.
 * Attempts that ended together share statements.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Dialect } from "../../sql/Dialect.ts"
import { micros } from "../../sql/ServiceColumn.ts"
import { type Fragment, identifier, join, sql, text } from "../../sql/Statement.ts"
import * as Table from "../../sql/Table.ts"
import * as RowUpdate from "../../sql/write/RowUpdate.ts"
import type { Attempt } from "../Attempt.ts"
import * as WebhookCounts from "./WebhookCounts.ts"
import * as WebhookRef from "../WebhookRef.ts"

const { webhook } = Catalogue.byName

/** The columns of the log. */
const logColumns = [
  { name: "companyId", type: "text" },
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
    companyId: delivery.companyId,
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
}

/** The statements that settle attempts. */
export const make = ({
  dialect,
  holder,
  now
}: Options): ((attempts: ReadonlyArray<Attempt>) => ReadonlyArray<Fragment>) => {
  // A condition on `state` and not on `settledAt`, whose index covers all unsettled deliveries: these are found by id.
  const mine = sql`"leasedBy" = ${holder} AND "state" = 'pending'`

  const disable = (ref: WebhookRef.WebhookRef): Fragment =>
    sql`${RowUpdate.make(
      dialect,
      webhook,
      RowUpdate.constants(dialect, webhook, { active: false }),
      WebhookRef.ownRow(ref)
    )} AND "active"`

  const logged = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Fragment> => {
    const into = sql`INSERT INTO "_deliveryAttempt" (${join(
      logColumns.map(({ name }) => identifier(name)),
      ", "
    )})`
    const rows = attempts.map(logRow)
    // A dropped delivery may have expired during a long attempt.
    const exists = (id: Fragment, companyId: Fragment) =>
      sql`EXISTS (SELECT 1 FROM "_delivery" WHERE "_delivery"."id" = ${id} AND "_delivery"."companyId" = ${companyId})`
    if (dialect.unpack === undefined) {
      return rows.map((row) => {
        const values = logColumns.map(({ name }) => sql`${row[name]}`)
        return sql`${into} SELECT ${join(values, ", ")} WHERE ${exists(sql`${row.deliveryId}`, sql`${row.companyId}`)}`
      })
    }
    const columns = logColumns.map(({ name }) => Table.column(text(`"row"`), name))
    return [
      sql`${into} SELECT ${join(columns, ", ")} FROM ${dialect.unpack(logColumns, rows)}
        WHERE ${exists(Table.column(text('"row"'), "deliveryId"), Table.column(text('"row"'), "companyId"))} ORDER BY "given"."place"`
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

  return (attempts) => {
    if (attempts.length === 0) return []
    const inOrder = attempts.toSorted((one, other) => one.delivery.id - other.delivery.id)
    const ended = (tag: Attempt["disposition"]["_tag"]) => inOrder.filter(({ disposition }) => disposition._tag === tag)
    const delivered = ended("Delivered")
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
      ...WebhookCounts.append(dialect, attempts),
      // The same order in every process avoids deadlocks.
      ...Array.from(gone)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, ref]) => disable(ref))
    ]
  }
}
