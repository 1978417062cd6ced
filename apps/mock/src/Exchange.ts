/**
 * A request and its answer as plain data: the only transport type. The socket server and the in-process layer are
 * two thin adapters around a service that knows nothing else.
 */
import type * as Effect from "effect/Effect"

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
}

export interface Response {
  readonly status: number
  /** Names as they should appear on the wire. */
  readonly headers: Headers
  readonly body: Uint8Array | string
}

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
