/**
 * Follows the traffic live, as server-sent events: each exchange once, in order, and comments while nothing happens.
 */
import type { BodyStream } from "../Exchange.ts"
import * as Bell from "../world/Bell.ts"
import type { Filter, Traffic } from "./Traffic.ts"

/** The time in real milliseconds after which a comment is sent, so that neither side takes the other for dead. */
const heartbeatMillis = 15_000

/** Follows the exchanges of a filter after a number, or from now on. A slow reader misses what is not kept any more. */
export const make = (traffic: Traffic, filter: Filter, after: number | undefined): BodyStream =>
  async function* (signal) {
    const wait = Bell.make(traffic.subscribe, signal)
    let last = after ?? traffic.last()
    yield ": the requests and responses as they happen\n\n"
    while (!signal.aborted) {
      const end = traffic.last()
      for (const exchange of traffic.since(filter, last)) {
        if (signal.aborted) return
        yield `id: ${exchange.sequence}\ndata: ${JSON.stringify(exchange)}\n\n`
      }
      last = Math.max(last, end)
      await wait(heartbeatMillis)
      if (!signal.aborted && traffic.last() <= last) yield ": nothing has happened\n\n"
    }
  }
