/**
 * Handles a request with its faults: delays it, loses it or its response, or changes the response.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exchange from "../Exchange.ts"
import { unavailable } from "../store/Store.ts"
import type { RowError } from "../rows/RowError.ts"
import type { Subject } from "./FaultMatch.ts"
import type { Faults } from "./Faults.ts"
import type { Injection, Loss } from "./Injection.ts"

export interface Service {
  readonly handle: Exchange.Handler
  readonly refuse: (request: Exchange.Request, error: RowError) => Exchange.Response
  /** The clock of the world, in milliseconds since 1970. */
  readonly now: () => number
}

/** A response that no client receives. Logs and metrics have it. */
const lost = (response: Exchange.Response, { way }: Loss): Exchange.Response => ({
  ...response,
  sending: { _tag: way }
})

const isText = (body: unknown): body is string => typeof body === "string"

/** The response of a rule that responds in place of the service. */
const answerOf = (
  { body, headers, status, store }: NonNullable<Injection["answer"]>,
  request: Exchange.Request,
  { refuse }: Service
): Exchange.Response => {
  if (store !== undefined || status === undefined) return refuse(request, unavailable("ConnectionLost"))
  if (body === undefined && status >= 400) {
    const response = refuse(request, { _tag: "FaultInjected", status })
    return { ...response, headers: { ...response.headers, ...headers } }
  }
  const type = isText(body) ? "text/plain; charset=utf-8" : "application/json; charset=utf-8"
  return {
    status,
    headers: { ...(body === undefined ? {} : { "Content-Type": type }), ...headers },
    body: body === undefined ? "" : isText(body) ? body : JSON.stringify(body)
  }
}

const decoder = new TextDecoder()

/** A body whose last character is replaced, so that it is not JSON any more. */
const malformed = (body: Exchange.Response["body"]): string => {
  const text = isText(body) ? body : decoder.decode(body)
  return `${text.slice(0, -1)}"`
}

/** The headers with one more, whose name may be there in another case. */
const replaced = (headers: Exchange.Headers, name: string, value: string): Exchange.Headers => {
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  return { ...Object.fromEntries(others), [name]: value }
}

const changed = (response: Exchange.Response, rule: Injection["changes"][number], now: number): Exchange.Response => {
  const set = {
    ...rule.headers,
    ...(rule.contentType === undefined ? {} : { "Content-Type": rule.contentType }),
    ...(rule.skew === undefined ? {} : { Date: new Date(now + rule.skew * 1000).toUTCString() })
  }
  return {
    ...response,
    headers: Object.entries(set).reduce((headers, [name, value]) => replaced(headers, name, value), response.headers),
    body: rule.malform === true ? malformed(response.body) : response.body,
    sending: rule.truncate === undefined ? response.sending : { _tag: "Cut", part: rule.truncate }
  }
}

const paced = (response: Exchange.Response, bytesPerSecond: number | undefined): Exchange.Response => {
  const { sending } = response
  if (bytesPerSecond === undefined || (sending !== undefined && sending._tag !== "Cut")) return response
  return { ...response, sending: { ...(sending ?? { _tag: "Paced" }), bytesPerSecond } }
}

/** The request as a stale replica would see it. */
const staleRequest = (request: Exchange.Request, seconds: number | undefined, now: number): Exchange.Request =>
  seconds === undefined || (request.method !== "GET" && request.method !== "HEAD")
    ? request
    : { ...request, headers: { ...request.headers, "accept-datetime": new Date(now - seconds * 1000).toUTCString() } }

/** The response to a request with faults. Its header `Mfg-Fault` has the ids of the rules. */
const handle = (
  injection: Injection,
  request: Exchange.Request,
  service: Service
): Effect.Effect<Exchange.Response> => {
  const { answer, changes, down, ids, latencyMillis, loss, staleSeconds, up } = injection
  const upMillis = up === undefined ? 0 : (Exchange.bytesOf(request.body) / up) * 1000
  const millis = latencyMillis + upMillis
  const marked = (response: Exchange.Response): Exchange.Response => ({
    ...response,
    headers: replaced(response.headers, "Mfg-Fault", ids.join(", "))
  })
  const respond = Effect.suspend(() => {
    if (loss?.moment === "before-commit") {
      return Effect.succeed(lost(marked(service.refuse(request, { _tag: "FaultInjected", status: 503 })), loss))
    }
    const response =
      answer === undefined
        ? service.handle(staleRequest(request, staleSeconds, service.now()))
        : Effect.succeed(answerOf(answer, request, service))
    return Effect.map(response, (response) => {
      if (loss !== undefined) return lost(marked(response), loss)
      const now = service.now()
      return paced(
        changes.reduce((response, rule) => changed(response, rule, now), marked(response)),
        down
      )
    })
  })
  return millis === 0 ? respond : Effect.delay(respond, Duration.millis(millis))
}

/** The response to a request with the faults that the rules of a world decide. */
export const respond = (
  faults: Pick<Faults, "decide">,
  subject: Subject,
  service: Service
): Effect.Effect<Exchange.Response> => {
  const { request } = subject
  const injection = faults.decide(subject)
  if (Either.isLeft(injection)) return Effect.succeed(service.refuse(request, injection.left))
  return injection.right === undefined ? service.handle(request) : handle(injection.right, request, service)
}
