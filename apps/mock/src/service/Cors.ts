/**
 * Pages of any origin may call the service: its keys are sent by hand, so there is nothing a browser adds unasked.
 */
import type * as Exchange from "../Exchange.ts"

const allowedHeaders =
  "Authorization, apikey, Content-Type, Accept, Prefer, Range, Range-Unit, Accept-Profile, Content-Profile, " +
  "X-Client-Info, X-Retry-Count, X-Request-Id, Idempotency-Key, If-Match, If-None-Match"

const exposedHeaders =
  "Content-Encoding, Content-Location, Content-Range, Content-Type, Content-Profile, Date, ETag, Idempotency-Replayed, " +
  "Location, Preference-Applied, Proxy-Status, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, " +
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"

/** What every answer to a page carries. */
export const exposed: Exchange.Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders
}

/** Whether a browser asks what it may send. */
export const isPreflight = ({ headers, method }: Exchange.Request): boolean =>
  method === "OPTIONS" && headers["origin"] !== undefined && headers["access-control-request-method"] !== undefined

/** It may send everything it asks for. */
export const preflight = ({ headers }: Exchange.Request, methods: string): Exchange.Answer => {
  const asked = headers["access-control-request-headers"]
  return {
    status: 200,
    headers: {
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": asked === undefined ? allowedHeaders : `${allowedHeaders}, ${asked}`,
      "Access-Control-Max-Age": "86400",
      Vary: "Access-Control-Request-Headers"
    },
    body: ""
  }
}
