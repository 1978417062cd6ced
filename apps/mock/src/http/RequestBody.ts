/**
 * Reads the body of a request up to a limit. Event handlers cost less than a stream.
 */
import type { IncomingMessage } from "node:http"

const empty = new Uint8Array(0)

/** Reports whether a body follows the headers. */
const isExpected = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Reports whether the Content-Length exceeds the limit. */
export const isTooLarge = ({ headers }: IncomingMessage, limit: number): boolean =>
  Number(headers["content-length"]) > limit

/**
 * Calls `done` once with the body, or with undefined if it exceeds the limit; the rest of such a body is discarded. If
 * the client disconnects first, `done` is never called.
 */
export const read = (incoming: IncomingMessage, limit: number, done: (body: Uint8Array | undefined) => void): void => {
  if (!isExpected(incoming)) return done(empty)
  // Without a listener, a connection that closes in the middle of a body would crash the process.
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
