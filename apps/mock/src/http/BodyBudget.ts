/**
 * Divides the memory for request bodies between companies: a company takes at most half of it. A reservation that does
 * not fit waits; companies with waiting reservations take turns. There are no timers here: a caller with a deadline
 * cancels.
 */

export interface BodyBudget {
  /**
   * Calls `start` when the bytes are free, now or later. The returned function gives them back, or cancels a reservation
   * that waits; further calls of it do nothing. It is undefined where too many reservations of the company wait.
   */
  readonly reserve: (companyId: string, bytes: number, start: () => void) => (() => void) | undefined
}

interface Reservation {
  readonly bytes: number
  readonly start: () => void
}

interface Company {
  bytes: number
  readonly waiting: Array<Reservation>
}

/** The number of reservations of a company that wait. The beginnings of their bodies are in memory. */
const places = 256

/** A budget of `bytes`, which must be at least twice the size of the largest reservation. */
export const make = (bytes: number): BodyBudget => {
  const share = bytes / 2
  // The first company is the next to start a reservation.
  const companies = new Map<string, Company>()
  let used = 0

  const companyOf = (id: string): Company => {
    const known = companies.get(id)
    if (known !== undefined) return known
    const added: Company = { bytes: 0, waiting: [] }
    companies.set(id, added)
    return added
  }

  const take = (company: Company, { bytes, start }: Reservation) => {
    used += bytes
    company.bytes += bytes
    start()
  }

  const startNext = () => {
    for (const [id, company] of companies) {
      const [next] = company.waiting
      if (next === undefined || company.bytes + next.bytes > share) continue
      // A large reservation is not overtaken by the small ones of other companies.
      if (used + next.bytes > bytes) return
      company.waiting.shift()
      companies.delete(id)
      companies.set(id, company)
      take(company, next)
      return startNext()
    }
  }

  return {
    reserve: (id, size, start) => {
      const company = companyOf(id)
      const reservation = { bytes: size, start }
      let isOver = false
      company.waiting.push(reservation)
      startNext()
      if (company.waiting.length > places) {
        company.waiting.pop()
        return undefined
      }
      return () => {
        if (isOver) return
        isOver = true
        const place = company.waiting.indexOf(reservation)
        if (place >= 0) company.waiting.splice(place, 1)
        else {
          used -= size
          company.bytes -= size
        }
        if (company.bytes === 0 && company.waiting.length === 0) companies.delete(id)
        startNext()
      }
    }
  }
}
