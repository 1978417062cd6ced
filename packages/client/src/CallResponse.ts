/**
 * The requests and responses of calls, as hooks and `Rows.withResponse` return them. They hold no API key and no body.
 */
import type * as Duration from "effect/Duration"
import type { Unreachable } from "./ClientError.ts"

/** Headers by their names in lower case. */
export interface Headers {
  readonly [name: string]: string
}

/** One attempt of a request. */
export interface CallRequest {
  /** The resource or operation. */
  readonly subject: string
  readonly method: string
  /** The address, without the values of secret columns. */
  readonly url: string
  /** The headers, with `<redacted>` for secrets. */
  readonly headers: Headers
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** A response of any status. */
export interface CallResponse {
  readonly status: number
  readonly headers: Headers
  /** The identifier by which the operator of the service finds the request in its log. */
  readonly requestId: string | undefined
  /** The time since the first attempt, with the waits of retries. */
  readonly duration: Duration.Duration
  /** The number of attempts, with the one of this response. */
  readonly attempts: number
}

/** Functions that see the requests of calls; they cannot change them. */
export interface Hooks {
  /** Runs before each attempt. */
  readonly onRequest?: ((request: CallRequest) => void) | undefined
  /** Runs after each response, also after one that is retried. */
  readonly onResponse?: ((response: CallResponse, request: CallRequest) => void) | undefined
  /** Runs after each attempt without a response. */
  readonly onFailure?: ((error: Unreachable, request: CallRequest) => void) | undefined
}

/** The result of an effect, and the last response that it received. */
export interface WithResponse<A> {
  readonly value: A
  /** `undefined` where the effect sent no request. */
  readonly response: CallResponse | undefined
}
