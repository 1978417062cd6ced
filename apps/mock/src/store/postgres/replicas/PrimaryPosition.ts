/**
 * Reads the position of the primary, and marks its timeline in a row: a replica that has replayed the row follows this
 * primary, and not one that was replaced by it.
 */
import type { Statement } from "../../../sql/Statement.ts"
import * as Position from "../../replicas/Position.ts"
import type { PostgresDriver } from "../PostgresDriver.ts"

export interface PrimaryPosition {
  /** The position of everything that is committed now. Calls in one turn of the event loop share a statement. */
  readonly read: () => Promise<Position.Position>
  /** The timeline of the primary, once it is known. */
  readonly timeline: () => string | undefined
  /** The milliseconds since the primary was first seen beyond a position; 0 if it was not. */
  readonly lagOf: (position: Position.Position) => number
}

/** A commit is flushed before it is confirmed, unless the server confirms commits before. */
const current: Statement = {
  text: `SELECT left(pg_walfile_name(lsn), 8), lsn - '0/0' FROM (SELECT CASE current_setting('synchronous_commit')
    WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS lsn) AS "current"`,
  parameters: []
}

const mark = (timeline: string): Statement => ({
  text: `INSERT INTO "_meta" ("key", "value") VALUES ('timeline', $1)
    ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value" WHERE "_meta"."value" < excluded."value"`,
  parameters: [timeline]
})

/** The query of the timeline that a server has replayed. */
export const marked = `(SELECT "value" FROM "_meta" WHERE "key" = 'timeline')`

/** The number of positions that are kept, with the times at which they were first seen. */
const capacity = 1024

export const make = ({ monitor, readOnce }: Pick<PostgresDriver, "monitor" | "readOnce">): PrimaryPosition => {
  let timeline: string | undefined
  let reading: Promise<Position.Position> | undefined
  const seen: Array<{ readonly position: Position.Position; readonly at: number }> = []

  const fetch = async () => {
    const [row] = await readOnce(current)
    const found = String(row?.[0])
    if (found !== timeline) {
      await monitor(mark(found))
      timeline = found
    }
    const position = Position.make(found, Number(row?.[1]))
    if (position > (seen.at(-1)?.position ?? "")) {
      seen.push({ position, at: performance.now() })
      if (seen.length > capacity) seen.shift()
    }
    return position
  }

  return {
    read: () => {
      if (reading === undefined) {
        reading = fetch()
        // The statement is sent at the end of this turn.
        setImmediate(() => (reading = undefined))
      }
      return reading
    },
    timeline: () => timeline,
    lagOf: (position) => {
      let [low, high] = [0, seen.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((seen[middle]?.position ?? "") > position) high = middle
        else low = middle + 1
      }
      const next = seen[low]
      return next === undefined ? 0 : performance.now() - next.at
    }
  }
}
