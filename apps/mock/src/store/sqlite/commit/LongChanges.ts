/**
 * Orders the long changes that wait for the connection: companies take turns, and after a change the short ones of others
 * have the connection to themselves for a time that depends on how long the change took. It has no timers of its own.
 */

export interface LongChanges<A> {
  readonly add: (companyId: string, change: A) => void
  /** The milliseconds until the next change may begin; undefined when none waits. */
  readonly delay: (nowMillis: number) => number | undefined
  /** Removes the next change. */
  readonly take: () => A | undefined
  /** Removes a change that waits; returns false if it does not wait. */
  readonly remove: (companyId: string, change: A) => boolean
  readonly ended: (beginMillis: number, nowMillis: number) => void
  /** Notes that a short change was accepted: only then do long ones pause for others. */
  readonly yieldTo: (nowMillis: number) => void
}

/** The duration of a pause, as a multiple of that of the change before it. */
const pauseFactor = 2

/** The time after a short change for which others are expected. */
const expectedMillis = 1000

export const make = <A>(): LongChanges<A> => {
  // The first company is the next.
  const companies = new Map<string, Array<A>>()
  let lastShort = -Infinity
  let next = 0

  return {
    add: (companyId, change) => {
      const queue = companies.get(companyId)
      if (queue === undefined) companies.set(companyId, [change])
      else queue.push(change)
    },
    delay: (now) => {
      if (companies.size === 0) return undefined
      return now - lastShort < expectedMillis ? Math.max(0, next - now) : 0
    },
    take: () => {
      for (const [companyId, queue] of companies) {
        const change = queue.shift()
        companies.delete(companyId)
        if (queue.length > 0) companies.set(companyId, queue)
        return change
      }
      return undefined
    },
    remove: (companyId, change) => {
      const queue = companies.get(companyId) ?? []
      const place = queue.indexOf(change)
      if (place < 0) return false
      queue.splice(place, 1)
      if (queue.length === 0) companies.delete(companyId)
      return true
    },
    ended: (begin, now) => void (next = now + pauseFactor * (now - begin)),
    yieldTo: (now) => void (lastShort = now)
  }
}
