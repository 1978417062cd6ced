/**
 * The rows around the visible ones, as pages that are fetched when they come into view and dropped when they are far from
 * it. The number of rows is not counted: until it is known, the window ends after the rows that were seen.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as CellText from "../value/CellText.ts"

/** The rows to fetch; `after` is the row before them, where it is known. */
export interface Range {
  readonly offset: number
  readonly limit: number
  readonly after: CellText.GridRow | undefined
}

/** Fetches rows. */
interface Fetch {
  (range: Range, signal: AbortSignal): Promise<ReadonlyArray<JsonObject>>
}

export interface Options {
  readonly fetch: Fetch
  /** Runs after every change of the window. */
  readonly onChange: () => void
  /** The maximum number of rows in all (default: no limit). */
  readonly limit?: number | undefined
  /** The number of rows of a page (default 100). */
  readonly pageSize?: number
  /** The number of pages that are kept (default 12). */
  readonly keep?: number
}

/** The number of rows; not exact where it only says how many were seen. */
interface Length {
  readonly rows: number
  readonly exact: boolean
}

export interface RowWindow {
  readonly length: () => Length
  /** The row at an index, or `undefined` while it is fetched. */
  readonly at: (index: number) => CellText.GridRow | undefined
  /** The indexes and rows that are held. */
  readonly held: () => ReadonlyArray<readonly [index: number, row: CellText.GridRow]>
  /** Fetches the rows between two indexes, and stops the requests for others. */
  readonly show: (first: number, last: number) => void
  /** Sets the number of rows from a count. */
  readonly count: (rows: number) => void
  /** Fetches the rows again; those in view stay until they are replaced. */
  readonly refresh: () => void
  /** The error of the last request, until one succeeds. */
  readonly error: () => unknown
  readonly isLoading: () => boolean
  /** Resolves when no request is in flight. */
  readonly settled: () => Promise<void>
  /** Stops all requests. */
  readonly close: () => void
}

interface Page {
  readonly rows: ReadonlyArray<CellText.GridRow>
  readonly isStale: boolean
}

export const make = ({ fetch, keep = 12, limit = Infinity, onChange, pageSize = 100 }: Options): RowWindow => {
  let pages = new Map<number, Page>()
  const requests = new Map<number, { readonly abort: AbortController; readonly done: Promise<void> }>()
  /** The end of the rows that were seen, and the number of rows once it is known. */
  let seen = 0
  let total: number | undefined
  let failure: unknown
  let view: readonly [first: number, last: number] = [0, -1]

  const length = (): Length => {
    if (total !== undefined) return { rows: Math.min(total, limit), exact: true }
    return seen >= limit ? { rows: limit, exact: true } : { rows: seen, exact: false }
  }

  const pageOf = (index: number): number => Math.floor(index / pageSize)

  const drop = (): void => {
    const center = pageOf((view[0] + view[1]) / 2)
    const nearest = [...pages.keys()].toSorted((one, other) => Math.abs(one - center) - Math.abs(other - center))
    for (const number of nearest.slice(keep)) pages.delete(number)
  }

  const accept = (number: number, size: number, rows: ReadonlyArray<CellText.GridRow>): void => {
    const end = number * pageSize + rows.length
    pages.set(number, { rows, isStale: false })
    if (rows.length > 0 || number === 0) {
      seen = Math.max(seen, end)
      // A page that is not full is the last one.
      if (rows.length < size) total = end
      else if (total !== undefined && total < end) total = undefined
    } else {
      // The rows end before this page: exactly here where the page before is full.
      seen = end
      total = pages.get(number - 1)?.rows.length === pageSize ? end : undefined
    }
    failure = undefined
    drop()
  }

  const load = (number: number): void => {
    const offset = number * pageSize
    const size = Math.min(pageSize, limit - offset)
    const before = pages.get(number - 1)
    const abort = new AbortController()
    const after = before?.isStale === false ? before.rows.at(pageSize - 1) : undefined
    const run = async (): Promise<void> => {
      try {
        const rows = await fetch({ offset, limit: size, after }, abort.signal)
        if (!abort.signal.aborted) accept(number, size, rows.map(CellText.toGridRow))
      } catch (error) {
        if (!abort.signal.aborted) failure = error
      }
      if (abort.signal.aborted) return
      requests.delete(number)
      onChange()
    }
    requests.set(number, { abort, done: run() })
  }

  const fill = (): void => {
    const [first, last] = view
    const end = length()
    const wanted = new Set<number>()
    const upper = Math.min(last, (end.exact ? end.rows : limit) - 1)
    for (let number = pageOf(Math.max(first, 0)); number * pageSize <= upper; number++) wanted.add(number)
    for (const [number, { abort }] of requests) {
      if (wanted.has(number)) continue
      abort.abort()
      requests.delete(number)
    }
    for (const number of wanted) {
      const page = pages.get(number)
      if ((page === undefined || page.isStale) && !requests.has(number)) load(number)
    }
  }

  return {
    length,
    at: (index) => pages.get(pageOf(index))?.rows[index % pageSize],
    held: () =>
      [...pages].flatMap(([number, { rows }]) => rows.map((row, index) => [number * pageSize + index, row] as const)),
    show: (first, last) => {
      view = [first, last]
      fill()
    },
    count: (rows) => {
      total = rows
      onChange()
    },
    refresh: () => {
      const [from, to] = [pageOf(Math.max(view[0], 0)), pageOf(Math.max(view[1], 0))]
      pages = new Map(
        [...pages].flatMap(([number, { rows }]) =>
          number < from || number > to ? [] : [[number, { rows, isStale: true }]]
        )
      )
      for (const { abort } of requests.values()) abort.abort()
      requests.clear()
      total = undefined
      failure = undefined
      fill()
      onChange()
    },
    error: () => failure,
    isLoading: () => requests.size > 0,
    settled: async () => {
      while (requests.size > 0) await Promise.all([...requests.values()].map(({ done }) => done))
    },
    close: () => {
      for (const { abort } of requests.values()) abort.abort()
      requests.clear()
    }
  }
}
