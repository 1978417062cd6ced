/**
 * Deletes expired events with their deliveries and attempts, in the order of the events. A delivery expires some time
 * after it was settled, or after its event if its webhook is disabled; an event is deleted with its last delivery.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Rows } from "../sql/Change.ts"
import { micros } from "../sql/ServiceColumn.ts"
import { type Fragment, sql, text } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { Batch, Expiry } from "../world/Retention.ts"
import type { World } from "../world/World.ts"

/** The last event of a batch. */
interface Cursor {
  readonly at: number
  readonly sequence: number
}

/**
 * The maximum number of events of a batch and of deliveries of a statement, and the bytes of its events. The embedded
 * store runs each statement on the event loop, in about a millisecond.
 */
const sizes = {
  sqlite: { events: 64, together: 16, deliveries: 64, bytes: 256 * 1024 },
  postgres: { events: 500, together: 500, deliveries: 1000, bytes: 8 * 1024 * 1024 }
}

/** The first events whose bytes fit a batch, at least one. */
const fitting = (events: Rows, bytes: number): Rows => {
  let sum = 0
  const end = events.findIndex(([, , size], index) => (sum += Number(size)) > bytes && index > 0)
  return end === -1 ? events : events.slice(0, end)
}

const divided = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

export const make = ({ store }: Pick<World["Type"], "store">, keepMillis: number): Expiry<Cursor> => {
  const { dialect } = store
  const tables = ServiceTables.make(store)
  const size = sizes[dialect.name]

  const expired = (before: number): Fragment => {
    const active = sql`SELECT 1 FROM "webhook" WHERE "webhook"."_tenant" = "_delivery"."companyId"
      AND "webhook"."id" = "_delivery"."webhookId" AND "webhook"."active"`
    // A delivery in flight is due in the future, when its lease ends.
    return sql`("settledAt" < ${before} OR "settledAt" IS NULL AND ("dueAt" IS NULL OR "dueAt" < ${before})
      AND NOT EXISTS (${active}))`
  }

  /** Deletes the expired deliveries of some events, and the events without deliveries. */
  const deletion = (sequences: ReadonlyArray<number>, before: number): ReadonlyArray<Fragment> => {
    const deliveries = text('"_delivery"')
    // A scalar query finds the delivery of each event by an index, also without statistics.
    const delivery = sql`SELECT 1 FROM "_delivery" WHERE "_delivery"."sequence" = "_outbox"."sequence" LIMIT 1`
    return [
      ServiceTables.deletion(
        dialect,
        deliveries,
        (place) => sql`SELECT "_delivery".${place} FROM ${deliveries}
          WHERE ${dialect.numbered(text('"_delivery"."sequence"'), sequences)} AND ${expired(before)}
          LIMIT ${text(String(size.deliveries))}${dialect.lock(deliveries, "skip")}`
      ),
      sql`DELETE FROM "_outbox" WHERE ${dialect.numbered(text('"sequence"'), sequences)} AND (${delivery}) IS NULL
        RETURNING 1`
    ]
  }

  const batch = (beforeMillis: number, cursor: Cursor): Effect.Effect<Batch<Cursor>, StoreUnavailable> =>
    Effect.gen(function* () {
      const before = micros(beforeMillis)
      const found =
        yield* tables.read(sql`SELECT "sequence", "at", octet_length("record") + coalesce(octet_length("old"), 0)
        FROM "_outbox" WHERE ("at", "sequence") > (${cursor.at}, ${cursor.sequence}) AND "at" < ${before}
        ORDER BY "at", "sequence" LIMIT ${text(String(size.events))}`)
      const events = fitting(found, size.bytes)
      const last = events.at(-1)
      if (last === undefined) return { deleted: {}, next: undefined }
      const sequences = events.map(([sequence]) => Number(sequence))
      const results = yield* tables.change({
        statements: divided(sequences, size.together).flatMap((some) => deletion(some, before)),
        isLong: true,
        resolve: Either.right
      })
      const counts = results.map((rows) => rows.length)
      const sum = (part: number) =>
        counts.filter((_, index) => index % 2 === part).reduce((sum, count) => sum + count, 0)
      // An event with more deliveries than a statement deletes is in the next batch too.
      const isPartial = counts.some((count, index) => index % 2 === 0 && count === size.deliveries)
      return {
        deleted: { _delivery: sum(0), _outbox: sum(1) },
        next: isPartial ? cursor : { at: Number(last[1]), sequence: Number(last[0]) }
      }
    })

  return { name: "deliveries", tables: ["_delivery", "_outbox"], keepMillis, first: { at: 0, sequence: 0 }, batch }
}
