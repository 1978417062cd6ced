/**
 * Reads the body of a request up to a limit, and decodes it. A large body, and the rest of a small one that arrives in
 * several parts, is read only when there is memory for it; until then its connection is paused. Event handlers cost less
 * than a stream.
 */
import type { IncomingMessage } from "node:http"
import type { Transform } from "node:stream"
import { pieces as limits } from "../service/Limits.ts"
import type { BodyBuffers } from "./BodyBuffers.ts"

/** The size from which a body needs a reservation. A chunked body has no size, so it is read up to here first. */
export const largeBytes: number = 64 * 1024

/** The number of pieces of a small body above which they are copied to one place. */
const mostPieces = 64

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
  /** The body has many small pieces. Nothing else of it is to be read. */
  | { readonly _tag: "Fragmented" }

export interface Options {
  /** The limit of the body, and of its encoded form. */
  readonly limit: number
  /** The time for which a large body waits for memory. */
  readonly waitMillis: number
  /**
   * Calls `start` when there is memory for a body; the returned function gives it back, or cancels the reservation. It is
   * undefined where too many bodies wait.
   */
  readonly reserve: (bytes: number, start: () => void) => (() => void) | undefined
  readonly buffers: BodyBuffers
  /** Decodes the body; undefined for a body without an encoding. */
  readonly decoder: Transform | undefined
}

const isFragmented = (pieces: number, size: number): boolean => pieces > limits.number && size < pieces * limits.bytes

/**
 * Feeds a decoder with the body; the returned function ends that. If the client disconnects first, the decoder is
 * destroyed.
 */
const feed = (incoming: IncomingMessage, decoder: Transform, limit: number, refuse: (outcome: Outcome) => void) => {
  let size = 0
  let pieces = 0
  const count = (chunk: Uint8Array) => {
    size += chunk.length
    pieces += 1
    // An encoded body may decode to nothing, however long it is.
    if (size > limit) return refuse({ _tag: "TooLarge" })
    if (isFragmented(pieces, size)) refuse({ _tag: "Fragmented" })
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
  let pieces = 0
  let isReserved = false
  let giveBack = () => {}
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
    // A body that outgrows the memory of a small one needs that of a large one instead.
    giveBack()
    const timer = setTimeout(() => {
      cancel?.()
      refuse({ _tag: "NoRoom" })
    }, waitMillis)
    const cancel = reserve(bytes, () => {
      clearTimeout(timer)
      start()
    })
    if (cancel === undefined) {
      clearTimeout(timer)
      return refuse({ _tag: "NoRoom" })
    }
    giveBack = cancel
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

  /** Copies the body to memory of a size, which the next pieces are copied to as well. */
  const gather = (memory: Uint8Array) => {
    let end = 0
    for (const chunk of whole === undefined ? (chunks ?? []) : [whole.subarray(0, size)]) {
      memory.set(chunk, end)
      end += chunk.length
    }
    whole = memory
    chunks = []
  }

  /** Reads the rest of a body that is longer than its first pieces, when there is memory for it. */
  const readOn = (bytes: number, start: () => void) => {
    source.pause()
    reserveMemory(bytes, () => {
      start()
      source.resume()
    })
  }

  /** Reserves the memory of a small body whose end has not arrived with its beginning. */
  const holdSmall = () => {
    if (chunks === undefined || isReserved || source.readableEnded) return
    readOn(Math.min(limit, Number.isNaN(declared) ? largeBytes : declared), () => undefined)
  }

  const onData = (chunk: Uint8Array) => {
    if (chunks === undefined) return
    const start = size
    pieces += 1
    if (start + chunk.length > limit) return discard({ _tag: "TooLarge" })
    if (isFragmented(pieces, start + chunk.length)) return discard({ _tag: "Fragmented" })
    if (pieces === 1 && !isReserved) setImmediate(holdSmall)
    const isBeyond = !isReserved && start + chunk.length > largeBytes
    if (whole !== undefined && !isBeyond) whole.set(chunk, start)
    else if (pieces > mostPieces && !isBeyond) {
      gather(Buffer.allocUnsafeSlow(largeBytes))
      whole?.set(chunk, start)
    } else {
      if (whole !== undefined) chunks = [whole.subarray(0, start)]
      whole = undefined
      chunks.push(chunk)
    }
    size += chunk.length
    if (!isBeyond) return
    isReserved = true
    readOn(limit, () => gather(borrow(limit)))
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
    isReserved = true
    // Node passes on no more bytes than the header declares.
    whole = borrow(declared)
    collect()
  }
  // A chunked body declares no size.
  if (declared > largeBytes) reserveMemory(declared, collectWhole)
  else collect()

  if (decoder === undefined) return
  decoder.on("error", () => discard({ _tag: "Undecodable" }))
  stopDecoding = feed(incoming, decoder, limit, discard)
}
