/**
 * Measures the rows of a company: their number, and the bytes of their JSON. A measurement is a query off the event loop,
 * and is kept for some seconds; to it are added the writes of this process since.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identifier, join, render, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { Consumer } from "../store/FairQueue.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"

/** Rows, and the bytes of their JSON. */
export interface Amount {
  readonly rows: number
  readonly bytes: number
}

type Failure = StoreUnavailable | QueryStopped

export interface Usage {
  /** The usage of a company. With `isRecent` it is measured again if the last measurement is too old. */
  readonly of: (consumer: Consumer, isRecent: boolean) => Effect.Effect<Amount, Failure>
  /** The number of webhooks of a company, active or not. */
  readonly webhooks: (companyId: string) => Effect.Effect<number, StoreUnavailable>
  /**
   * Adds the most that a write can need while it runs. The returned function replaces that with what it has added, or
   * removed.
   */
  readonly reserve: (companyId: string, amount: Amount) => (actual: Amount) => void
}

/** A measurement, and the writes since it began. */
interface Measured {
  readonly at: number
  readonly amount: Amount
  since: Amount
  /** The age up to which it is recent. */
  readonly recentMillis: number
}

/** The age up to which a measurement is recent, and its least multiple of the duration: measuring takes a small part of a reader. */
const recentMillis = 5000
const recentTimes = 20

/** The number of companies above which the oldest measurements are removed. */
const capacity = 10_000

const plus = (one: Amount, other: Amount): Amount => ({
  rows: one.rows + other.rows,
  bytes: one.bytes + other.bytes
})
const nothing: Amount = { rows: 0, bytes: 0 }

/** The usage of the companies of a world. */
export const make = ({ now, store }: Pick<World["Type"], "now" | "store">): Usage => {
  const { dialect } = store
  const measured = new Map<string, Measured>()
  const running = new Map<string, { readonly done: Effect.Effect<Amount, Failure>; since: Amount }>()
  const reserved = new Map<string, Amount>()

  const statement = (companyId: string) => {
    const document = identifier(Table.document)
    const length = dialect.name === "sqlite" ? document : sql`CAST(${document} AS text)`
    const tables = Catalogue.resources.map(
      (resource) => sql`SELECT count(*) AS "rows", sum(octet_length(${length})) AS "bytes"
        FROM ${Table.name(resource)} WHERE "_tenant" = ${companyId}`
    )
    return render(
      sql`SELECT sum("rows"), coalesce(sum("bytes"), 0) FROM (${join(tables, " UNION ALL ")}) AS ${text('"table"')}`,
      dialect
    )
  }

  const measure = (consumer: Consumer): Effect.Effect<Amount, Failure> =>
    Effect.gen(function* () {
      const { companyId } = consumer
      const result = yield* Deferred.make<Amount, Failure>()
      const current = { done: Deferred.await(result), since: nothing }
      running.set(companyId, current)
      const began = performance.now()
      const exit = yield* Effect.exit(store.query(statement(companyId), consumer))
      running.delete(companyId)
      const amount = Exit.map(exit, ([[rows = 0, bytes = 0] = []]) => ({ rows: Number(rows), bytes: Number(bytes) }))
      if (Exit.isSuccess(amount)) {
        measured.delete(companyId)
        const [oldest] = measured.keys()
        if (measured.size >= capacity && oldest !== undefined) measured.delete(oldest)
        measured.set(companyId, {
          at: now(),
          amount: amount.value,
          since: current.since,
          recentMillis: Math.max(recentMillis, recentTimes * (performance.now() - began))
        })
      }
      yield* Deferred.done(result, amount)
      return yield* amount
    })

  /** The known usage of a company. Writes in progress may or may not be measured already, and are always added. */
  const known = (companyId: string): Amount | undefined => {
    const last = measured.get(companyId)
    return last && plus(plus(last.amount, last.since), reserved.get(companyId) ?? nothing)
  }

  return {
    of: (consumer, isRecent) =>
      Effect.suspend(() => {
        const { companyId } = consumer
        const last = measured.get(companyId)
        const isOld = last === undefined || Math.abs(now() - last.at) >= last.recentMillis
        const used = known(companyId)
        if (used !== undefined && !(isRecent && isOld)) return Effect.succeed(used)
        const inProgress = running.get(companyId)
        const measuring = inProgress === undefined ? Effect.uninterruptible(measure(consumer)) : inProgress.done
        // Other writes that waited for the same measurement may have been added since.
        return Effect.map(measuring, (amount) => known(companyId) ?? amount)
      }),
    webhooks: (companyId) =>
      Effect.map(
        store.read(
          render(
            sql`SELECT count(*) FROM ${Table.name(Catalogue.byName.webhook)} WHERE "_tenant" = ${companyId}`,
            dialect
          ),
          companyId
        ),
        ([[count = 0] = []]) => Number(count)
      ),
    reserve: (companyId, amount) => {
      const add = (more: Amount) => {
        const sum = plus(reserved.get(companyId) ?? nothing, more)
        if (sum.rows === 0 && sum.bytes === 0) reserved.delete(companyId)
        else reserved.set(companyId, sum)
      }
      add(amount)
      return (actual) => {
        add({ rows: -amount.rows, bytes: -amount.bytes })
        const last = measured.get(companyId)
        if (last !== undefined) last.since = plus(last.since, actual)
        const inProgress = running.get(companyId)
        if (inProgress !== undefined) inProgress.since = plus(inProgress.since, actual)
      }
    }
  }
}
