/**
 * Counts the attempts of webhooks in their rows. Processes that settle attempts would wait for each other's locks of
 * these rows, so they append their counts to a table in the transaction that settles, and a later one folds the
 * appended counts into the rows that no other transaction has locked.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Dialect } from "../../sql/Dialect.ts"
import { micros, timestamp } from "../../sql/ServiceColumn.ts"
import { type Fragment, identifier, join, sql, text } from "../../sql/Statement.ts"
import * as Table from "../../sql/Table.ts"
import * as RowUpdate from "../../sql/write/RowUpdate.ts"
import type { Attempt } from "../Attempt.ts"
import * as WebhookRef from "../WebhookRef.ts"

const { webhook } = Catalogue.byName

/** The attempts of one outcome that some attempts have added to a webhook. */
interface Count {
  readonly webhook: WebhookRef.WebhookRef
  readonly isSuccess: boolean
  readonly count: number
  /** The end of the first and of the last attempt, in milliseconds since 1970. */
  readonly first: number
  readonly last: number
}

const countsOf = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Count> => {
  const found = new Map<string, Count>()
  for (const { delivery, disposition, endedAt } of attempts) {
    const isSuccess = disposition._tag === "Delivered"
    const webhook = WebhookRef.fromDelivery(delivery)
    const key = `${WebhookRef.toKey(webhook)} ${isSuccess}`
    const { count, first, last } = found.get(key) ?? { count: 0, first: endedAt, last: endedAt }
    const times = { first: Math.min(first, endedAt), last: Math.max(last, endedAt) }
    found.set(key, { webhook, isSuccess, count: count + 1, ...times })
  }
  return [...found.values()]
}

/** The columns of an appended count. */
const columns = [
  { name: "companyId", type: "text" },
  { name: "webhookId", type: "text" },
  { name: "isSuccess", type: "number" },
  { name: "count", type: "number" },
  { name: "first", type: "number" },
  { name: "last", type: "number" },
  { name: "moment", type: "text" }
] as const

const rowOf = ({ count, first, isSuccess, last, webhook: { companyId, id } }: Count) =>
  ({
    companyId,
    webhookId: id,
    isSuccess: Number(isSuccess),
    count,
    first: micros(first),
    last: micros(last),
    moment: timestamp(last)
  }) satisfies { readonly [name in (typeof columns)[number]["name"]]: string | number }

/** The statements that append the counts of attempts. */
export const append = (dialect: Dialect, attempts: ReadonlyArray<Attempt>): ReadonlyArray<Fragment> => {
  const rows = countsOf(attempts).map(rowOf)
  if (rows.length === 0) return []
  const names = columns.map(({ name }) => identifier(name))
  const into = sql`INSERT INTO "_webhookCount" (${join(names, ", ")})`
  if (dialect.unpack === undefined) {
    return rows.map((row) => {
      const values = columns.map(({ name }) => sql`${row[name]}`)
      return sql`${into} VALUES (${join(values, ", ")})`
    })
  }
  const values = columns.map(({ name }) => Table.column(text(`"row"`), name))
  return [sql`${into} SELECT ${join(values, ", ")} FROM ${dialect.unpack(columns, rows)}`]
}

/** Finds an appended count, of any process. */
export const pending: Fragment = sql`SELECT 1 FROM "_webhookCount" LIMIT 1`

/** The statements that fold the appended counts into the webhooks' rows, and disable those that have failed too long. */
export const fold = (dialect: Dialect, disableAfterMillis: number): ReadonlyArray<Fragment> => {
  const row = Table.name(webhook)
  const marked = (isSuccess: boolean) => sql`"isFolding" = 1 AND "isSuccess" = ${text(String(Number(isSuccess)))}`
  const own = sql`"companyId" = ${Table.column(row, "_tenant")} AND "webhookId" = ${Table.column(row, "id")}`
  const among = (refs: Fragment) => sql`("_tenant", "id") IN (${refs})`
  const refs = (rest: Fragment) => sql`SELECT "companyId", "webhookId" FROM "_webhookCount" ${rest}`

  // One transaction folds the counts of a webhook at a time, because it locks the row. The mark excludes counts that are
  // appended between its statements.
  const free = sql`SELECT "_tenant", "id" FROM ${row} WHERE ${among(refs(text("")))}${dialect.lock(row, "skip")}`
  const mark = sql`UPDATE "_webhookCount" SET "isFolding" = 1 WHERE ("companyId", "webhookId") IN (${free})`

  const increment = (isSuccess: boolean): Fragment => {
    const [count, last] = isSuccess
      ? (["successCount", "lastSuccess"] as const)
      : (["errorCount", "lastError"] as const)
    const of = (value: Fragment) => sql`(SELECT ${value} FROM "_webhookCount" WHERE ${marked(isSuccess)} AND ${own})`
    const sum = sql`(${Table.column(row, count)} + CAST(${of(sql`sum("count")`)} AS double precision))`
    const moment = of(sql`max("moment")`)
    const time = dialect.name === "sqlite" ? of(sql`max("last")`) : dialect.typed("timestamp", moment)
    const sums = RowUpdate.columnsOf(webhook, [count]).map((column) => ({
      column,
      value: sum,
      json: dialect.computed(sum)
    }))
    const times = RowUpdate.columnsOf(webhook, [last]).map((column) => ({
      column,
      value: time,
      json: dialect.quote(moment)
    }))
    const where = among(refs(sql`WHERE ${marked(isSuccess)}`))
    return RowUpdate.make(dialect, webhook, [...sums, ...times], where)
  }

  const recovered = sql`DELETE FROM "_webhookFailure" WHERE ("companyId", "webhookId") IN (
    ${refs(sql`WHERE ${marked(true)}`)})`

  /** The failures since the last success. */
  const since = sql`"_webhookCount" AS "failed" WHERE "failed"."isFolding" = 1 AND "failed"."isSuccess" = 0
    AND "failed"."last" >= coalesce((SELECT max("last") FROM "_webhookCount" AS "good" WHERE "good"."isFolding" = 1
      AND "good"."isSuccess" = 1 AND "good"."companyId" = "failed"."companyId"
      AND "good"."webhookId" = "failed"."webhookId"), 0)`
  const failing = sql`INSERT INTO "_webhookFailure" ("companyId", "webhookId", "failingSince")
    SELECT "companyId", "webhookId", min("first") FROM ${since} GROUP BY "companyId", "webhookId" ON CONFLICT DO NOTHING`

  const tooLong = sql`SELECT "failure"."companyId", "failure"."webhookId" FROM "_webhookFailure" AS "failure"
    WHERE "failure"."failingSince" <= (SELECT max("last") FROM "_webhookCount" WHERE ${marked(false)}
      AND "_webhookCount"."companyId" = "failure"."companyId"
      AND "_webhookCount"."webhookId" = "failure"."webhookId") - ${text(String(micros(disableAfterMillis)))}`
  const disabled = sql`${RowUpdate.make(
    dialect,
    webhook,
    RowUpdate.constants(dialect, webhook, { active: false }),
    among(tooLong)
  )} AND "active"`

  const done = sql`DELETE FROM "_webhookCount" WHERE "isFolding" = 1 OR NOT EXISTS (
    SELECT 1 FROM ${row} WHERE "_tenant" = "_webhookCount"."companyId" AND "id" = "_webhookCount"."webhookId")`

  return [mark, increment(true), increment(false), recovered, failing, disabled, done]
}
