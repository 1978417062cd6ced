/**
 * Deliveries as the store keeps them: which are due, who has taken them, and what became of each attempt. A delivery
 * that is taken is due again when its lease ends, unless it was settled by then.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Rows, Step } from "../sql/Change.ts"
import { type Fragment, render, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import type { Attempt } from "./Attempt.ts"
import * as Delivery from "./Delivery.ts"
import * as AttemptStatements from "./AttemptStatements.ts"
import type { Hook } from "./WebhookRef.ts"

/** A webhook that has deliveries. */
export interface Due {
  readonly hook: Hook
  /** Whether one is due now. */
  readonly isNow: boolean
  /** When the next one is due after that, in milliseconds since 1970. */
  readonly next: number | undefined
}

/** How many deliveries to take of a webhook. */
interface Wanted {
  readonly hook: Hook
  readonly count: number
}

export interface DeliveryQueue {
  /** The webhooks that are on and have deliveries which nobody here has taken. */
  readonly due: Effect.Effect<ReadonlyArray<Due>, StoreUnavailable>
  /**
   * Writes down what became of attempts and takes, in the same commit, deliveries that are due by then, some of each
   * webhook that is on, until a moment.
   */
  readonly exchange: (
    attempts: ReadonlyArray<Attempt>,
    wanted: ReadonlyArray<Wanted>,
    untilMillis: number
  ) => Effect.Effect<ReadonlyArray<Delivery.Delivery>, StoreUnavailable>
  /** Gives back what this process has taken, except for some deliveries. */
  readonly release: (kept: ReadonlyArray<number>) => Effect.Effect<void, StoreUnavailable>
  /** Gives back what a process that is gone had taken; for a store that no other process can have. */
  readonly reclaim: Effect.Effect<void, StoreUnavailable>
}

const micros = (millis: number): number => millis * 1000

const { webhook } = Catalogue.byName

/** The numbers that statements answered. */
const numbers = (results: ReadonlyArray<Rows>) => results.flatMap((rows) => rows.map(([id]) => Number(id)))

/** What tells a webhook from others, as columns of a list. */
const wantedColumns = [
  { name: "companyId", type: "text" },
  { name: "webhookId", type: "text" },
  { name: "count", type: "number" }
] as const

