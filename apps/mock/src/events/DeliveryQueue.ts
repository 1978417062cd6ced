/**
 * Deliveries as the store keeps them: which are due, who has taken them, and what became of each attempt. A delivery
 * that is taken is due again when its lease ends, unless it was settled by then.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Step } from "../sql/Change.ts"
import { type Fragment, identifier, join, render, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import type { Attempt } from "./Attempt.ts"
import * as Delivery from "./Delivery.ts"
import type { Hook } from "./WebhookSecrets.ts"

/** A webhook that has deliveries, and when the first of them is due. */
interface Due {
  readonly hook: Hook
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface DeliveryQueue {
  /** The webhooks that are on and have deliveries which nobody here has taken. */
  readonly due: Effect.Effect<ReadonlyArray<Due>, StoreUnavailable>
  /** Takes deliveries that are due, some of each webhook, until a moment. */
  readonly take: (
    wanted: ReadonlyArray<{ readonly hook: Hook; readonly count: number }>,
    untilMillis: number
  ) => Effect.Effect<ReadonlyArray<Delivery.Delivery>, StoreUnavailable>
  /** Writes down what became of attempts, all together. */
  readonly settle: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void, StoreUnavailable>
  /** Gives back what this process has taken. */
  readonly release: Effect.Effect<void, StoreUnavailable>
  /** Gives back what a process that is gone had taken; for a store that no other process can have. */
  readonly reclaim: Effect.Effect<void, StoreUnavailable>
}

const micros = (millis: number): number => millis * 1000

const { webhook } = Catalogue.byName

/** Adds to what a webhook's row counts, whatever a client has set there. */
interface Count {
  readonly hook: Hook
  readonly column: "successCount" | "errorCount"
  readonly last: "lastSuccess" | "lastError"
  readonly at: number
  readonly count: number
}

const counts = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<Count> => {
  const found = new Map<string, Count>()
  for (const { delivery, endedAt, fate } of attempts) {
    const isSuccess = fate._tag === "Delivered"
    const hook = { companyId: delivery.companyId, id: delivery.webhookId }
    // In one order everywhere, so that two processes never wait for each other.
    const name = JSON.stringify([hook.companyId, hook.id, isSuccess])
    const before = found.get(name)
    found.set(name, {
      hook,
      column: isSuccess ? "successCount" : "errorCount",
      last: isSuccess ? "lastSuccess" : "lastError",
      at: Math.max(before?.at ?? 0, endedAt),
      count: (before?.count ?? 0) + 1
    })
  }
  return Array.from(found, ([name, count]) => ({ name, count }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ count }) => count)
}

