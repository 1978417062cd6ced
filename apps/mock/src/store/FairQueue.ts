/**
 * Divides a number of slots fairly between callers: round robin by company, then by the keys of one. One company takes at
 * most half of the slots, but at least one, and at most half of the waiting places; it starts nothing while its clients
 * leave too much unread. It has no timer of its own: a caller with a deadline cancels.
 *
 * A caller passes the function that starts its work. It is called immediately if a slot is free, otherwise after a
 * release. The caller releases its slot when the work has ended, including work that it has canceled.
 *
 * @example
 * const queue = FairQueue.make({ slots: 2, places: 256 })
 * const accepted = queue.acquire(consumer, (release) => void work().finally(release))
 * if (Either.isRight(accepted)) signal.addEventListener("abort", accepted.right)
 */
import * as Either from "effect/Either"
import type { Unread } from "../Unread.ts"
import { QueryStopped, unread } from "./QueryStopped.ts"

/** The caller of work. */
export interface Consumer {
  readonly companyId: string
  readonly keyId: string
  /** Its work starts only while it admits the company. */
  readonly unread?: Unread | undefined
}

/** The error of a caller that has waited for too long: for responses that its company does not read, or for its turn. */
export const missed = (consumer: Consumer, millis: number): QueryStopped =>
  new QueryStopped({
    reason:
      consumer.unread?.admitsQuery(consumer.companyId) === false
        ? unread
        : { _tag: "Timeout", phase: "waiting", millis }
  })

/** The maximum numbers of running and of waiting callers. */
export interface Limits {
  readonly slots: number
  readonly places: number
}

export interface FairQueue {
  /**
   * Starts work now or later, and returns a function that removes it from the queue if it has not started; or refuses it
   * as `QueueFull`, because every place, or every place of the company, is taken.
   */
  readonly acquire: (
    consumer: Consumer,
    start: (release: () => void) => void
  ) => Either.Either<() => void, QueryStopped>
  /** The number of callers that wait for a slot. */
  readonly waiting: () => number
}

interface Waiting {
  readonly consumer: Consumer
  readonly start: (release: () => void) => void
}

interface Company {
  running: number
  waiting: number
  /** The waiting callers of each key. The first key is the next. */
  readonly keys: Map<string, Array<Waiting>>
}

const half = (count: number): number => Math.max(1, Math.floor(count / 2))

/** Moves an entry to the end of a map, which keeps the order of insertion. */
const rotate = <A>(map: Map<string, A>, key: string, value: A) => {
  map.delete(key)
  map.set(key, value)
}

export const make = ({ places, slots }: Limits): FairQueue => {
  // The first company that may run is the next.
  const companies = new Map<string, Company>()
  const slotsOfOne = half(slots)
  const placesOfOne = half(places)
  let running = 0
  let waiting = 0

  const companyOf = (id: string): Company => {
    const known = companies.get(id)
    if (known !== undefined) return known
    const added: Company = { running: 0, waiting: 0, keys: new Map() }
    companies.set(id, added)
    return added
  }

  const forget = (id: string, company: Company) => {
    if (company.running === 0 && company.waiting === 0) companies.delete(id)
  }

  const isFree = (company: Company) => running < slots && company.running < slotsOfOne

  /** Reports whether a caller may run, or has it called again when unread responses of its company were read. */
  const isAdmitted = ({ consumer: { companyId, unread: memory } }: Waiting): boolean => {
    if (memory === undefined || memory.admitsQuery(companyId)) return true
    memory.onRead(startAll)
    return false
  }

  const run = (id: string, company: Company, { start }: Waiting) => {
    running += 1
    company.running += 1
    let isReleased = false
    start(() => {
      if (isReleased) return
      isReleased = true
      running -= 1
      company.running -= 1
      forget(id, company)
      startNext()
    })
  }

  /** Removes the next caller of a company, if it may run. */
  const take = (company: Company): Waiting | undefined => {
    for (const [key, queue] of company.keys) {
      const [next] = queue
      if (next === undefined || !isAdmitted(next)) return undefined
      queue.shift()
      if (queue.length === 0) company.keys.delete(key)
      else rotate(company.keys, key, queue)
      company.waiting -= 1
      waiting -= 1
      return next
    }
    return undefined
  }

  /** Starts the next caller, and reports whether there was one. */
  const startNext = (): boolean => {
    for (const [id, company] of companies) {
      if (!isFree(company)) continue
      const next = take(company)
      if (next === undefined) continue
      rotate(companies, id, company)
      run(id, company, next)
      return true
    }
    return false
  }

  const startAll = () => {
    while (startNext());
  }

  const remove = (id: string, company: Company, key: string, caller: Waiting) => {
    const queue = company.keys.get(key) ?? []
    const index = queue.indexOf(caller)
    if (index === -1) return
    queue.splice(index, 1)
    if (queue.length === 0) company.keys.delete(key)
    company.waiting -= 1
    waiting -= 1
    forget(id, company)
  }

  return {
    acquire: (consumer, start) => {
      const { companyId, keyId } = consumer
      const company = companyOf(companyId)
      const caller: Waiting = { consumer, start }
      // The others of the company wait only while it has no free slot or is not admitted, so none of them is overtaken.
      if (isFree(company) && isAdmitted(caller)) {
        run(companyId, company, caller)
        return Either.right(() => undefined)
      }
      if (waiting >= places || company.waiting >= placesOfOne) {
        forget(companyId, company)
        return Either.left(
          new QueryStopped({ reason: { _tag: "QueueFull", places: placesOfOne, retryAfterSeconds: 1 } })
        )
      }
      const queue = company.keys.get(keyId)
      if (queue === undefined) company.keys.set(keyId, [caller])
      else queue.push(caller)
      company.waiting += 1
      waiting += 1
      return Either.right(() => remove(companyId, company, keyId, caller))
    },
    waiting: () => waiting
  }
}
