/**
 * Sends a request over HTTP, and retries it where its options allow. It knows statuses and headers, and leaves their
 * meaning to its callers.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as RetryAfter from "@mfgdata/domain/RetryAfter"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberRef from "effect/FiberRef"
import type { CallOptions } from "../CallOptions.ts"
import { type Failure, Unauthorized, Unreachable } from "../ClientError.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import * as CallContext from "./call/CallContext.ts"
import * as CallSettings from "./call/CallSettings.ts"
import * as Confirmation from "./Confirmation.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Exchange from "./call/Exchange.ts"
import type { Request, Response } from "./call/Message.ts"
import * as Redirects from "./Redirects.ts"
import * as Telemetry from "./Telemetry.ts"

export type { Request, Response } from "./call/Message.ts"

export interface Transport {
  /** The address without path and query, as errors show it. */
  readonly origin: string
  readonly send: (request: Request) => Effect.Effect<Response, Unauthorized | Unreachable>
}

const failureOf = (error: HttpClientError.HttpClientError): Failure =>
  error._tag === "ResponseError" ? "Interruption" : "Connection"

const withoutByteOrderMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const always = () => true

/** A transport over a client; an invalid option is a defect that names it. */
export const make = (client: HttpClient.HttpClient, url: string, options: CallOptions): Transport => {
  const origin = new URL(url).origin
  const settingsOf = CallSettings.make(options)
  settingsOf({})

  const toHttp = ({ body, headers, method, target }: Request, settings: CallSettings.CallSettings) => {
    let request = HttpClientRequest.setUrl(settings.request, url + target)
    if (method !== "GET") request = HttpClientRequest.setMethod(request, method)
    if (headers !== undefined) request = HttpClientRequest.setHeaders(request, CallSettings.combine(request, headers))
    return body === undefined
      ? request
      : HttpClientRequest.setBody(request, HttpBody.raw(body, { contentType: "application/json" }))
  }

  const execute = (
    { isRead = false, method, subject }: Request,
    http: HttpClientRequest.HttpClientRequest,
    exchange: Exchange.Exchange,
    timeout: Duration.Duration | undefined
  ): Effect.Effect<Response, Unreachable> => {
    let isWritten = false
    const unreachable = (reason: Failure, cause?: unknown) =>
      new Unreachable({ subject, origin, reason, written: isWritten, cause })
    const executed = method === "GET" ? client.execute(http) : Redirects.unfollowed(client.execute(http))
    const response = Effect.flatMap(executed, ({ headers, status, text }) => {
      const header = (name: string) => headers[name]
      isWritten = !isRead && Confirmation.isConfirmed({ status, header, text: "" }, true)
      return Effect.map(text, (text): Response => {
        exchange.received(status, headers)
        return { status, text: withoutByteOrderMark(text), header, retries: exchange.attempt - 1 }
      })
    })
    // The platform's errors hold the request, and with it the key; only their causes are passed on.
    const reached = Effect.mapError(response, (error) => unreachable(failureOf(error), error.cause))
    const timed =
      timeout === undefined
        ? reached
        : Effect.timeoutFail(reached, { duration: timeout, onTimeout: () => unreachable("Timeout") })
    return exchange.isObserved ? Effect.tapError(timed, (error) => Effect.sync(() => exchange.failed(error))) : timed
  }

  const once = (
    request: Request,
    settings: CallSettings.CallSettings,
    exchange: Exchange.Exchange
  ): Effect.Effect<Response, Unreachable> => {
    const http = toHttp(request, settings)
    return Telemetry.attempt(request.method, http.url, exchange.attempt, (headers) => {
      const traced = headers === undefined ? http : HttpClientRequest.setHeaders(http, headers)
      exchange.sent(request, traced)
      return execute(request, traced, exchange, settings.timeout)
    })
  }

  const attempt = (
    request: Request,
    settings: CallSettings.CallSettings,
    exchange: Exchange.Exchange
  ): Effect.Effect<Response, Unreachable> => {
    if (!request.isIdempotent) return once(request, settings, exchange)
    const waits = settings.retry()
    const next = (exchange: Exchange.Exchange): Effect.Effect<Response, Unreachable> => {
      const retry = (
        failed: Omit<RetryPolicy.FailedAttempt, "attempt">,
        otherwise: Effect.Effect<Response, Unreachable>
      ) =>
        Effect.flatMap(waits({ ...failed, attempt: exchange.attempt }), (millis) =>
          millis === undefined
            ? otherwise
            : Effect.flatMap(Effect.sleep(millis), () => {
                Telemetry.countRetry(request.subject, failed.status?.toString() ?? failed.reason)
                return next(exchange.next())
              })
        )
      return Effect.matchEffect(once(request, settings, exchange), {
        onFailure: (error) =>
          retry({ reason: error.reason, status: undefined, retryAfter: undefined }, Effect.fail(error)),
        onSuccess: (response) =>
          RetryPolicy.isTransient(response.status, ErrorBody.parse(response)?.code)
            ? Effect.flatMap(Clock.currentTimeMillis, (now) => {
                const retryAfter = RetryAfter.delay(response.header("retry-after"), now)
                return retry({ reason: "Status", status: response.status, retryAfter }, Effect.succeed(response))
              })
            : Effect.succeed(response)
      })
    }
    return next(exchange)
  }

  return {
    origin,
    send: (request) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.withFiberRuntime<Response, Unauthorized | Unreachable>((fiber) => {
          const { hooks, options } = fiber.getFiberRef(CallContext.current)
          const settings = settingsOf(options)
          if (Either.isLeft(settings)) {
            const detail = settings.left
            return Effect.fail(new Unauthorized({ subject: request.subject, code: undefined, detail }))
          }
          const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
          const exchange = Exchange.make(hooks, clock)
          // The span of the platform would hold the query, with its values.
          const before = fiber.getFiberRef(HttpClient.currentTracerDisabledWhen)
          const disabled = FiberRef.set(HttpClient.currentTracerDisabledWhen, always)
          const enabled = FiberRef.set(HttpClient.currentTracerDisabledWhen, before)
          const response = Effect.zipRight(disabled, restore(attempt(request, settings.right, exchange)))
          return Effect.flatMap(Effect.exit(response), (exit) => Effect.zipRight(enabled, exit))
        })
      )
  }
}
