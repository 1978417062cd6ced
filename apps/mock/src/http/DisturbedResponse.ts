/**
 * Writes the responses that a fault disturbs: not at all, in part, or slowly.
 */
import type * as http from "node:http"
import type * as Exchange from "../Exchange.ts"

export interface DisturbedResponse {
  /** `headers` are alternating names and values. */
  readonly write: (response: http.ServerResponse, answer: Exchange.Response, headers: Array<string>) => void
  /** Ends the connections on which no response is sent. */
  readonly release: () => void
}

/** The interval at which the parts of a paced body are written. */
const paceMillis = 50

/** Writes a body at a rate, and calls `done` when all of it has left. */
const pace = (response: http.ServerResponse, body: Buffer, bytesPerSecond: number, done: () => void): void => {
  const start = performance.now()
  let sent = 0
  const step = () => {
    const due = Math.min(body.length, Math.ceil(((performance.now() - start) / 1000) * bytesPerSecond))
    const isLast = due === body.length
    response.write(body.subarray(sent, due), isLast ? done : undefined)
    sent = due
    if (isLast) clearInterval(timer)
  }
  const timer = setInterval(step, paceMillis)
  response.once("close", () => clearInterval(timer))
}

export const make = (): DisturbedResponse => {
  const hanging = new Set<http.ServerResponse>()
  return {
    write: (response, { body, sending, status }, headers) => {
      if (sending === undefined) return
      switch (sending._tag) {
        case "Reset":
          return void response.socket?.resetAndDestroy()
        case "Hang":
          hanging.add(response)
          return void response.once("close", () => hanging.delete(response))
        case "Cut":
        case "Paced": {
          const whole = Buffer.from(body)
          const part = sending._tag === "Cut" ? Math.floor(whole.length * sending.part) : whole.length
          const end = () => void (sending._tag === "Cut" ? response.destroy() : response.end())
          response.writeHead(status, [...headers, "Content-Length", String(whole.length)]).flushHeaders()
          return pace(response, whole.subarray(0, part), sending.bytesPerSecond ?? Infinity, end)
        }
      }
    },
    release: () => {
      for (const response of hanging) response.destroy()
    }
  }
}
