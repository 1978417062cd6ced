/**
 * Caches prepared statements by their text, and removes the least recently used one when it is full.
 */

export interface StatementCache<A> {
  readonly get: (text: string) => A
  /** Removes a statement, which is prepared again at its next use. */
  readonly drop: (text: string) => void
  readonly size: () => number
}

export const make = <A>(capacity: number, prepare: (text: string) => A): StatementCache<A> => {
  // A Map keeps the order of insertion, so the last entry is the most recently used. The order is kept only when the next
  // statements may need the room, because it costs as much as the look-up.
  const prepared = new Map<string, A>()
  return {
    get: (text) => {
      const found = prepared.get(text)
      if (found !== undefined && prepared.size <= capacity / 2) return found
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
