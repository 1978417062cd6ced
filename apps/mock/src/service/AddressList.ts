/**
 * Lists the addresses of the service at `/`.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../Exchange.ts"

export const response: Effect.Effect<Exchange.Response> = Exit.succeed({
  status: 200,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({
    rows: Catalogue.resources.map(({ resource }) => `/rest/${resource}`),
    postgrest: "/rest/v1",
    operations: "/api/v1",
    description: "/openapi.json",
    docs: "/docs",
    health: ["/health/live", "/health/ready"],
    metrics: "/metrics"
  })
})
