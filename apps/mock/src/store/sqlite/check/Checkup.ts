/**
 * Checks a served store in the background, on a connection of its own: the texts of a store that others may have written
 * to, and everything after an unclean end or a failure that suggests damage. It pauses between its queries.
 */
import * as Finding from "../../check/Finding.ts"
import type { StoredTable } from "../../StoredTable.ts"
import type { AsyncConnection } from "../readers/AsyncConnection.ts"
import * as SqliteCheck from "./SqliteCheck.ts"

/** The extent of a check: the texts alone, or everything. */
export type Extent = "texts" | "complete"

/** The result of a check: the messages of the first findings, and their number. */
export interface Result {
  readonly extent: Extent
  readonly count: number
  readonly messages: ReadonlyArray<string>
  /** Set when pages are damaged. */
  readonly isStructural: boolean
  readonly seconds: number
}

export interface Checkup {
  /** Starts a check, or a further one after that in progress if it is a smaller one. */
  readonly start: (extent: Extent) => void
  readonly close: () => Promise<void>
}

export interface Options {
  /** Opens a connection that checks its texts. */
  readonly connect: () => Promise<AsyncConnection>
  readonly tables: () => ReadonlyArray<StoredTable>
  readonly onResult: (result: Result) => void
  /** Called when a check could not be made. */
  readonly onFailure: (extent: Extent, cause: unknown) => void
}

/** The number of findings whose messages are kept. */
const maxMessages = 5

/** The maximum share of the time in which the check works. */
const share = 0.25

const maxPauseMillis = 1000

const interruptMillis = 20

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** The closed checkup has ended a check. */
const closed = Symbol("closed")

export const make = ({ connect, onFailure, onResult, tables }: Options): Checkup => {
  let wanted: Extent | undefined
  let running: Promise<void> | undefined
  let interrupt = () => {}
  let isClosed = false

  const check = async (extent: Extent): Promise<Result> => {
    const begin = performance.now()
    const connection = await connect()
    interrupt = connection.interrupt
    const messages: Array<string> = []
    let count = 0
    let isStructural = false
    try {
      const query: AsyncConnection["query"] = async (statement) => {
        if (isClosed) throw closed
        const start = performance.now()
        const rows = await connection.query(statement)
        await pause(Math.min(maxPauseMillis, (performance.now() - start) * (1 / share - 1)))
        return rows
      }
      const run = extent === "texts" ? SqliteCheck.texts : SqliteCheck.complete
      for await (const finding of run({ query, schema: "store", tables: tables() })) {
        count += 1
        if (finding._tag === "Structure") isStructural = true
        if (messages.length < maxMessages) messages.push(Finding.message(finding))
      }
    } finally {
      interrupt = () => {}
      await connection.close().catch(() => undefined)
    }
    return { extent, count, messages, isStructural, seconds: (performance.now() - begin) / 1000 }
  }

  const run = async () => {
    for (let extent = wanted; extent !== undefined; extent = isClosed ? undefined : wanted) {
      wanted = undefined
      try {
        const result = await check(extent)
        if (!isClosed) onResult(result)
      } catch (error) {
        if (!isClosed) onFailure(extent, error)
      }
    }
    running = undefined
  }

  return {
    start: (extent) => {
      if (wanted !== "complete") wanted = extent
      running ??= run()
    },
    close: async () => {
      isClosed = true
      // An interrupt before the first step of a query has no effect.
      const timer = setInterval(() => interrupt(), interruptMillis)
      await running
      clearInterval(timer)
    }
  }
}
