/**
 * The classes into which the connections of an instance are divided, and their shares.
 */

/** Small reads, writes, and queries of any size with the operations of administrators. */
export type Class = "reads" | "writes" | "queries"

export const all: ReadonlyArray<Class> = ["reads", "writes", "queries"]

/**
 * The number of connections of each class: a fifth for small reads, but two of five, so that one table cannot take all,
 * and the others in equal parts.
 */
export const shares = (connections: number): { readonly [C in Class]: number } => {
  const reads = connections < 5 ? 1 : Math.max(2, Math.floor(connections / 5))
  const queries = Math.floor((connections - reads) / 2)
  return { queries, reads, writes: connections - queries - reads }
}

/** The number of connections to a replica of each class: a third for small reads, and the others for queries. */
export const replicaShares: typeof shares = (connections) => {
  const reads = Math.max(1, Math.floor(connections / 3))
  return { queries: connections - reads, reads, writes: 0 }
}

/** The maximum number of tasks that are pipelined on a connection. */
export const depth: { readonly [C in Class]: number } = { reads: 64, writes: 16, queries: 1 }

/** The connections of a class, and its tasks. */
export interface ClassUsage {
  readonly open: number
  readonly inUse: number
  readonly waiting: number
}

export interface Usage {
  readonly classes: { readonly [C in Class]: ClassUsage }
  /** The number of connections that could not be opened. */
  readonly failures: number
}
