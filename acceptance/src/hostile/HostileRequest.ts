/**
 * Declares one hostile request, whose method, target, headers and body any key could send.
 */

/** The rows that requests refer to, and the source of texts that differ from request to request. */
export interface Facts {
  /** The id of a transfer with 1 000 lines. */
  readonly transfer: string
  /** A word that no earlier request had. */
  readonly word: () => string
}

export interface HostileRequest {
  readonly family: string
  readonly name: string
  /** `GET` by default. */
  readonly method?: string
  /** The path and the query: at most 8 KB. */
  readonly target: (facts: Facts) => string
  readonly headers?: (facts: Facts) => Readonly<Record<string, string>>
  /** The body, which each connection sends as it is. */
  readonly body?: () => string
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
}

/** A list with a comma between its elements. */
export const list = (count: number, element: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => element(index)).join(",")
