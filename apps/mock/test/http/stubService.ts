/** The service of transport tests, whose routes are given functions. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../../src/Exchange.ts"
import * as ErrorResponse from "../../src/service/ErrorResponse.ts"
import type { RequestHandler } from "../../src/service/Admission.ts"

export const text = (body: string, status = 200): Exchange.Response => ({
  status,
  headers: { "Content-Type": "text/plain", "X-Absent": undefined },
  body
})

/** A service with the real error responses. */
export const service = (handle: Exchange.Handler): RequestHandler => ({
  admit: () => Exit.succeed({ _tag: "Admitted", companyId: "company" }),
  handle,
  refuse: ({ target }, error) => ErrorResponse.toResponse(target, error)
})

/** Echoes the request. */
export const echo = service(({ body, headers, method, target }) =>
  Effect.succeed(
    text(
      JSON.stringify({ method, target, headers, body: typeof body === "string" ? body : Buffer.from(body).toString() })
    )
  )
)
