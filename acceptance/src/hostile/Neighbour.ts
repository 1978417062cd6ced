/**
 * The requests of another company: a cheap read and a small write every few milliseconds, and the time that each waits
 * for its response.
 */
import * as HostileData from "./HostileData.ts"
import type { Sent, Sender } from "./Sender.ts"

export interface Wait {
  /** The time of sending, as `performance.now()`. */
  readonly at: number
  readonly millis: number
}

export interface Neighbour {
  readonly waits: ReadonlyArray<Wait>
  /** The responses without success. */
  readonly failures: ReadonlyArray<string>
  /** The number of rows whose creation was confirmed. */
  readonly created: () => number
  /** Ends the requests and waits for the last responses. */
  readonly stop: () => Promise<void>
}

/** The time between two requests of a kind. */
const everyMillis = 10

/** The number of requests of a kind that may wait for a response, so that a blocked service is not flooded. */
const most = 32

const headers = { Authorization: `Bearer ${HostileData.neighbourKey}`, "Content-Type": "application/json" }

export const read: Sent = { method: "GET", target: "/rest/holiday?id=eq.hol_neighbour", headers }
export const write: Sent = {
  method: "POST",
  target: "/rest/holiday",
  headers: { ...headers, Prefer: "return=minimal" },
  body: Buffer.from(JSON.stringify({ name: "polled", date: "2026-05-02", companyId: HostileData.neighbour }))
}

/** The number of rows that the company has. */
export const count = async (sender: Sender): Promise<number> => {
  const target = "/rest/holiday?select=id&name=eq.polled&limit=10000"
  let rows = 0
  for (;;) {
    // A list of rows, as the request selects them.
    const page = (await sender.read({
      method: "GET",
      target: `${target}&offset=${rows}`,
      headers
    })) as ReadonlyArray<object>
    rows += page.length
    if (page.length < 10_000) return rows
  }
}

/** Starts the requests, by default both. */
export const start = (sender: Sender, requests: ReadonlyArray<Sent> = [read, write]): Neighbour => {
  const waits: Array<Wait> = []
  const failures: Array<string> = []
  const waiting = new Set<Promise<void>>()
  let created = 0

  const poll = (sent: Sent) => {
    let outstanding = 0
    return setInterval(() => {
      if (outstanding >= most) return
      outstanding++
      const at = performance.now()
      const response = sender.send(sent).then(({ code, millis, status }) => {
        outstanding--
        waits.push({ at, millis })
        if (status === 201) created++
        if (status !== 200 && status !== 201) failures.push(`${sent.method} got ${status} ${code ?? ""}`)
        waiting.delete(response)
      })
      waiting.add(response)
    }, everyMillis)
  }

  const timers = requests.map(poll)
  return {
    waits,
    failures,
    created: () => created,
    stop: async () => {
      timers.forEach((timer) => clearInterval(timer))
      await Promise.all(waiting)
    }
  }
}

/** The waits of requests that were waiting in a time. */
export const during = (waits: ReadonlyArray<Wait>, from: number, to: number): ReadonlyArray<number> =>
  waits.filter(({ at, millis }) => at <= to && at + millis >= from).map(({ millis }) => millis)

/** The wait that a share of all waits does not exceed; 1 is the longest. */
export const quantile = (waits: ReadonlyArray<number>, share: number): number => {
  const sorted = waits.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}
