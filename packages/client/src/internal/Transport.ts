/**
 * Sends a request over HTTP, and retries it where the policy allows. It knows statuses and headers, and leaves their
 * meaning to its callers.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as RetryAfter from "@mfgdata/domain/RetryAfter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { type Failure, Unreachable } from "../ClientError.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Telemetry from "./Telemetry.ts"

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
}

export interface Response {
  readonly status: number
  readonly text: string
  readonly header: (name: string) => string | undefined
  /** The number of attempts before the one that this responds to. */
  readonly retries: number
}

export interface Transport {
  /** The address without path and query, as errors show it. */
  readonly origin: string
  readonly send: (request: Request) => Effect.Effect<Response, Unreachable>
}

export interface Options {
  /** The address of the interface, without a slash at its end. */
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly retry: RetryPolicy.RetryPolicy
  readonly timeout: Duration.Duration | undefined
}

const failureOf = (error: HttpClientError.HttpClientError): Failure =>
  error._tag === "ResponseError" ? "Interruption" : "Connection"

const withoutByteOrderMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

/** A transport over a client. */
export const make = (client: HttpClient.HttpClient, options: Options): Transport => {
  const { retry, timeout, url } = options
  const origin = new URL(url).origin
  const plain = HttpClientRequest.make("GET")(url, { headers: { accept: "application/json", ...options.headers } })

  const toHttp = ({ body, headers, method, target }: Request): HttpClientRequest.HttpClientRequest => {
    let request = HttpClientRequest.setUrl(plain, url + target)
    if (method !== "GET") request = HttpClientRequest.setMethod(request, method)
    if (headers !== undefined) request = HttpClientRequest.setHeaders(request, headers)
    return body === undefined
      ? request
      : HttpClientRequest.setBody(request, HttpBody.raw(body, { contentType: "application/json" }))
  }

  const unreachable = (subject: string, reason: Failure, cause?: unknown) =>
    new Unreachable({ subject, origin, reason, cause })

  // The platform's errors hold the request, and with it the key; only their causes are passed on.
  const toUnreachable = (subject: string, error: HttpClientError.HttpClientError | Unreachable): Unreachable =>
    error._tag === "Unreachable" ? error : unreachable(subject, failureOf(error), error.cause)

  const once = (
    subject: string,
    request: HttpClientRequest.HttpClientRequest,
    retries: number
  ): Effect.Effect<Response, Unreachable> => {
    const response = Effect.flatMap(client.execute(request), ({ headers, status, text }) =>
      Effect.map(text, (text): Response => ({
        status,
        text: withoutByteOrderMark(text),
        header: (name) => headers[name],
        retries
      }))
    )
    const timed =
      timeout === undefined
        ? response
        : Effect.timeoutFail(response, { duration: timeout, onTimeout: () => unreachable(subject, "Timeout") })
    return Effect.mapError(timed, (error) => toUnreachable(subject, error))
  }

  /** The milliseconds until the next attempt; `undefined` after the last one. */
  const pause = (retries: number, retryAfter: Duration.Duration | undefined): Effect.Effect<number | undefined> =>
    retries >= retry.times || (retryAfter !== undefined && Duration.greaterThan(retryAfter, retry.longest))
      ? Effect.succeed(undefined)
      : Effect.map(Random.next, (random) => RetryPolicy.delayMillis(retry, retries, retryAfter, random))

  const attempt = (
    subject: string,
    request: HttpClientRequest.HttpClientRequest,
    retries: number
  ): Effect.Effect<Response, Unreachable> => {
    const again = (millis: number, reason: string) =>
      Effect.flatMap(Effect.sleep(Duration.millis(millis)), () => {
        Telemetry.countRetry(subject, reason)
        return attempt(subject, request, retries + 1)
      })
    return Effect.matchEffect(once(subject, request, retries), {
      onFailure: (error) =>
        Effect.flatMap(pause(retries, undefined), (millis) =>
          millis === undefined ? Effect.fail(error) : again(millis, error.reason)
        ),
      onSuccess: (response) =>
        RetryPolicy.isTransient(response.status, ErrorBody.parse(response)?.code)
          ? Effect.flatMap(Clock.currentTimeMillis, (now) =>
              Effect.flatMap(pause(retries, RetryAfter.delay(response.header("retry-after"), now)), (millis) =>
                millis === undefined ? Effect.succeed(response) : again(millis, String(response.status))
              )
            )
          : Effect.succeed(response)
    })
  }

  return {
    origin,
    send: (request) =>
      Effect.suspend(() =>
        request.isIdempotent ? attempt(request.subject, toHttp(request), 0) : once(request.subject, toHttp(request), 0)
      )
  }
}
