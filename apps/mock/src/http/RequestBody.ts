/**
 * Reads the body of a request up to a limit, and decodes it. A large body is read only when there is memory for it; until
 * then its connection is paused. Event handlers cost less than a stream.
 */
import type { IncomingMessage } from "node:http"
import type { Transform } from "node:stream"
import type { BodyBuffers } from "./BodyBuffers.ts"

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
  /** The memory of the body is used again after `release`. */
  | { readonly _tag: "Complete"; readonly body: Uint8Array; readonly release: () => void }
  | { readonly _tag: "TooLarge" }
  /** The body does not have the encoding of its `Content-Encoding`. */
  | { readonly _tag: "Undecodable" }
  /** There was no memory for the body in time. Nothing else of it is read. */
  | { readonly _tag: "NoRoom" }

export interface Options {
  /** The limit of the body, and of its encoded form. */
  readonly limit: number
  /** The time for which a large body waits for memory. */
  readonly waitMillis: number
  /** Calls `start` when there is memory for a body; the returned function gives it back, or cancels the reservation. */
  readonly reserve: (bytes: number, start: () => void) => () => void
  readonly buffers: BodyBuffers
  /** Decodes the body; undefined for a body without an encoding. */
  readonly decoder: Transform | undefined
}

/**
 * Feeds a decoder with the body; the returned function ends that. If the client disconnects first, the decoder is
 * destroyed.
 */
const feed = (incoming: IncomingMessage, decoder: Transform, limit: number, onTooLarge: () => void) => {
  let size = 0
  const count = (chunk: Uint8Array) => {
    size += chunk.length
    // An encoded body may decode to nothing, however long it is.
    if (size > limit) onTooLarge()
  }
  const stop = () => {
    incoming.off("data", count).unpipe(decoder)
    decoder.destroy()
  }
  incoming.on("data", count).once("close", () => {
    if (!incoming.readableEnded) stop()
  })
  incoming.pipe(decoder)
  return stop
}

/**
 * Calls `done` once with the outcome; the rest of a body that is too large is discarded. If the client disconnects
 * first, `done` is never called.
 */
export const read = (
  incoming: IncomingMessage,
  { buffers, decoder, limit, reserve, waitMillis }: Options,
  done: (outcome: Outcome) => void
): void => {
  // Without a listener, a connection that closes in the middle of a body would crash the process.
  incoming.on("error", () => {})
  const source = decoder ?? incoming
  // A decoded body has another size than the header declares.
  const declared = decoder === undefined ? Number(incoming.headers["content-length"]) : NaN
  let chunks: Array<Uint8Array> | undefined = []
  /** The memory of a large body. */
  let whole: Uint8Array | undefined
  let release = () => {}
  let size = 0
  let isReserved = false
  let stopDecoding: (() => void) | undefined

  const refuse = (outcome: Outcome) => {
    chunks = whole = undefined
    release()
    stopDecoding?.()
    done(outcome)
  }
  const discard = (outcome: Outcome) => {
    if (chunks === undefined) return
    refuse(outcome)
    incoming.resume()
  }

  const reserveMemory = (bytes: number, start: () => void) => {
    isReserved = true
    const timer = setTimeout(() => {
      cancel()
      refuse({ _tag: "NoRoom" })
    }, waitMillis)
    const cancel = reserve(bytes, () => {
      clearTimeout(timer)
      start()
    })
    incoming.once("close", () => {
      if (incoming.readableEnded) return
      clearTimeout(timer)
      chunks = whole = undefined
      release()
    })
  }

  const borrow = (bytes: number): Uint8Array => {
    const [memory, giveBack] = buffers.lend(bytes)
    release = giveBack
    return memory
  }

  const onData = (chunk: Uint8Array) => {
    if (chunks === undefined) return
    const start = size
    size += chunk.length
    if (size > limit) return discard({ _tag: "TooLarge" })
    if (whole !== undefined) return whole.set(chunk, start)
    chunks.push(chunk)
    if (isReserved || size <= largeBytes) return
    source.pause()
    reserveMemory(limit, () => {
      whole = borrow(limit)
      let end = 0
      for (const chunk of chunks ?? []) {
        whole.set(chunk, end)
        end += chunk.length
      }
      chunks = []
      source.resume()
    })
  }
  const collect = () => {
    source.on("data", onData)
    source.on("end", () => {
      if (chunks === undefined) return
      const [first = empty] = chunks
      const body = whole?.subarray(0, size) ?? (chunks.length > 1 ? Buffer.concat(chunks, size) : first)
      // The listeners outlive the body, and must not keep a second copy of it.
      chunks = whole = undefined
      done({ _tag: "Complete", body, release })
    })
  }

  const collectWhole = () => {
    // Node passes on no more bytes than the header declares.
    whole = borrow(declared)
    collect()
  }
  // A chunked body declares no size.
  if (declared > largeBytes) reserveMemory(declared, collectWhole)
  else collect()

  if (decoder === undefined) return
  decoder.on("error", () => discard({ _tag: "Undecodable" }))
  stopDecoding = feed(incoming, decoder, limit, () => discard({ _tag: "TooLarge" }))
}
