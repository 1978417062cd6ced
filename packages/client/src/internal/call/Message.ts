/**
 * A request as the methods send it, and its response.
 */
import type { HttpMethod } from "@effect/platform/HttpMethod"

export interface Request {
  /** The resource or operation that errors name. */
  readonly subject: string
  readonly method: HttpMethod
  /** Path and query below the address of the interface. */
  readonly target: string
  readonly headers?: { readonly [name: string]: string }
  /** JSON. */
  readonly body?: string
  /** True where a second request with the same contents changes nothing, so that a retry is safe. */
  readonly isIdempotent: boolean
  /** True for requests that change nothing. */
  readonly isRead?: boolean
  /** The target without secrets (default: the target). */
  readonly visibleTarget?: () => string
}

export interface Response {
  readonly status: number
  readonly text: string
  readonly header: (name: string) => string | undefined
  /** The number of attempts before the one that this responds to. */
  readonly retries: number
}
