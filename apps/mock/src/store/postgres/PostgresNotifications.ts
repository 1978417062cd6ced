/**
 * What other instances have changed, heard from the server: triggers tell of it when it is committed. As long as
 * nothing can be heard, everything counts as changed once a second.
 */
import type { PostgresDriver } from "./PostgresDriver.ts"
import type { News } from "../Store.ts"

/** Beside what the store tells: something to deliver. */
type Heard = News | "events"

const all: ReadonlyArray<Heard> = ["keys", "world", "events"]

export interface PostgresNews {
  /** Calls for each piece of news until what it answers is called. */
  readonly hear: (listener: (news: Heard) => void) => () => void
  readonly close: () => void
}

/** The channel that the triggers notify, with what has changed and in which schema. */
const channel = "mfgdata"

const pollMillis = 1000

export const make = (driver: Pick<PostgresDriver, "listen">, schema: string): PostgresNews => {
  const listeners = new Set<(news: Heard) => void>()
  const tell = (news: Heard) => {
    for (const listener of listeners) listener(news)
  }
  // While nobody listened anything may have happened.
  const tellAll = () => all.forEach(tell)

  const poll = setInterval(tellAll, pollMillis)
  poll.unref()
  const hear = (payload: string) => {
    const news = all.find((news) => payload === `${news} ${schema}`)
    if (news !== undefined) tell(news)
  }
  const ready = () => {
    clearInterval(poll)
    tellAll()
  }
  driver.listen(channel, hear, ready).catch(() => undefined)

  return {
    hear: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      clearInterval(poll)
      listeners.clear()
    }
  }
}
