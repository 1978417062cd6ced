/**
 * Declares one hostile request, whose method, target, headers and body any key could send.
 */
import type { Sockets } from "./Sockets.ts"

/** The rows that requests refer to, and the source of texts that differ from request to request. */
export interface Facts {
  /** The id of a transfer with 1 000 lines. */
  readonly transfer: string
  /** A word that no earlier request had. */
  readonly word: () => string
  /** The number of times that the request was sent before. */
  readonly turn: number
}

export interface HostileRequest {
  readonly family: string
  readonly name: string
  /** `GET` by default. */
  readonly method?: string
  /** The path and the query: at most 8 KB. */
  readonly target: (facts: Facts) => string
  readonly headers?: (facts: Facts) => Readonly<Record<string, string>>
  /** The body, which each connection sends as it is, or several bodies, of which each turn sends the next. */
  readonly body?: () => string | ReadonlyArray<string>
  /** The API key: the company's own (the default), an unknown one, or none. */
  readonly key?: "unknown" | "none"
  /** The number of requests that each connection sends, one after the other: one by default. */
  readonly times?: number
  /** Sends the request once before all connections send it, such as one whose repetitions are measured. */
  readonly isRepeated?: boolean
  /** Sends the body in chunks, one each 100 ms. */
  readonly isSlow?: boolean
  /** The number of further connections that send the request and read nothing, until it has its response. */
  readonly unread?: number
  /** Further connections, which send a part of the request and read nothing, until it has its response. */
  readonly sockets?: Sockets
  /** The rows that the request creates for each of its keys, once, and the target that reads those of all. */
  readonly creates?: { readonly target: string; readonly rows: number; readonly keys: number }
}

/** A list with a comma between its elements. */
export const list = (count: number, element: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => element(index)).join(",")
