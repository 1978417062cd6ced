/**
 * Counts the queries that a store runs within limits, and those that a limit or their caller ended.
 */
import type { QueryStopped } from "./QueryStopped.ts"

/** The causes of a query's end without rows: a limit, or a caller that has hung up. */
const causes = ["timeout", "queue", "unread", "memory", "hangup"] as const
export type Cause = (typeof causes)[number]

/** The counts since the store was opened. */
export interface Counts {
  readonly started: number
  /** The queries that wait for their turn now. */
  readonly waiting: number
  readonly stopped: { readonly [C in Cause]: number }
}

export interface QueryCounts {
  readonly start: () => void
  readonly stop: (cause: Cause) => void
  readonly get: (waiting: number) => Counts
}

/** The cause of a limit's error. */
export const causeOf = ({ reason }: QueryStopped): Cause =>
  ({ Timeout: "timeout", QueueFull: "queue", Unread: "unread", Memory: "memory" } as const)[reason._tag]

export const make = (): QueryCounts => {
  let started = 0
  const stopped = { timeout: 0, queue: 0, unread: 0, memory: 0, hangup: 0 }
  return {
    start: () => void (started += 1),
    stop: (cause) => void (stopped[cause] += 1),
    get: (waiting) => ({ started, waiting, stopped: { ...stopped } })
  }
}
