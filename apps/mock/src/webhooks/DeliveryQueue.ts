/**
 * Claims and settles deliveries in the store. A claimed delivery is leased to one process, and due again when the lease
 * ends, unless it was settled by then.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Rows } from "../sql/Change.ts"
import { micros } from "../sql/ServiceColumn.ts"
import { type Fragment, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import type { Attempt } from "./Attempt.ts"
import type { Claim } from "./ClaimShare.ts"
import * as Delivery from "./Delivery.ts"
import * as AttemptStatements from "./statements/AttemptStatements.ts"
import * as WebhookCounts from "./statements/WebhookCounts.ts"

export interface DeliveryQueue {
  /**
   * Settles attempts and, in the same transaction, claims due deliveries of active webhooks, leased until
   * `untilMillis`.
   */
  readonly settleAndClaim: (
    attempts: ReadonlyArray<Attempt>,
    claims: ReadonlyArray<Claim>,
    untilMillis: number
  ) => Effect.Effect<ReadonlyArray<Delivery.Delivery>, StoreUnavailable>
  /** Folds the counts of attempts into the webhooks' rows, and disables webhooks that have failed too long. */
  readonly foldCounts: Effect.Effect<void, StoreUnavailable>
  /** Releases the deliveries that this process has claimed, except those given. */
  readonly release: (except: ReadonlyArray<number>) => Effect.Effect<void, StoreUnavailable>
  /** Releases all claimed deliveries, of a process that has ended; only for a store without other processes. */
  readonly reclaim: Effect.Effect<void, StoreUnavailable>
}

const { webhook } = Catalogue.byName

/** The ids that statements returned. */
const idsOf = (results: ReadonlyArray<Rows>) => results.flatMap((rows) => rows.map(([id]) => Number(id)))

/** The columns of a list of claims. */
const claimColumns = [
  { name: "companyId", type: "text" },
  { name: "webhookId", type: "text" },
  { name: "count", type: "number" }
] as const

/** The queue of the process `holder`. */
export const make = (
  { now, store }: Pick<World["Type"], "now" | "store">,
  holder: string,
  disableAfterMillis: number
): DeliveryQueue => {
  const { dialect } = store
  const settling = AttemptStatements.make({ dialect, holder, now })
  const folding = WebhookCounts.fold(dialect, disableAfterMillis)
  const tables = ServiceTables.make(store)
  const free = sql`"settledAt" IS NULL AND "dueAt" IS NOT NULL AND ("leasedBy" IS NULL OR "leasedBy" <> ${holder})`
  const mine = sql`"leasedBy" = ${holder} AND "settledAt" IS NULL`
  const row = Table.name(webhook)

  /** The due deliveries of an active webhook, at most one per row: those of a row are delivered in order. */
  const first = (companyId: Fragment, webhookId: Fragment, count: Fragment): Fragment => {
    const head = sql`SELECT min("row"."id") FROM "_delivery" AS "row" WHERE "row"."companyId" = "due"."companyId"
      AND "row"."webhookId" = "due"."webhookId" AND "row"."key" = "due"."key" AND "row"."settledAt" IS NULL
      AND "row"."dueAt" IS NOT NULL`
    const active = sql`SELECT 1 FROM ${row} WHERE "_tenant" = ${companyId} AND "id" = ${webhookId} AND "active"`
    return sql`SELECT "due"."id" FROM "_delivery" AS "due" WHERE "due"."companyId" = ${companyId}
      AND "due"."webhookId" = ${webhookId} AND ${free} AND "dueAt" <= ${micros(now())} AND "due"."id" = (${head})
      AND EXISTS (${active}) ORDER BY "dueAt", "due"."id" LIMIT ${count}${dialect.lock(text(`"due"`), "skip")}`
  }

  const claiming = (claims: ReadonlyArray<Claim>, untilMillis: number): ReadonlyArray<Fragment> => {
    const lease = (chosen: Fragment) =>
      sql`UPDATE "_delivery" SET "leasedBy" = ${holder}, "dueAt" = ${micros(untilMillis)} WHERE "id" IN (${chosen})
        RETURNING "id"`
    if (claims.length === 0) return []
    if (dialect.unpack === undefined) {
      return claims.map(({ count, webhook: { companyId, id } }) =>
        lease(first(sql`${companyId}`, sql`${id}`, text(String(count))))
      )
    }
    const rows = claims.map(({ count, webhook: { companyId, id } }) => ({ companyId, webhookId: id, count }))
    const column = (name: (typeof claimColumns)[number]["name"]) => Table.column(text(`"row"`), name)
    const each = first(column("companyId"), column("webhookId"), sql`CAST(${column("count")} AS bigint)`)
    return [lease(sql`SELECT "chosen"."id" FROM ${dialect.unpack(claimColumns, rows)}, LATERAL (${each}) AS "chosen"`)]
  }

  return {
    settleAndClaim: (attempts, claims, untilMillis) =>
      Effect.gen(function* () {
        if (attempts.length === 0 && claims.length === 0) return []
        const before = settling(attempts)
        const statements = [...before, ...claiming(claims, untilMillis)]
        const find = (results: ReadonlyArray<Rows>) =>
          sql`SELECT ${Delivery.columns} FROM "_delivery" AS "delivery"
            JOIN "_outbox" AS "event" ON "event"."sequence" = "delivery"."sequence"
              AND "event"."companyId" = "delivery"."companyId"
            JOIN "webhook" ON "webhook"."_tenant" = "delivery"."companyId" AND "webhook"."id" = "delivery"."webhookId"
            WHERE ${dialect.numbered(text(`"delivery"."id"`), idsOf(results.slice(before.length)))}
            ORDER BY "delivery"."id"`
        const results = yield* tables.change({
          statements,
          followUp: claims.length === 0 ? undefined : find,
          resolve: Either.right
        })
        return claims.length === 0 ? [] : (results.at(-1) ?? []).map(Delivery.fromRow)
      }),

    // A store may read when it is asked, and not when the effect runs.
    foldCounts: Effect.suspend(() =>
      Effect.flatMap(tables.read(WebhookCounts.pending), (found) =>
        found.length === 0 ? Effect.void : tables.change({ statements: folding, resolve: () => Either.void })
      )
    ),

    release: (except) =>
      Effect.suspend(() =>
        Effect.asVoid(
          tables.write(sql`UPDATE "_delivery" SET "leasedBy" = NULL, "dueAt" = ${micros(now())}
            WHERE ${mine} AND NOT ${dialect.numbered(text(`"id"`), except)}`)
        )
      ),

    reclaim: Effect.suspend(() =>
      Effect.asVoid(
        tables.write(sql`UPDATE "_delivery" SET "leasedBy" = NULL, "dueAt" = ${micros(now())}
          WHERE "leasedBy" IS NOT NULL AND "settledAt" IS NULL`)
      )
    )
  }
}
