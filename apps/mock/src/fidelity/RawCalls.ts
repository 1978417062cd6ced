/**
 * Sends requests to a service as they are. A request waits while the service has too many of them, and is retried while
 * the service is unavailable: all requests share the wait and the limit of concurrency.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import type * as Ask from "@mfgdata/client/contract/Ask"
import * as RetryAfter from "@mfgdata/domain/RetryAfter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

export interface Address {
  readonly restUrl: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
}

interface Options<E> {
  readonly concurrency: number
  readonly unreachable: (reason: string) => E
}

/** A key of the form of the service's own that no service has issued. */
const unknownKey = "mfg_00000000000000000000000000000000000000"

/** The attempts of a request that the service does not answer, or answers as unavailable. */
const attempts = 4
/** The attempts of a request while the service has too many. */
const longAttempts = 60
const timeout = "60 seconds"

/** The milliseconds before another attempt, without a `Retry-After`. */
const backoff = (attempt: number): number => Math.min(250 * 2 ** attempt, 10_000)

const reasonOf = (error: HttpClientError.HttpClientError): string => {
  const { cause } = error
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error ? inner.message : error.reason
}

/** Statuses of an outage; a 500 is a response of the service. */
const outages: ReadonlySet<number> = new Set([502, 503, 504])

export const make = <E>(
  client: HttpClient.HttpClient,
  address: Address,
  { concurrency, unreachable }: Options<E>
): Effect.Effect<Ask.Ask<E>> =>
  Effect.map(Effect.makeSemaphore(concurrency), (semaphore) => {
    let pausedUntil = 0

    const toHttp = ({ body, credentials = "key", face, headers = {}, method, target }: Ask.Request) => {
      const url = (face === "rows" ? address.restUrl : address.baseUrl) + target
      const key = credentials === "key" ? Redacted.value(address.apiKey) : unknownKey
      const authorization: { readonly [name: string]: string } =
        credentials === "none" ? {} : { authorization: `Bearer ${key}` }
      // The platform names the common methods; the client passes on every other one.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a method is any token
      const plain = HttpClientRequest.make(method as HttpMethod)(url, { headers: { ...authorization, ...headers } })
      return body === undefined
        ? plain
        : HttpClientRequest.setBody(
            plain,
            HttpBody.raw(body, { contentType: headers["content-type"] ?? "application/json" })
          )
    }

    const once = (request: Ask.Request): Effect.Effect<Ask.Answer, string> =>
      client.execute(toHttp(request)).pipe(
        Effect.flatMap((response) =>
          Effect.map(response.text, (text): Ask.Answer => ({
            status: response.status,
            headers: response.headers,
            text
          }))
        ),
        Effect.mapError(reasonOf),
        Effect.timeoutFail({ duration: timeout, onTimeout: () => "no response in time" }),
        Effect.locally(HttpClient.currentTracerDisabledWhen, () => true)
      )

    const paused = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      pausedUntil > now ? Effect.sleep(pausedUntil - now) : Effect.void
    )

    const pause = (answer: Ask.Answer, attempt: number) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const asked = RetryAfter.delay(answer.headers["retry-after"], now)
        const wait = asked === undefined ? backoff(attempt) : Duration.toMillis(asked)
        pausedUntil = Math.max(pausedUntil, now + wait)
      })

    const attempt = (request: Ask.Request, count: number): Effect.Effect<Ask.Answer, E> =>
      Effect.zipRight(paused, Effect.either(once(request))).pipe(
        Effect.flatMap((result) => {
          if (result._tag === "Left") {
            // A write whose response was lost may have happened: its caller finds out.
            const isRepeatable = request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS"
            return isRepeatable && count < attempts
              ? Effect.zipRight(Effect.sleep(backoff(count)), attempt(request, count + 1))
              : Effect.fail(unreachable(result.left))
          }
          const answer = result.right
          if (answer.status === 429) {
            return count < longAttempts
              ? Effect.zipRight(pause(answer, count), attempt(request, count + 1))
              : Effect.fail(unreachable("it has too many requests, also after every wait that it asked for"))
          }
          return outages.has(answer.status) && count < attempts
            ? Effect.zipRight(pause(answer, count), attempt(request, count + 1))
            : Effect.succeed(answer)
        })
      )

    return (request) => semaphore.withPermits(1)(attempt(request, 0))
  })
