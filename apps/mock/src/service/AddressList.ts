/**
 * Lists the addresses of the service at `/`.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../Exchange.ts"
import * as ConsoleAssets from "./console/ConsoleAssets.ts"
import * as Destination from "./Destination.ts"

const list = (addresses: { readonly console?: string }): Effect.Effect<Exchange.Response> =>
  Exit.succeed({
    status: 200,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      rows: Catalogue.resources.map(({ resource }) => `/rest/${resource}`),
      postgrest: "/rest/v1",
      operations: "/api/v1",
      description: "/openapi.json",
      docs: "/docs",
      ...addresses,
      health: ["/health/live", "/health/ready"],
      metrics: Destination.metrics
    })
  })

/** The list without the console. */
export const response = list({})

/** The list with the console. */
export const withConsole = list({ console: ConsoleAssets.mount })
