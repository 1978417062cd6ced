/**
 * The attempts of one request, as its hooks see them. Without hooks nothing is recorded.
 */
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import type { CallRequest, CallResponse, Headers, Hooks } from "../../CallResponse.ts"
import type { Unreachable } from "../../ClientError.ts"
import type { Request } from "./Message.ts"
import * as RequestId from "./RequestId.ts"

export interface Exchange {
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly isObserved: boolean
  /** The exchange of the next attempt. */
  readonly next: () => Exchange
  readonly sent: (request: Request, http: HttpClientRequest.HttpClientRequest) => void
  readonly received: (status: number, headers: Headers) => void
  readonly failed: (error: Unreachable) => void
}

const secret = /auth|cookie|(?<!idempotency-)key$|password|secret|token/

const redacted = "<redacted>"

/** Copies headers; secrets, and cookies, are redacted. */
const visible = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secret.test(name) ? redacted : value]))

const ignore = () => {}

/** The first attempt of a request. */
export const make = (hooks: ReadonlyArray<Hooks>, clock: Clock.Clock): Exchange => {
  const start = hooks.length === 0 ? 0 : clock.unsafeCurrentTimeMillis()

  const attempted = (attempt: number): Exchange => {
    const next = () => attempted(attempt + 1)
    if (hooks.length === 0) {
      return { attempt, isObserved: false, next, sent: ignore, received: ignore, failed: ignore }
    }
    let request: CallRequest | undefined
    const each = (notify: (hooks: Hooks, request: CallRequest) => void) => {
      if (request !== undefined) for (const hook of hooks) notify(hook, request)
    }
    return {
      attempt,
      isObserved: true,
      next,
      sent: ({ method, subject, target, visibleTarget }, http) => {
        const url = http.url.slice(0, http.url.length - target.length) + (visibleTarget?.() ?? target)
        request = { subject, method, url, headers: visible(http.headers), attempt }
        each(({ onRequest }, request) => onRequest?.(request))
      },
      received: (status, headers) => {
        const response: CallResponse = {
          status,
          headers: visible(headers),
          requestId: RequestId.fromHeaders((name) => headers[name]),
          duration: Duration.millis(clock.unsafeCurrentTimeMillis() - start),
          attempts: attempt
        }
        each(({ onResponse }, request) => onResponse?.(response, request))
      },
      failed: (error) => each(({ onFailure }, request) => onFailure?.(error, request))
    }
  }
  return attempted(1)
}
