/**
 * Checks writes against the quotas of their company. Rows and bytes are checked against a usage that may be some seconds
 * old; the number of webhooks, which is limited without a quota too, is exact, because a guard in the change counts them.
 * Seeds, mirrors and the administrator's undo write webhooks without it.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Caller } from "../access/Caller.ts"
import type { Amount, Usage } from "../access/Usage.ts"
import * as Settings from "../Settings.ts"
import type { Change, Step } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import { identifier, render, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { Outcome } from "./Outcome.ts"
import type { RowError } from "./RowError.ts"
import type { RowPlan } from "./plan/RowPlan.ts"

type Exceeded = Extract<RowError, { readonly _tag: "QuotaExceeded" }>
type WritePlan = Exclude<RowPlan, { readonly _tag: "Read" }>

type Failure = Exceeded | StoreUnavailable | QueryStopped

interface Write {
  readonly plan: RowPlan
  /** The size of the request body. */
  readonly bytes: number
  readonly caller: Caller
}

const nothing: Amount = { rows: 0, bytes: 0 }

export interface Quota {
  /** Reports whether a quota can refuse a plan. */
  readonly concerns: (plan: RowPlan) => boolean
  /** Applies a change of rows within the quotas of the caller's company. */
  readonly apply: <A, E, F>(
    write: Write,
    change: Change<Outcome, E>,
    run: (change: Change<Outcome, E>) => Effect.Effect<A, F>
  ) => Effect.Effect<A, F | Failure>
}

const { webhook } = Catalogue.byName

/** The most rows and bytes that a write can add. */
const most = (plan: WritePlan, bytes: number): Amount => {
  switch (plan._tag) {
    case "Insert":
    case "Upsert":
      return { rows: plan.rows.length, bytes }
    case "Update":
      return { rows: 0, bytes }
    case "Delete":
      return { rows: 0, bytes: 0 }
  }
}

/** The rows and bytes that a write has added. */
const added = (plan: WritePlan, bytes: number, outcome: Outcome): Amount => {
  const rows = outcome._tag === "Written" ? outcome.rows : []
  switch (plan._tag) {
    case "Insert":
    case "Upsert":
      return { rows: rows.filter(({ inserted }) => inserted).length, bytes }
    case "Update":
      return { rows: 0, bytes: bytes * rows.length }
    case "Delete":
      return { rows: -rows.length, bytes: 0 }
  }
}

const addsWebhooks = (plan: RowPlan): plan is Extract<WritePlan, { readonly rows: unknown }> =>
  plan.resource.resource === webhook.resource && (plan._tag === "Insert" || plan._tag === "Upsert")

/** Refuses a change after which the company has more webhooks than it may have. */
const webhookGuards = (
  { owner: { companyId }, rows }: Extract<WritePlan, { readonly rows: unknown }>,
  dialect: Dialect,
  limit: number,
  used: number
): ReadonlyArray<Step> => {
  const keys = rows.map((row) => String(row[webhook.key] ?? ""))
  const own = sql`FROM ${Table.name(webhook)} WHERE "_tenant" = ${companyId}`
  const isKnown = sql`${identifier(webhook.key)} IN (SELECT "value" FROM ${dialect.each(keys, "key")})`
  const count = sql`SELECT (SELECT count(*) ${own}) AS "used",
    ${text(String(keys.length))} - (SELECT count(*) ${own} AND ${isKnown}) AS "added"`
  const company = text(`"_company"`)
  // The lock on the company makes changes of its webhooks wait for each other, before the count of the next statement.
  const lock = sql`SELECT 1 FROM ${company} WHERE "id" = ${companyId}${dialect.lock(company)}`
  const beyond = sql`SELECT 1 FROM (${count}) AS "webhooks" WHERE "added" > 0
    AND "used" + "added" > ${text(String(limit))}`
  return [
    { _tag: "Publish", statement: render(lock, dialect) },
    {
      _tag: "Guard",
      statement: render(beyond, dialect),
      refusal: { _tag: "QuotaExceeded", quota: "webhooks", limit, used }
    }
  ]
}

/** The quotas of the companies in a store. The number of webhooks has a limit without any. */
export const make = (limits: Settings.Quota, dialect: Dialect, usage: Usage): Quota => {
  const exceeded = (used: Amount, { bytes, rows }: Amount): Exceeded | undefined => {
    const beyond = (quota: "rows" | "bytes", more: number): Exceeded | undefined => {
      const limit = limits[quota]
      return limit === undefined || more === 0 || used[quota] + more <= limit
        ? undefined
        : { _tag: "QuotaExceeded", quota, limit, used: used[quota] }
    }
    return beyond("rows", rows) ?? beyond("bytes", bytes)
  }

  const check = (caller: Caller, amount: Amount) =>
    Effect.gen(function* () {
      const known = yield* usage.of(caller, false)
      if (exceeded(known, amount) === undefined) return
      // A write is refused only by a recent measurement.
      const error = exceeded(yield* usage.of(caller, true), amount)
      if (error !== undefined) yield* Effect.fail(error)
    })

  /** The guards, which report the number of webhooks before the change. */
  const guarded = (plan: Extract<WritePlan, { readonly rows: unknown }>, limit: number) =>
    Effect.map(usage.webhooks(plan.owner.companyId), (used) => webhookGuards(plan, dialect, limit, used))

  const isMeasured = limits.rows !== undefined || limits.bytes !== undefined

  const measured = <A, E, F>(
    { bytes, caller, plan }: Omit<Write, "plan"> & { readonly plan: WritePlan },
    change: Change<Outcome, E>,
    run: (change: Change<Outcome, E>) => Effect.Effect<A, F>
  ): Effect.Effect<A, F | Failure> => {
    if (!isMeasured) return run(change)
    const reserved = most(plan, bytes)
    let actual = nothing
    const observed: Change<Outcome, E> = {
      ...change,
      resolve: (results) =>
        Either.map(change.resolve(results), (outcome) => {
          actual = added(plan, bytes, outcome)
          return outcome
        })
    }
    return Effect.zipRight(
      check(caller, reserved),
      Effect.suspend(() => {
        const settle = usage.reserve(caller.companyId, reserved)
        return Effect.onExit(run(observed), (exit) =>
          Effect.sync(() => settle(Exit.isSuccess(exit) ? actual : nothing))
        )
      })
    )
  }

  return {
    concerns: (plan) => addsWebhooks(plan) || (isMeasured && plan._tag !== "Read"),
    apply: ({ bytes, caller, plan }, change, run) => {
      if (plan._tag === "Read") return run(change)
      if (!addsWebhooks(plan)) return measured({ bytes, caller, plan }, change, run)
      return Effect.flatMap(guarded(plan, limits.webhooks ?? Settings.mostWebhooks), (guards) =>
        measured({ bytes, caller, plan }, { ...change, steps: [...guards, ...change.steps] }, run)
      )
    }
  }
}