/** The queue as the process `holder` sees it. */
export const make = (
  { now, store }: Pick<World["Type"], "now" | "store">,
  holder: string,
  patienceMillis: number
): DeliveryQueue => {
  const { dialect } = store
  const read = (fragment: Fragment) => store.read(render(fragment, dialect))
  const run = (fragment: Fragment): Step => ({ _tag: "Run", statement: render(fragment, dialect) })
  /** No statement here breaks a constraint. */
  const apply = (fragments: ReadonlyArray<Fragment>) =>
    store.change({ steps: fragments.map(run), settle: Either.right }).pipe(Effect.catchTag("Refused", Effect.die))

  const free = sql`"settledAt" IS NULL AND "dueAt" IS NOT NULL AND ("leasedBy" IS NULL OR "leasedBy" <> ${holder})`
  const mine = sql`"leasedBy" = ${holder} AND "settledAt" IS NULL`
  const of = ({ companyId, id }: Hook) => sql`"companyId" = ${companyId} AND "webhookId" = ${id}`

  const row = Table.name(webhook)
  const ofHook = ({ companyId, id }: Hook) => sql`"_tenant" = ${companyId} AND "id" = ${id}`

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
    return sql`${update(members)} WHERE ${ofHook(hook)}`
  }

  const off = [
    {
      name: "active",
      value: dialect.typed("boolean", sql`${dialect.parameter("boolean", false)}`),
      json: dialect.literal(false)
    }
  ]

  const log = ({ delivery, endedAt, fate, log, startedAt }: Attempt): Fragment => {
    const { error, headers, outcome, response } = log
    return sql`INSERT INTO "_deliveryAttempt" ("deliveryId", "number", "at", "duration", "outcome", "url",
        "requestHeaders", "status", "responseHeaders", "responseBody", "error")
      VALUES (${delivery.id}, ${delivery.attempts + 1}, ${micros(startedAt)}, ${micros(endedAt - startedAt)}, ${outcome},
        ${delivery.url}, ${JSON.stringify(headers)}, ${response?.status ?? null},
        ${response === undefined ? null : JSON.stringify(response.headers)}, ${response?.body ?? null},
        ${error ?? (fate._tag === "SwitchedOff" ? "the receiver is gone, so the webhook is switched off" : null)})`
  }

  const settled = ({ delivery, endedAt, fate }: Attempt): ReadonlyArray<Fragment> => {
    const { attempts, companyId, id, key, webhookId } = delivery
    const due = "dueAt" in fate ? fate.dueAt : undefined
    const state = fate._tag === "Delivered" ? "delivered" : due === undefined ? "dead" : "pending"
    const done = due === undefined ? micros(endedAt) : null
    const write = sql`UPDATE "_delivery" SET "state" = ${state}, "attempts" = ${attempts + 1}, "leasedBy" = NULL,
      "dueAt" = ${due === undefined ? null : micros(due)}, "settledAt" = ${done} WHERE "id" = ${id} AND ${mine}`
    if (due !== undefined) return [write]
    // The next event of the row need not wait any longer.
    const waiting = sql`SELECT min("id") FROM "_delivery" WHERE ${of({ companyId, id: webhookId })} AND "key" = ${key}
      AND "settledAt" IS NULL`
    return [
      write,
      sql`UPDATE "_delivery" SET "dueAt" = ${micros(endedAt)} WHERE "id" = (${waiting}) AND "dueAt" IS NULL`
    ]
  }

  /** A success ends a webhook's trouble, a failure begins it, and too much of it switches the webhook off. */
  const judge = ({ at, column, hook }: Count): ReadonlyArray<Fragment> => {
    const { companyId, id } = hook
    if (column === "successCount") return [sql`DELETE FROM "_webhookTrouble" WHERE ${of(hook)}`]
    const tooLong = sql`EXISTS (SELECT 1 FROM "_webhookTrouble" WHERE ${of(hook)}
      AND "since" <= ${micros(at - patienceMillis)})`
    return [
      sql`INSERT INTO "_webhookTrouble" ("companyId", "webhookId", "since") VALUES (${companyId}, ${id}, ${micros(at)})
        ON CONFLICT DO NOTHING`,
      sql`${update(off)} WHERE ${ofHook(hook)} AND "active" AND ${tooLong}`
    ]
  }

  return {
    due: Effect.suspend(() => {
      const first = sql`(SELECT "dueAt" FROM "_delivery" WHERE "companyId" = ${Table.column(row, "_tenant")}
        AND "webhookId" = ${Table.column(row, "id")} AND ${free} ORDER BY "dueAt" LIMIT 1)`
      const hooks = sql`SELECT "_tenant", "id", ${first} AS "first" FROM ${row} WHERE "active"`
      return Effect.map(read(sql`SELECT * FROM (${hooks}) AS "hooks" WHERE "first" IS NOT NULL`), (rows) =>
        rows.map(([companyId, id, first]) => ({
          hook: { companyId: String(companyId), id: String(id) },
          at: Number(first) / 1000
        }))
      )
    }),

    take: (wanted, untilMillis) =>
      Effect.gen(function* () {
        const taken = yield* apply(
          wanted.map(({ count, hook }) => {
            const first = sql`SELECT "id" FROM "_delivery" AS "due" WHERE ${of(hook)} AND ${free}
              AND "dueAt" <= ${micros(now())} ORDER BY "dueAt", "id" LIMIT ${text(String(count))}`
            return sql`UPDATE "_delivery" SET "leasedBy" = ${holder}, "dueAt" = ${micros(untilMillis)}
              WHERE "id" IN (${first}${dialect.lock(text(`"due"`), "skip")}) RETURNING "id"`
          })
        )
        const ids = taken.flatMap((rows) => rows.map(([id]) => String(id)))
        if (ids.length === 0) return []
        const chosen = sql`SELECT CAST("value" AS bigint) FROM ${dialect.each(ids, "each")}`
        const rows = yield* read(
          sql`SELECT ${Delivery.columns} FROM "_delivery" AS "delivery"
            JOIN "_outbox" AS "event" ON "event"."sequence" = "delivery"."sequence"
            JOIN "webhook" ON "webhook"."_tenant" = "delivery"."companyId" AND "webhook"."id" = "delivery"."webhookId"
            WHERE "delivery"."id" IN (${chosen}) ORDER BY "delivery"."id"`
        )
        return rows.map(Delivery.fromRow)
      }),

    settle: (attempts) => {
      const inOrder = attempts.toSorted((one, other) => one.delivery.id - other.delivery.id)
      const totals = counts(attempts)
      const gone = new Map(
        attempts
          .filter(({ fate }) => fate._tag === "SwitchedOff")
          .map(({ delivery: { companyId, webhookId } }) => [webhookId, { companyId, id: webhookId }])
      )
      return Effect.asVoid(
        apply([
          ...inOrder.map(log),
          ...inOrder.flatMap(settled),
          ...totals.map(add),
          ...totals.flatMap(judge),
          ...Array.from(gone.values(), (hook) => sql`${update(off)} WHERE ${ofHook(hook)} AND "active"`)
        ])
      )
    },

    release: Effect.suspend(() =>
      Effect.asVoid(apply([sql`UPDATE "_delivery" SET "leasedBy" = NULL, "dueAt" = ${micros(now())} WHERE ${mine}`]))
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
