/**
 * A request and its answer as plain data: the only transport type. The socket server and the in-process layer are
 * two thin adapters around a service that knows nothing else.
 */
import type * as Effect from "effect/Effect"
import type { Unread } from "./Unread.ts"

/**
 * The reason for which others than the user of this machine may have sent a request: the service listens beyond loopback
 * (`address`), or the request has another peer, another host, or the origin of another site.
 */
export type Exposure = "address" | "peer" | "host" | "origin"

export interface Request {
  /** Upper case. */
  readonly method: string
  /** Path and query as sent, percent-encoded, beginning with `/`. */
  readonly target: string
  /** Names in lower case; a repeated header is joined with `, `. */
  readonly headers: Headers
  /** The whole body; text where the transport has it as text already. */
  readonly body: Uint8Array | string
  /** Undefined for a request of the user of this machine, and in one process. Published keys need that. */
  readonly exposure?: Exposure | undefined
  /** The address of the other end of the connection, if there is one. */
  readonly peer?: string | undefined
  /** The id of the request in its response, the log and the history; the service sets it. */
  readonly requestId?: string
  /** The memory of the responses that clients do not read, if the transport keeps any. */
  readonly unread?: Unread | undefined
  /** The span of the request, if the service records spans; the service sets it. */
  readonly span?: SpanContext | undefined
}

/** The place of a span in its trace. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** The header `tracestate` of the caller. */
  readonly traceState: string | undefined
  readonly isSampled: boolean
}

export interface Response {
  readonly status: number
  /** Names as they should appear on the wire. */
  readonly headers: Headers
  readonly body: Uint8Array | string
  /** The way in which the transport sends the response, if not whole and immediately. */
  readonly sending?: Sending | undefined
  /** The body of a response that is sent while it is produced, in place of `body`. */
  readonly stream?: BodyStream | undefined
}

/** A disturbance of a response on its way. */
export type Sending =
  /** The connection is reset, and no response is sent. */
  | { readonly _tag: "Reset" }
  /** No response is sent; the connection stays open. */
  | { readonly _tag: "Hang" }
  /** The connection is closed after this part of the body. */
  | { readonly _tag: "Cut"; readonly part: number; readonly bytesPerSecond?: number | undefined }
  | { readonly _tag: "Paced"; readonly bytesPerSecond: number }

/**
 * Produces the parts of a body, each after the part before it was sent, until the signal is aborted: the client has
 * disconnected, or the service is stopping.
 */
export type BodyStream = (signal: AbortSignal) => AsyncIterable<string>

export interface Headers {
  readonly [name: string]: string | undefined
}

/** The size of a body. */
export const bytesOf = (body: Request["body"]): number =>
  typeof body === "string" ? Buffer.byteLength(body) : body.length

/** Adds a header, or replaces it. */
export const withHeader = (headers: Headers, name: string, value: string): Headers => {
  // An assignment after the copy takes a tenth of the time of a literal that spreads the headers.
  const copy: { [name: string]: string | undefined } = { ...headers }
  copy[name] = value
  return copy
}

/** Answers every request: what goes wrong is an answer too. An `Exit` when nothing had to be waited for. */
export type Handler = (request: Request) => Effect.Effect<Response>
