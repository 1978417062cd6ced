/**
 * Reads a request's body with plain handlers, no further than its limit.
 */
import type { IncomingMessage } from "node:http"

const empty = new Uint8Array(0)

/** Whether a body follows the headers. */
const isExpected = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Whether it is said to be larger than `limit` before it comes. */
export const isTooLarge = ({ headers }: IncomingMessage, limit: number): boolean =>
  Number(headers["content-length"]) > limit

/**
 * Calls `done` once with the body, or with nothing when it is larger than `limit`; what then still comes is thrown
 * away. A client that leaves early has no body, and `done` is never called.
 */
export const read = (incoming: IncomingMessage, limit: number, done: (body: Uint8Array | undefined) => void): void => {
  if (!isExpected(incoming)) return done(empty)
  // Without a listener the end of a connection in the middle of a body would end the process.
  incoming.on("error", () => {})
  const refuse = () => {
    chunks = undefined
    incoming.resume()
    done(undefined)
  }
  let chunks: Array<Uint8Array> | undefined = []
  let size = 0
  if (isTooLarge(incoming, limit)) return refuse()
  incoming.on("data", (chunk: Uint8Array) => {
    size += chunk.length
    if (chunks === undefined) return
    if (size > limit) refuse()
    else chunks.push(chunk)
  })
  incoming.on("end", () => {
    if (chunks === undefined) return
    const [first = empty] = chunks
    done(chunks.length > 1 ? Buffer.concat(chunks, size) : first)
  })
}
