/**
 * One call over HTTP, repeated as long as that may help: what every service of this package stands on. It knows
 * statuses and headers; what an answer means is for whoever asked.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { type Failure, Unreachable } from "../ClientError.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import * as Telemetry from "./Telemetry.ts"

/** What is asked. */
export interface Call {
  /** The resource, or operation: what errors name. */
  readonly subject: string
  readonly method: HttpMethod
  /** Path and query below the address of the interface. */
  readonly target: string
  readonly headers?: { readonly [name: string]: string }
  /** JSON. */
  readonly body?: string
  /** Whether the second of two equal calls changes nothing. */
  readonly repeatable: boolean
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly header: (name: string) => string | undefined
  /** How often the call was sent before this answer came. */
  readonly repeated: number
}

export interface Transport {
  /** The address without path and query, as errors show it. */
  readonly origin: string
  readonly send: (call: Call) => Effect.Effect<Answer, Unreachable>
}

export interface Options {
  /** The address of the interface, without a slash at its end. */
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly retry: RetryPolicy.RetryPolicy
  readonly timeout: Duration.Duration | undefined
}

/** When an answer asks for the next call: seconds, or a date. */
export const retryAfter = (answer: Answer, nowMillis: number): Duration.Duration | undefined => {
  const given = answer.header("retry-after")
  if (given === undefined) return undefined
  if (/^\d{1,9}$/.test(given)) return Duration.seconds(Number(given))
  const until = Date.parse(given)
  return Number.isNaN(until) ? undefined : Duration.millis(Math.max(0, until - nowMillis))
}

// The platform's errors hold the request, and with it the key: only what is behind them goes on.
const causeOf = (error: HttpClientError.HttpClientError): unknown => error.cause

const failureOf = (error: HttpClientError.HttpClientError): Failure =>
  error._tag === "ResponseError" ? "Interruption" : "Connection"

/** Whatever an answer's text begins with, it is not part of it. */
const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

/** A transport over a client. */
export const make = (client: HttpClient.HttpClient, options: Options): Transport => {
  const { retry, timeout, url } = options
  const origin = new URL(url).origin
  const plain = HttpClientRequest.make("GET")(url, { headers: { accept: "application/json", ...options.headers } })

  const toRequest = ({ body, headers, method, target }: Call): HttpClientRequest.HttpClientRequest => {
    let request = HttpClientRequest.setUrl(plain, url + target)
    if (method !== "GET") request = HttpClientRequest.setMethod(request, method)
    if (headers !== undefined) request = HttpClientRequest.setHeaders(request, headers)
    return body === undefined
      ? request
      : HttpClientRequest.setBody(request, HttpBody.raw(body, { contentType: "application/json" }))
  }

  const unreachable = (subject: string, reason: Failure, cause?: unknown) =>
    new Unreachable({ subject, origin, reason, cause })

  const told = ({ subject }: Call, error: HttpClientError.HttpClientError | Unreachable): Unreachable =>
    error._tag === "Unreachable" ? error : unreachable(subject, failureOf(error), causeOf(error))

  const once = (
    call: Call,
    request: HttpClientRequest.HttpClientRequest,
    repeated: number
  ): Effect.Effect<Answer, HttpClientError.HttpClientError | Unreachable> => {
    const answered = Effect.flatMap(client.execute(request), (response) =>
      Effect.map(response.text, (text): Answer => ({
        status: response.status,
        text: withoutMark(text),
        header: (name) => response.headers[name],
        repeated
      }))
    )
    return timeout === undefined
      ? answered
      : Effect.timeoutFail(answered, { duration: timeout, onTimeout: () => unreachable(call.subject, "Timeout") })
  }

  /** How long to wait before the same call is sent again; `undefined` when it is not. */
  const pause = (repeated: number, asked: Duration.Duration | undefined): Effect.Effect<number | undefined> =>
    repeated >= retry.times || (asked !== undefined && Duration.greaterThan(asked, retry.longest))
      ? Effect.succeed(undefined)
      : Effect.map(Random.next, (random) => RetryPolicy.delayMillis(retry, repeated, asked, random))

  const attempt = (
    call: Call,
    request: HttpClientRequest.HttpClientRequest,
    repeated: number
  ): Effect.Effect<Answer, Unreachable> => {
    const sent = once(call, request, repeated)
    if (!call.repeatable) return Effect.mapError(sent, (error) => told(call, error))
    const again = (millis: number, reason: string) =>
      Effect.flatMap(Effect.sleep(Duration.millis(millis)), () => {
        Telemetry.repeated(call.subject, reason)
        return attempt(call, request, repeated + 1)
      })
    return Effect.matchEffect(sent, {
      onFailure: (failure) => {
        const error = told(call, failure)
        return Effect.flatMap(pause(repeated, undefined), (millis) =>
          millis === undefined ? Effect.fail(error) : again(millis, error.reason)
        )
      },
      onSuccess: (answer) =>
        RetryPolicy.isTransient(answer.status)
          ? Effect.flatMap(Clock.currentTimeMillis, (now) =>
              Effect.flatMap(pause(repeated, retryAfter(answer, now)), (millis) =>
                millis === undefined ? Effect.succeed(answer) : again(millis, String(answer.status))
              )
            )
          : Effect.succeed(answer)
    })
  }

  return { origin, send: (call) => Effect.suspend(() => attempt(call, toRequest(call), 0)) }
}
