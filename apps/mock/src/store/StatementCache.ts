/**
 * Prepared statements by their text, so that a shape of statement is prepared once. The least recently used goes first.
 */

export interface StatementCache<A> {
  readonly get: (text: string) => A
  /** Prepares it anew when it is asked for the next time. */
  readonly drop: (text: string) => void
  readonly size: () => number
}

export const make = <A>(capacity: number, prepare: (text: string) => A): StatementCache<A> => {
  // A Map remembers the order of insertion: what was asked for last stands at its end.
  const prepared = new Map<string, A>()
  return {
    get: (text) => {
      const found = prepared.get(text)
      if (found !== undefined) prepared.delete(text)
      const statement = found ?? prepare(text)
      prepared.set(text, statement)
      if (prepared.size > capacity) {
        const [oldest = text] = prepared.keys()
        prepared.delete(oldest)
      }
      return statement
    },
    drop: (text) => void prepared.delete(text),
    size: () => prepared.size
  }
}
