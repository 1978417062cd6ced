/**
 * Counts the memory of the responses that clients have not read yet, by company. A client that reads slowly, or not at
 * all, keeps its responses in the memory of the service, so its company waits: with large queries above a quarter of the
 * memory, and with every request above three quarters. When all of it is taken, only companies without unread responses
 * start large queries.
 */
import type * as http from "node:http"
import type { Socket } from "node:net"
import type * as Exchange from "../Exchange.ts"
import type { Unread } from "../Unread.ts"

export interface UnreadResponses extends Unread {
  /** Counts a response until it is sent, or its connection closes. `companyOf` finds the company of its request. */
  readonly hold: (
    response: http.ServerResponse,
    answer: Exchange.Response,
    companyOf: (request: http.IncomingMessage) => string | undefined
  ) => void
}

/** The least size of a response that is counted. */
const leastBytes = 16 * 1024

/** Counts responses with a memory of `bytes`, which is at least twice the size of the largest response. */
export const make = (bytes: number): UnreadResponses => {
  const companies = new Map<string, number>()
  const sockets = new WeakMap<Socket, Set<() => void>>()
  const waiting = new Set<() => void>()
  let total = 0

  const add = (companyId: string, size: number) => {
    const sum = (companies.get(companyId) ?? 0) + size
    total += size
    if (sum === 0) companies.delete(companyId)
    else companies.set(companyId, sum)
  }

  /** The ends of the responses of a connection. Responses to pipelined requests do not close with it by themselves. */
  const endsOf = (socket: Socket): Set<() => void> => {
    const known = sockets.get(socket)
    if (known !== undefined) return known
    const ends = new Set<() => void>()
    sockets.set(socket, ends)
    socket.once("close", () => {
      for (const end of ends) end()
    })
    return ends
  }

  return {
    hold: (response, { body: { length } }, companyOf) => {
      if (length < leastBytes) return
      const { req: request } = response
      const { socket } = request
      const companyId = companyOf(request)
      if (companyId === undefined || response.destroyed || socket.destroyed) return
      const ends = endsOf(socket)
      const end = () => {
        if (!ends.delete(end)) return
        add(companyId, -length)
        const calls = [...waiting]
        waiting.clear()
        for (const call of calls) call()
      }
      ends.add(end)
      add(companyId, length)
      response.once("close", end)
    },
    admitsRequest: (companyId) => (companies.get(companyId) ?? 0) < 0.75 * bytes,
    admitsQuery: (companyId) => {
      const own = companies.get(companyId) ?? 0
      return own === 0 || (own < 0.25 * bytes && total < bytes)
    },
    onRead: (call) => void waiting.add(call)
  }
}
