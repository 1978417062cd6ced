/**
 * Deletes expired rows in small batches, with pauses between them, until none is left: other work goes on, and neither
 * memory nor the length of a transaction depends on the number of rows.
 */
import * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../store/Store.ts"
import * as Batches from "./Batches.ts"
import type { Task } from "./Janitor.ts"

/** The result of one batch. */
export interface Batch<Cursor> {
  /** The number of deleted rows by table. */
  readonly deleted: { readonly [table: string]: number }
  /** The place at which the next batch begins; undefined when nothing expired is left after this one. */
  readonly next: Cursor | undefined
}

/** A kind of rows that expire. */
export interface Expiry<Cursor> {
  /** The rows, as the subject of messages. */
  readonly name: string
  readonly tables: ReadonlyArray<string>
  readonly keepMillis: number
  readonly first: Cursor
  /** Deletes some rows from before a moment, in milliseconds since 1970, in one transaction. */
  readonly batch: (beforeMillis: number, cursor: Cursor) => Effect.Effect<Batch<Cursor>, StoreUnavailable>
}

/** The work of a process so far. */
export interface Progress {
  readonly tables: ReadonlyArray<string>
  readonly deleted: { readonly [table: string]: number }
  /** The time of the machine at which no expired row was left, in milliseconds since 1970; undefined before. */
  readonly completedMillis: number | undefined
}

export interface Retention {
  readonly task: Task
  readonly progress: () => Progress
}

const everyMillis = 60_000

/** The retention of rows on a clock in milliseconds. */
export const make = <Cursor>(
  now: () => number,
  { batch, first, keepMillis, name, tables }: Expiry<Cursor>
): Retention => {
  const deleted = new Map<string, number>()
  let completedMillis: number | undefined

  const pass = Effect.suspend(() => {
    const beforeMillis = now() - keepMillis
    let cursor = first
    return Batches.run(
      Effect.suspend(() =>
        Effect.map(batch(beforeMillis, cursor), ({ deleted: counts, next }) => {
          for (const [table, count] of Object.entries(counts)) deleted.set(table, (deleted.get(table) ?? 0) + count)
          if (next === undefined) completedMillis = Date.now()
          else cursor = next
          return next !== undefined
        })
      )
    )
  })

  return {
    task: { name: `deletion of expired ${name}`, everyMillis, work: pass },
    progress: () => ({ tables, deleted: Object.fromEntries(deleted), completedMillis })
  }
}
