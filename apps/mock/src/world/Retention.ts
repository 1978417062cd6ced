/**
 * Deletes expired rows in small batches, with pauses between them, until none is left: other work goes on, and neither
 * memory nor the length of a transaction depends on the number of rows.
 */
import * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../store/Store.ts"
import type { Task } from "./Janitor.ts"
import * as RealTime from "./RealTime.ts"

/** The result of one batch. */
export interface Batch<Cursor> {
  /** The number of deleted rows by table. */
  readonly deleted: { readonly [table: string]: number }
  /** The place at which the next batch begins; undefined when nothing expired is left after this one. */
  readonly next: Cursor | undefined
}

/** A kind of rows that expire. */
export interface Expiry<Cursor> {
  /** The rows, as the subject of messages and the label of metrics. */
  readonly name: string
  readonly keepMillis: number
  readonly first: Cursor
  /** Deletes some rows from before a moment, in milliseconds since 1970, in one transaction. */
  readonly batch: (beforeMillis: number, cursor: Cursor) => Effect.Effect<Batch<Cursor>, StoreUnavailable>
}

/** The work of a process so far. */
interface Progress {
  readonly name: string
  readonly deleted: { readonly [table: string]: number }
  /** The time of the machine at which no expired row was left, in milliseconds since 1970; undefined before. */
  readonly completedMillis: number | undefined
}

export interface Retention {
  readonly task: Task
  readonly progress: () => Progress
}

const everyMillis = 60_000

/** The pause after a batch, as a multiple of its duration: a slow store gets long pauses. */
const pauseFactor = 2
const leastPauseMillis = 5

/** The retention of rows on a clock in milliseconds. */
export const make = <Cursor>(now: () => number, { batch, first, keepMillis, name }: Expiry<Cursor>): Retention => {
  const deleted = new Map<string, number>()
  let completedMillis: number | undefined

  const pass = (beforeMillis: number) =>
    Effect.gen(function* () {
      let cursor: Cursor | undefined = first
      for (;;) {
        const begin = performance.now()
        const done: Batch<Cursor> = yield* batch(beforeMillis, cursor)
        for (const [table, count] of Object.entries(done.deleted)) deleted.set(table, (deleted.get(table) ?? 0) + count)
        cursor = done.next
        if (cursor === undefined) break
        yield* RealTime.pause(Math.max(leastPauseMillis, pauseFactor * (performance.now() - begin)))
      }
      completedMillis = Date.now()
    })

  return {
    task: {
      name: `deletion of expired ${name}`,
      everyMillis,
      work: Effect.suspend(() => pass(now() - keepMillis))
    },
    progress: () => ({ name, deleted: Object.fromEntries(deleted), completedMillis })
  }
}
