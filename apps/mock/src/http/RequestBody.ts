/**
 * Reads the body of a request up to a limit. A large body is read only when there is memory for it; until then its
 * connection is paused. Event handlers cost less than a stream.
 */
import type { IncomingMessage } from "node:http"

/** The size from which a body needs a reservation. A chunked body has no size, so it is read up to here first. */
const largeBytes = 64 * 1024

const empty = new Uint8Array(0)

/** Reports whether a body follows the headers. */
export const isExpected = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Reports whether the Content-Length exceeds the limit. */
export const isTooLarge = ({ headers }: IncomingMessage, limit: number): boolean =>
  Number(headers["content-length"]) > limit

export type Outcome =
  | { readonly _tag: "Complete"; readonly body: Uint8Array }
  | { readonly _tag: "TooLarge" }
  /** There was no memory for the body in time. Nothing else of it is read. */
  | { readonly _tag: "NoRoom" }

export interface Options {
  readonly limit: number
  /** The time for which a large body waits for memory. */
  readonly waitMillis: number
  /** Calls `start` when there is memory for a body; the returned function gives it back, or cancels the reservation. */
  readonly reserve: (bytes: number, start: () => void) => () => void
}

/**
 * Calls `done` once with the outcome; the rest of a body that is too large is discarded. If the client disconnects
 * first, `done` is never called.
 */
export const read = (
  incoming: IncomingMessage,
  { limit, reserve, waitMillis }: Options,
  done: (outcome: Outcome) => void
): void => {
  // Without a listener, a connection that closes in the middle of a body would crash the process.
  incoming.on("error", () => {})
  const declared = Number(incoming.headers["content-length"])
  let chunks: Array<Uint8Array> | undefined = []
  /** The memory of a large body whose size is known. */
  let whole: Uint8Array | undefined
  let size = 0
  let isReserved = false

  const reserveMemory = (bytes: number, start: () => void) => {
    isReserved = true
    const timer = setTimeout(() => {
      chunks = undefined
      cancel()
      done({ _tag: "NoRoom" })
    }, waitMillis)
    const cancel = reserve(bytes, () => {
      clearTimeout(timer)
      start()
    })
    incoming.once("close", () => clearTimeout(timer))
  }

  const onData = (chunk: Uint8Array) => {
    if (chunks === undefined) return
    whole?.set(chunk, size)
    size += chunk.length
    if (whole !== undefined) return
    if (size > limit) {
      chunks = undefined
      incoming.resume()
      return done({ _tag: "TooLarge" })
    }
    chunks.push(chunk)
    if (isReserved || size <= largeBytes) return
    incoming.pause()
    reserveMemory(limit, () => incoming.resume())
  }
  const collect = () => {
    incoming.on("data", onData)
    incoming.on("end", () => {
      if (chunks === undefined) return
      const [first = empty] = chunks
      const body = whole ?? (chunks.length > 1 ? Buffer.concat(chunks, size) : first)
      // The listeners outlive the body, and must not keep a second copy of it.
      chunks = whole = undefined
      done({ _tag: "Complete", body })
    })
  }

  const collectWhole = () => {
    // Node passes on no more bytes than the header declares.
    whole = Buffer.allocUnsafeSlow(declared)
    collect()
  }
  // A chunked body declares no size.
  if (declared > largeBytes) reserveMemory(declared, collectWhole)
  else collect()
}
