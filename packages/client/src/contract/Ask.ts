/**
 * A request of a probe as it is sent, and its response as it is received.
 */
import type * as Effect from "effect/Effect"

/** The interface that a request goes to: the address of rows, or that of operations. */
export type Face = "rows" | "operations"

export interface Request {
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST" | "PATCH" | "PUT" | "DELETE" | "PROPFIND"
  readonly face: Face
  /** Path and query below the address of the interface. */
  readonly target: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** The credentials (default: the key of the service). */
  readonly credentials?: "key" | "none" | "unknown"
}

export interface Answer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: { readonly [name: string]: string | undefined }
  readonly text: string
}

/** Sends a request. */
export type Ask<E> = (request: Request) => Effect.Effect<Answer, E>
