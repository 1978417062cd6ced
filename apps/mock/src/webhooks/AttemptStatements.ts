/**
 * What became of attempts, as the statements that write it down: the log, the deliveries, and what the webhooks' rows
 * say of them. Attempts that ended together share statements.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import type { Dialect } from "../sql/Dialect.ts"
import { type Fragment, identifier, join, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import type { Attempt } from "./Attempt.ts"
import * as WebhookRef from "./WebhookRef.ts"

const micros = (millis: number): number => millis * 1000

const { webhook } = Catalogue.byName

/** Adds to what a webhook's row counts, whatever a client has set there. */
interface Count {
  readonly hook: WebhookRef.Hook
  readonly column: "successCount" | "errorCount"
  readonly last: "lastSuccess" | "lastError"
  readonly at: number
  readonly count: number
}

const counts = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Count> => {
  const found = new Map<string, Count>()
  for (const { delivery, endedAt, fate } of attempts) {
    const isSuccess = fate._tag === "Delivered"
    const hook = WebhookRef.ofDelivery(delivery)
    const name = `${WebhookRef.nameOf(hook)} ${isSuccess}`
    const before = found.get(name)
    found.set(name, {
      hook,
      column: isSuccess ? "successCount" : "errorCount",
      last: isSuccess ? "lastSuccess" : "lastError",
      at: Math.max(before?.at ?? 0, endedAt),
      count: (before?.count ?? 0) + 1
    })
  }
  // In one order everywhere, so that two processes never wait for each other.
  return Array.from(found, ([name, count]) => ({ name, count }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ count }) => count)
}

/** What the log keeps of attempts. */
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

const logRow = ({ delivery, endedAt, fate, log, startedAt }: Attempt) =>
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
    error: log.error ?? (fate._tag === "SwitchedOff" ? "the receiver is gone, so the webhook is switched off" : null)
  }) satisfies { readonly [name in (typeof logColumns)[number]["name"]]: string | number | null }

const idsOf = (attempts: ReadonlyArray<Attempt>) => attempts.map(({ delivery }) => delivery.id)

interface Options {
  readonly dialect: Dialect
  /** Who made the attempts: nothing is written of deliveries that another process has taken since. */
  readonly holder: string
  readonly now: () => number
  readonly patienceMillis: number
}

/** Writes down attempts in the store of a dialect. */
export const make = ({
  dialect,
  holder,
  now,
  patienceMillis
}: Options): ((attempts: ReadonlyArray<Attempt>) => ReadonlyArray<Fragment>) => {
  // Found by their numbers: an index of all that are unsettled is no way to them.
  const mine = sql`"leasedBy" = ${holder} AND "state" = 'pending'`
  const row = Table.name(webhook)

  const update = (
    members: ReadonlyArray<{ readonly name: string; readonly value: Fragment; readonly json: Fragment }>
  ) =>
    sql`UPDATE ${row} SET ${join(
      [
        ...members.map(({ name, value }) => sql`${identifier(name)} = ${value}`),
        sql`${identifier(Table.document)} = ${dialect.replace(Table.column(row, Table.document), members)}`,
        sql`${identifier(Table.revision)} = ${Table.column(row, Table.revision)} + 1`
      ],
      ", "
    )}`

  const add = ({ at, column, count, hook, last }: Count): Fragment => {
    const sum = sql`(${Table.column(row, column)} + ${text(String(count))})`
    const moment = Timestamp.fromMicros(BigInt(micros(at)))
    const members = [
      { name: column, value: sum, json: dialect.computed(sum) },
      {
        name: last,
        value: dialect.typed("timestamp", sql`${dialect.parameter("timestamp", moment)}`),
        json: dialect.literal(moment)
      }
    ]
    return sql`${update(members)} WHERE ${WebhookRef.isRow(hook)}`
  }

  const off = [
    {
      name: "active",
      value: dialect.typed("boolean", sql`${dialect.parameter("boolean", false)}`),
      json: dialect.literal(false)
    }
  ]

  const logged = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Fragment> => {
    const into = sql`INSERT INTO "_deliveryAttempt" (${join(
      logColumns.map(({ name }) => identifier(name)),
      ", "
    )})`
    const rows = attempts.map(logRow)
    if (dialect.unpack === undefined) {
      return rows.map((row) => {
        const values = logColumns.map(({ name }) => sql`${row[name]}`)
        return sql`${into} VALUES (${join(values, ", ")})`
      })
    }
    const given = logColumns.map(({ name }) => Table.column(text(`"row"`), name))
    return [sql`${into} SELECT ${join(given, ", ")} FROM ${dialect.unpack(logColumns, rows)} ORDER BY "given"."place"`]
  }

  /** What is over, in two statements however much it is: the next event of a row need not wait any longer. */
  const finished = (state: "delivered" | "dead", attempts: ReadonlyArray<Attempt>): ReadonlyArray<Fragment> => {
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

  const postponed = ({ delivery: { id }, fate }: Attempt): ReadonlyArray<Fragment> =>
    "dueAt" in fate
      ? [
          sql`UPDATE "_delivery" SET "attempts" = "attempts" + 1, "leasedBy" = NULL, "dueAt" = ${micros(fate.dueAt)}
            WHERE "id" = ${id} AND ${mine}`
        ]
      : []

  /** A success ends the trouble of webhooks. */
  const relieved = (delivered: ReadonlyArray<Attempt>): ReadonlyArray<Fragment> =>
    delivered.length === 0
      ? []
      : [
          sql`DELETE FROM "_webhookTrouble" WHERE ("companyId", "webhookId") IN (
            SELECT "companyId", "webhookId" FROM "_delivery"
            WHERE ${dialect.numbered(text(`"id"`), idsOf(delivered))})`
        ]

  /** A failure begins it, and too much of it switches a webhook off. */
  const troubled = ({ at, column, hook }: Count): ReadonlyArray<Fragment> => {
    if (column === "successCount") return []
    const { companyId, id } = hook
    const tooLong = sql`EXISTS (SELECT 1 FROM "_webhookTrouble" WHERE ${WebhookRef.isAbout(hook)}
      AND "since" <= ${micros(at - patienceMillis)})`
    return [
      sql`INSERT INTO "_webhookTrouble" ("companyId", "webhookId", "since") VALUES (${companyId}, ${id}, ${micros(at)})
        ON CONFLICT DO NOTHING`,
      sql`${update(off)} WHERE ${WebhookRef.isRow(hook)} AND "active" AND ${tooLong}`
    ]
  }

  return (attempts) => {
    if (attempts.length === 0) return []
    const inOrder = attempts.toSorted((one, other) => one.delivery.id - other.delivery.id)
    const ended = (tag: Attempt["fate"]["_tag"]) => inOrder.filter(({ fate }) => fate._tag === tag)
    const delivered = ended("Delivered")
    const totals = counts(attempts)
    const gone = new Map(
      ended("SwitchedOff").map(({ delivery }) => {
        const hook = WebhookRef.ofDelivery(delivery)
        return [WebhookRef.nameOf(hook), hook]
      })
    )
    return [
      ...logged(inOrder),
      ...finished("delivered", delivered),
      ...finished("dead", ended("Dead")),
      ...inOrder.flatMap(postponed),
      ...totals.map(add),
      ...relieved(delivered),
      ...totals.flatMap(troubled),
      ...Array.from(gone.values(), (hook) => sql`${update(off)} WHERE ${WebhookRef.isRow(hook)} AND "active"`)
    ]
  }
}
