/**
 * Counts what waits or runs for companies: up to a number for each, and twice as much for all, so that one company does
 * not take every place.
 */
export interface Places {
  /** Takes a place, and reports whether there was one. */
  readonly take: (companyId: string) => boolean
  /** Gives a place back. */
  readonly free: (companyId: string) => void
  readonly taken: () => number
}

/** The number of places of a company, for each kind of work. */
export const ofCompany = 4096

export const make = (most: number): Places => {
  const companies = new Map<string, number>()
  let taken = 0
  return {
    take: (companyId) => {
      const own = companies.get(companyId) ?? 0
      if (own >= most || taken >= 2 * most) return false
      companies.set(companyId, own + 1)
      taken += 1
      return true
    },
    free: (companyId) => {
      const own = (companies.get(companyId) ?? 1) - 1
      if (own === 0) companies.delete(companyId)
      else companies.set(companyId, own)
      taken -= 1
    },
    taken: () => taken
  }
}
