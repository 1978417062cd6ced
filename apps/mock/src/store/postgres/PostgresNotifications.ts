/**
 * Receives PostgreSQL notifications of the changes that other instances commit: triggers send them. While the server
 * cannot be reached, and where a pooler gives each transaction another session, everything is reported as changed once
 * per second.
 */
import type { PostgresDriver } from "./PostgresDriver.ts"
import type { Invalidation } from "../Store.ts"

/** An invalidation, or events that are ready for delivery. */
type Notification = Invalidation | "events"

const all: ReadonlyArray<Notification> = ["keys", "world", "events"]

export interface PostgresNotifications {
  /** Adds a subscriber; the returned function removes it. */
  readonly subscribe: (subscriber: (notification: Notification) => void) => () => void
  readonly close: () => void
}

/** The channel of the triggers. A payload names what has changed and the schema in which it has changed. */
const channel = "mfgdata"

const pollMillis = 1000

export const make = (driver: Pick<PostgresDriver, "listen">, schema: string): PostgresNotifications => {
  const subscribers = new Set<(notification: Notification) => void>()
  const notify = (notification: Notification) => {
    for (const subscriber of subscribers) subscriber(notification)
  }
  const notifyAll = () => all.forEach(notify)

  const poll = setInterval(notifyAll, pollMillis)
  poll.unref()
  const receive = (payload: string) => {
    const notification = all.find((name) => payload === `${name} ${schema}`)
    if (notification !== undefined) notify(notification)
  }
  const ready = () => {
    clearInterval(poll)
    // Notifications that were sent before the channel was open are lost.
    notifyAll()
  }
  driver.listen(channel, receive, ready)

  return {
    subscribe: (subscriber) => {
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    close: () => {
      clearInterval(poll)
      subscribers.clear()
    }
  }
}
