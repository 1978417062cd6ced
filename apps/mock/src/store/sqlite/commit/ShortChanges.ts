/**
 * Orders the short changes that wait for a commit: companies take turns, and the changes of one keep their order. A
 * company whose last change was slow has commits of its own, and while others send changes it pauses after each for a
 * time that depends on how long the change took. What then waits for too long is refused. It has no timers of its own.
 */

export interface ShortChanges<A> {
  readonly add: (companyId: string, change: A, nowMillis: number) => void
  readonly count: () => number
  /** The milliseconds until the next change may run; undefined when none waits. */
  readonly delay: (nowMillis: number) => number | undefined
  /** Removes the next change that may be the first of a commit. */
  readonly takeFirst: (nowMillis: number) => Taken<A> | undefined
  /** Removes the next change that may follow others in a commit, and fits it. */
  readonly takeNext: (fits: (change: A) => boolean) => Taken<A> | undefined
  /** Removes the changes of slow companies that have waited for too long while others sent changes. */
  readonly takeLate: (nowMillis: number) => ReadonlyArray<A>
  /** Removes at most a number of changes, even of companies that pause. */
  readonly takeAll: (most: number) => ReadonlyArray<A>
  /** Notes the duration of the last change of a company. */
  readonly ran: (companyId: string, millis: number, nowMillis: number) => void
}

interface Waiting<A> {
  readonly change: A
  readonly atMillis: number
}

interface Taken<A> {
  readonly companyId: string
  readonly change: A
}

/** The duration of a pause, as a multiple of that of the change before it. */
const pauseFactor = 2

/** The time after a change for which others of its company are expected. */
const expectedMillis = 1000

/** The number of slow companies above which those whose pause has ended are forgotten. */
const manySlow = 1000

export interface Options {
  /** A change that runs for longer is slow. */
  readonly slowMillis: number
  /** The longest time that a change of a slow company waits while others send changes. */
  readonly waitMillis: number
}

/** The service itself, whose changes are never late. */
const service = ""

export const make = <A>({ slowMillis, waitMillis }: Options): ShortChanges<A> => {
  // The first company is the next.
  const companies = new Map<string, Array<Waiting<A>>>()
  /** The ends of the pauses of companies whose last change was slow. */
  const slow = new Map<string, number>()
  let count = 0
  /** The last company, and the last one before it. */
  let latest = { companyId: service, atMillis: -Infinity }
  let earlier = latest

  const isAlone = (companyId: string, nowMillis: number) =>
    nowMillis - (latest.companyId === companyId ? earlier : latest).atMillis >= expectedMillis

  const delayOf = (companyId: string, nowMillis: number) => {
    const end = slow.get(companyId)
    return end === undefined || isAlone(companyId, nowMillis) ? 0 : Math.max(0, end - nowMillis)
  }

  /** Removes the next change of a company, whose next turn is after those of the others. */
  const remove = (companyId: string, queue: Array<Waiting<A>>): Taken<A> | undefined => {
    const next = queue.shift()
    if (next === undefined) return undefined
    count -= 1
    if (queue.length === 0) companies.delete(companyId)
    else if (companies.size > 1) {
      companies.delete(companyId)
      companies.set(companyId, queue)
    }
    return { companyId, change: next.change }
  }

  return {
    add: (companyId, change, atMillis) => {
      const queue = companies.get(companyId)
      if (queue === undefined) companies.set(companyId, [{ change, atMillis }])
      else queue.push({ change, atMillis })
      count += 1
      if (latest.companyId !== companyId) earlier = latest
      latest = { companyId, atMillis }
    },
    count: () => count,
    delay: (nowMillis) => {
      let least: number | undefined
      for (const companyId of companies.keys()) {
        least = Math.min(least ?? Infinity, delayOf(companyId, nowMillis))
        if (least === 0) return 0
      }
      return least
    },
    takeFirst: (nowMillis) => {
      for (const [companyId, queue] of companies) {
        if (delayOf(companyId, nowMillis) === 0) return remove(companyId, queue)
      }
      return undefined
    },
    takeNext: (fits) => {
      for (const [companyId, queue] of companies) {
        if (!slow.has(companyId) && queue[0] !== undefined && fits(queue[0].change)) return remove(companyId, queue)
      }
      return undefined
    },
    takeLate: (nowMillis) => {
      const late: Array<A> = []
      for (const companyId of slow.keys()) {
        if (companyId === service || isAlone(companyId, nowMillis)) continue
        const queue = companies.get(companyId) ?? []
        while (queue[0] !== undefined && nowMillis - queue[0].atMillis > waitMillis) {
          const next = remove(companyId, queue)
          if (next !== undefined) late.push(next.change)
        }
      }
      return late
    },
    takeAll: (most) => {
      const taken: Array<A> = []
      for (const [companyId, queue] of companies) {
        while (taken.length < most) {
          const next = remove(companyId, queue)
          if (next === undefined) break
          taken.push(next.change)
        }
      }
      return taken
    },
    ran: (companyId, millis, nowMillis) => {
      if (millis <= slowMillis) return void (slow.size > 0 && slow.delete(companyId))
      slow.set(companyId, nowMillis + pauseFactor * millis)
      if (slow.size > manySlow) for (const [id, end] of slow) if (end < nowMillis) slow.delete(id)
    }
  }
}
