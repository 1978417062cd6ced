/**
 * Allows pages of any origin to call the service (CORS): a browser never adds credentials to these requests by itself,
 * because the API key is a header that the page sets.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import type * as Exchange from "../Exchange.ts"
import * as ConsoleAssets from "./console/ConsoleAssets.ts"
import * as Destination from "./Destination.ts"

const allowedHeaders =
  "Authorization, apikey, Content-Type, Accept, Prefer, Range, Range-Unit, Accept-Profile, Content-Profile, " +
  "X-Client-Info, X-Retry-Count, X-Request-Id, Idempotency-Key, If-Match, If-None-Match, Mfg-Position"

const exposedHeaders =
  "Content-Encoding, Content-Location, Content-Range, Content-Type, Content-Profile, Date, ETag, Idempotency-Replayed, " +
  "Location, Mfg-Cost, Mfg-Position, Preference-Applied, Proxy-Status, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, " +
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"

/** Reports whether pages of any origin may read the responses of a path: not those for the administrator and the console. */
export const isOffered = (path: string): boolean =>
  path !== Destination.metrics && !path.startsWith(AdminApi.mount) && !ConsoleAssets.isWithin(path)

/** The headers of every response to a page. */
export const exposed: Exchange.Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders
}

/** Reports whether a request is a CORS preflight. */
export const isPreflight = ({ headers, method }: Exchange.Request): boolean =>
  method === "OPTIONS" && headers["origin"] !== undefined && headers["access-control-request-method"] !== undefined

/** Responds to a preflight: every requested header is allowed. */
export const preflight = ({ headers }: Exchange.Request, methods: string): Exchange.Response => {
  const requestedHeaders = headers["access-control-request-headers"]
  return {
    status: 200,
    headers: {
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers":
        requestedHeaders === undefined ? allowedHeaders : `${allowedHeaders}, ${requestedHeaders}`,
      "Access-Control-Max-Age": "86400",
      Vary: "Access-Control-Request-Headers"
    },
    body: ""
  }
}