/** The queue as the process `holder` sees it. */
export const make = (
  { now, store }: Pick<World["Type"], "now" | "store">,
  holder: string,
  patienceMillis: number
): DeliveryQueue => {
  const { dialect } = store
  const settled = AttemptStatements.make({ dialect, holder, now, patienceMillis })
  const read = (fragment: Fragment) => store.read(render(fragment, dialect))
  const run = (fragment: Fragment): Step => ({ _tag: "Run", statement: render(fragment, dialect) })
  /** No statement here breaks a constraint. */
  const apply = (fragments: ReadonlyArray<Fragment>, followUp?: (results: ReadonlyArray<Rows>) => Fragment) =>
    store
      .change({
        steps: fragments.map(run),
        followUp: followUp === undefined ? undefined : (results) => render(followUp(results), dialect),
        resolve: Either.right
      })
      .pipe(Effect.catchTag("Refused", Effect.die))
  const free = sql`"settledAt" IS NULL AND "dueAt" IS NOT NULL AND ("leasedBy" IS NULL OR "leasedBy" <> ${holder})`
  const mine = sql`"leasedBy" = ${holder} AND "settledAt" IS NULL`
  const row = Table.name(webhook)

  /** The first deliveries of a webhook that is on, without those that stand behind one of their row that is not over. */
  const first = (companyId: Fragment, webhookId: Fragment, count: Fragment): Fragment => {
    const head = sql`SELECT min("row"."id") FROM "_delivery" AS "row" WHERE "row"."companyId" = "due"."companyId"
      AND "row"."webhookId" = "due"."webhookId" AND "row"."key" = "due"."key" AND "row"."settledAt" IS NULL
      AND "row"."dueAt" IS NOT NULL`
    const hook = sql`SELECT 1 FROM ${row} WHERE "_tenant" = ${companyId} AND "id" = ${webhookId} AND "active"`
    return sql`SELECT "due"."id" FROM "_delivery" AS "due" WHERE "due"."companyId" = ${companyId}
      AND "due"."webhookId" = ${webhookId} AND ${free} AND "dueAt" <= ${micros(now())} AND "due"."id" = (${head})
      AND EXISTS (${hook}) ORDER BY "dueAt", "due"."id" LIMIT ${count}${dialect.lock(text(`"due"`), "skip")}`
  }

  const taken = (wanted: ReadonlyArray<Wanted>, untilMillis: number): ReadonlyArray<Fragment> => {
    const lease = (chosen: Fragment) =>
      sql`UPDATE "_delivery" SET "leasedBy" = ${holder}, "dueAt" = ${micros(untilMillis)} WHERE "id" IN (${chosen})
        RETURNING "id"`
    if (wanted.length === 0) return []
    if (dialect.unpack === undefined) {
      return wanted.map(({ count, hook: { companyId, id } }) =>
        lease(first(sql`${companyId}`, sql`${id}`, text(String(count))))
      )
    }
    const rows = wanted.map(({ count, hook: { companyId, id } }) => ({ companyId, webhookId: id, count }))
    const given = (name: (typeof wantedColumns)[number]["name"]) => Table.column(text(`"row"`), name)
    const each = first(given("companyId"), given("webhookId"), sql`CAST(${given("count")} AS bigint)`)
    return [lease(sql`SELECT "chosen"."id" FROM ${dialect.unpack(wantedColumns, rows)}, LATERAL (${each}) AS "chosen"`)]
  }

  return {
    due: Effect.suspend(() => {
      const moment = micros(now())
      const first = (isNow: boolean) => sql`(SELECT "dueAt" FROM "_delivery"
        WHERE "companyId" = ${Table.column(row, "_tenant")} AND "webhookId" = ${Table.column(row, "id")} AND ${free}
        AND "dueAt" ${text(isNow ? "<=" : ">")} ${moment} ORDER BY "dueAt" LIMIT 1)`
      return Effect.map(
        read(sql`SELECT "_tenant", "id", ${first(true)}, ${first(false)} FROM ${row} WHERE "active"`),
        (rows) =>
          rows.flatMap(([companyId, id, due, next]) =>
            due === null && next === null
              ? []
              : {
                  hook: { companyId: String(companyId), id: String(id) },
                  isNow: due !== null,
                  next: next === null ? undefined : Number(next) / 1000
                }
          )
      )
    }),

    exchange: (attempts, wanted, untilMillis) =>
      Effect.gen(function* () {
        if (attempts.length === 0 && wanted.length === 0) return []
        const before = settled(attempts)
        const steps = [...before, ...taken(wanted, untilMillis)]
        const find = (results: ReadonlyArray<Rows>) =>
          sql`SELECT ${Delivery.columns} FROM "_delivery" AS "delivery"
            JOIN "_outbox" AS "event" ON "event"."sequence" = "delivery"."sequence"
            JOIN "webhook" ON "webhook"."_tenant" = "delivery"."companyId" AND "webhook"."id" = "delivery"."webhookId"
            WHERE ${dialect.numbered(text(`"delivery"."id"`), numbers(results.slice(before.length)))}
            ORDER BY "delivery"."id"`
        const results = yield* apply(steps, wanted.length === 0 ? undefined : find)
        return wanted.length === 0 ? [] : (results.at(-1) ?? []).map(Delivery.fromRow)
      }),

    release: (kept) =>
      Effect.suspend(() =>
        Effect.asVoid(
          apply([
            sql`UPDATE "_delivery" SET "leasedBy" = NULL, "dueAt" = ${micros(now())}
              WHERE ${mine} AND NOT ${dialect.numbered(text(`"id"`), kept)}`
          ])
        )
      ),

    reclaim: Effect.suspend(() =>
      Effect.asVoid(
        apply([
          sql`UPDATE "_delivery" SET "leasedBy" = NULL, "dueAt" = ${micros(now())}
            WHERE "leasedBy" IS NOT NULL AND "settledAt" IS NULL`
        ])
      )
    )
  }
}
