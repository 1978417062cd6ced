/**
 * Counts the requests of a connection that wait for earlier ones. Node parses all requests of a packet, of which there may
 * be thousands, before the first one is handled.
 */
import type * as http from "node:http"
import type { Duplex } from "node:stream"

export interface Pipelining {
  /** Counts a request, and reports whether too many wait on its connection. */
  readonly isTooLong: (incoming: http.IncomingMessage, response: http.ServerResponse) => boolean
}

/** `most` is the number of requests that may wait. */
export const make = (most: number): Pipelining => {
  const waiting = new WeakMap<Duplex, number>()
  return {
    isTooLong: ({ socket }, response) => {
      // The response has a socket when it is the next of its connection, as in all clients that do not pipeline.
      if (response.socket !== null) return false
      const count = (waiting.get(socket) ?? 0) + 1
      waiting.set(socket, count)
      response.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
      return count > most
    }
  }
}
