/**
 * Puts the methods of `Rows` together over an HTTP client.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RetryPolicy from "../RetryPolicy.ts"
import type { Options, Service } from "../Rows.ts"
import * as ClientOptions from "./ClientOptions.ts"
import * as ReadMethods from "./ReadMethods.ts"
import * as RowCall from "./RowCall.ts"
import * as Transport from "./Transport.ts"
import * as WriteMethods from "./WriteMethods.ts"

/** The service; an invalid option is a defect that names the option. */
export const make = (client: HttpClient.HttpClient, options: Options): Effect.Effect<Service> =>
  Effect.sync(() => {
    const { apiKey, idempotencyKeys = true, restUrl, retry, timeout } = options
    const transport = Transport.make(client, {
      url: ClientOptions.parseAddress("restUrl", restUrl),
      headers: ClientOptions.authorization("apiKey", apiKey),
      retry: RetryPolicy.make(retry),
      timeout: timeout === undefined ? undefined : Duration.decode(timeout)
    })
    const call = RowCall.make(transport)
    const reading = ReadMethods.make(call)
    const { retrieveVersioned } = reading
    const writing = WriteMethods.make(call, { idempotencyKeys, retrieveVersioned })
    // Only the interface declares the types of rows; type tests and the tests over the service compare the two.
    return { ...reading, ...writing } as unknown as Service
  })
