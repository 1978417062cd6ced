/**
 * Measures the cost of a page far into a long list, by keyset and by offset, relative to the first one.
 */
import * as Load from "./Load.ts"
import type { Subject } from "./Subject.ts"
import * as Work from "./Work.ts"

export interface Cost {
  readonly page: number
  /** Processor time of a page, in microseconds. */
  readonly first: number
  readonly keyset: number
  readonly offset: number
}

const size = 100
const name = "holiday"
const headers = { Authorization: `Bearer ${Work.key}` }

const make = (index: number) => ({ name: `day ${index}`, date: "2027-05-01", companyId: "demo" })

const costOf = async (subject: Subject, search: string, requests: number): Promise<number> => {
  const bytes = Load.request("GET", `/rest/${name}?limit=${size}&order=id.asc${search}`, headers)
  let best = Infinity
  for (let round = 0; round < 3; round++) {
    const before = await subject.cpu()
    await Load.run(subject, { connections: 1, requests, next: () => bytes })
    best = Math.min(best, (((await subject.cpu()) - before) * 1e6) / requests)
  }
  return best
}

/** Creates `count` rows and measures requests for the first and the last page. */
export const measure = async (subject: Subject, count: number, requests: number): Promise<Cost> => {
  await Work.fill(subject, { count, make, name })
  const offset = count - size
  const url = `${subject.origin}/rest/${name}?select=id&order=id.asc&limit=1&offset=${offset - 1}`
  // As selected.
  const [last] = (await (await fetch(url, { headers })).json()) as ReadonlyArray<{ readonly id: string }>
  return {
    page: count / size,
    first: await costOf(subject, "", requests),
    keyset: await costOf(subject, `&id=gt.${last?.id}`, requests),
    offset: await costOf(subject, `&offset=${offset}`, Math.ceil(requests / 20))
  }
}
