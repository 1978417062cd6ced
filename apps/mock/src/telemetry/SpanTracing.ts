/**
 * Makes spans of requests and of deliveries, in the trace of the caller if the request names one.
 */
import * as Effect from "effect/Effect"
import * as Exchange from "../Exchange.ts"
import * as TraceContext from "../rows/request/TraceContext.ts"
import type { Message, Outcome } from "../webhooks/Sender.ts"
import * as Attributes from "./Attributes.ts"
import type { Value } from "./OtlpMessage.ts"
import type { Sampler } from "./Sampler.ts"
import type { Tracing } from "./Telemetry.ts"

/** A span that has ended. Its attributes are encoded later, away from the request. */
export interface Span {
  readonly context: Exchange.SpanContext
  readonly name: string
  readonly kind: keyof typeof kinds
  readonly startMillis: number
  readonly endMillis: number
  readonly error: string | undefined
  readonly attributes: Attributes.Attributes
}

const kinds = { server: 2, client: 3 }

export const toValue = ({ attributes, context, endMillis, error, kind, name, startMillis }: Span): Value => ({
  traceId: context.traceId,
  spanId: context.spanId,
  traceState: context.traceState,
  parentSpanId: context.parentSpanId,
  name,
  kind: kinds[kind],
  startTimeUnixNano: Attributes.toNanos(startMillis),
  endTimeUnixNano: Attributes.toNanos(endMillis),
  attributes: Attributes.toKeyValues(attributes),
  status: error === undefined ? {} : { code: 2, message: error },
  flags: 1
})

const millis = () => performance.timeOrigin + performance.now()

const headerOf = ({ isSampled, spanId, traceId }: Exchange.SpanContext) =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`

/** The attributes of a header such as `inline;rows=100;ms=0.2`. */
const costOf = (cost: string | undefined): Attributes.Attributes => {
  if (cost === undefined) return {}
  const [, work, rows, ms] = /^(\w+)(?:;rows=(\d+))?(?:;ms=([\d.]+))?/.exec(cost) ?? []
  return {
    "mfg.cost.class": work,
    "mfg.cost.rows": rows === undefined ? undefined : Number(rows),
    "mfg.cost.seconds": ms === undefined ? undefined : Number(ms) / 1000
  }
}

/** The attributes of a delivery: of its address only the server, because the rest may be secret. */
const deliveryAttributes = ({ headers, table, url }: Message): Attributes.Attributes => {
  const target = URL.canParse(url) ? new URL(url) : undefined
  return {
    "http.request.method": "POST",
    "server.address": target?.hostname,
    "server.port": target === undefined || target.port === "" ? undefined : Number(target.port),
    "mfg.resource": table,
    "mfg.event_id": headers["webhook-id"]
  }
}

const errorOf = (outcome: Outcome): string | undefined => {
  switch (outcome._tag) {
    case "Answered":
      return outcome.status < 300 ? undefined : `status ${outcome.status}`
    case "TimedOut":
      return `no response within ${outcome.afterMillis} ms`
    default:
      return outcome.reason
  }
}

/** Spans that go to `record` when they have ended, if the sampler selects their trace. */
export const make = (sampler: Sampler, record: (span: Span) => void): Tracing => {
  const childOf = (headers: Exchange.Headers): Exchange.SpanContext => {
    const parent = TraceContext.fromHeaders(headers)
    const traceId = parent?.traceId ?? Attributes.randomId(16)
    return {
      traceId,
      spanId: Attributes.randomId(8),
      parentSpanId: parent?.spanId,
      traceState: parent?.tracestate,
      isSampled: sampler(traceId, parent?.isSampled)
    }
  }

  const begin: Tracing["begin"] = (request) => {
    const span = childOf(request.headers)
    // Only the deliveries of a change continue the trace: the headers of a read need no copy.
    return request.method === "GET"
      ? { ...request, span }
      : { ...request, span, headers: Exchange.withHeader(request.headers, "traceparent", headerOf(span)) }
  }

  return {
    begin,
    end: (request, { bytesIn, bytesOut, caller, cost, millis: duration, path, requestId, route, status }) => {
      const { span = begin(request).span } = request
      if (span?.isSampled !== true) return
      const endMillis = millis()
      record({
        context: span,
        name: route === undefined ? request.method : `${request.method} ${route}`,
        kind: "server",
        startMillis: endMillis - duration,
        endMillis,
        error: status < 500 ? undefined : `status ${status}`,
        attributes: {
          "http.request.method": request.method,
          "url.path": path,
          "http.route": route,
          "http.response.status_code": status,
          "http.request.body.size": bytesIn,
          "http.response.body.size": bytesOut,
          "client.address": request.peer,
          "user_agent.original": request.headers["user-agent"],
          "mfg.request_id": requestId,
          "mfg.company_id": caller?.companyId,
          "mfg.key_id": caller?.keyId,
          "mfg.key_name": caller?.keyName,
          "enduser.id": caller?.userId,
          ...costOf(cost)
        }
      })
    },
    around: (send) => (message) =>
      Effect.suspend(() => {
        const context = childOf(message.headers)
        if (!context.isSampled) return send(message)
        const startMillis = millis()
        const headers = { ...message.headers, traceparent: headerOf(context) }
        return Effect.map(send({ ...message, headers }), (outcome) => {
          record({
            context,
            name: `POST ${message.table} event`,
            kind: "client",
            startMillis,
            endMillis: millis(),
            error: errorOf(outcome),
            attributes: {
              ...deliveryAttributes(message),
              "http.response.status_code": outcome._tag === "Answered" ? outcome.status : undefined
            }
          })
          return { ...outcome, requestHeaders: headers }
        })
      })
  }
}
