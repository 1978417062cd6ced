/**
 * Handles requests in spans of the server, as children of the spans that their trace contexts name.
 */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type * as Exchange from "../Exchange.ts"
import * as TraceContext from "../rows/request/TraceContext.ts"

const parentOf = ({ headers }: Exchange.Request) => {
  const context = TraceContext.fromHeaders(headers)
  if (context === undefined) return {}
  const { isSampled: sampled, spanId, traceId } = context
  return { parent: Tracer.externalSpan({ traceId, spanId, sampled }) }
}

/** Handles a request in a span, which the handler's own spans are children of. */
export const around =
  (handle: Exchange.Handler): Exchange.Handler =>
  (request) => {
    const { method, target } = request
    const attributes = { "http.request.method": method, "url.path": target.split("?", 1)[0] }
    return Effect.useSpan(
      `http.server ${method}`,
      { kind: "server", attributes, captureStackTrace: false, ...parentOf(request) },
      (span) =>
        Effect.suspend(() => handle(request)).pipe(
          Effect.tap(({ status }) => Effect.sync(() => span.attribute("http.response.status_code", status))),
          Effect.withParentSpan(span)
        )
    )
  }
