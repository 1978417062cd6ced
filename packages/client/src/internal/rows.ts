/**
 * The methods of `Rows` put together over a client. In here rows are what their readers accepted; the service's
 * interface says what they are outside.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RetryPolicy from "../RetryPolicy.ts"
import type { Options, Service } from "../Rows.ts"
import * as Address from "./Address.ts"
import * as Reading from "./Reading.ts"
import * as RowCall from "./RowCall.ts"
import * as Transport from "./Transport.ts"
import * as Writing from "./Writing.ts"

/** The service; a mistake in the options dies, naming the option. */
export const make = (client: HttpClient.HttpClient, options: Options): Effect.Effect<Service> =>
  Effect.sync(() => {
    const { apiKey, idempotencyKeys = true, restUrl, retry, timeout } = options
    const transport = Transport.make(client, {
      url: Address.parse("restUrl", restUrl),
      headers: Address.authorization("apiKey", apiKey),
      retry: RetryPolicy.make(retry),
      timeout: timeout === undefined ? undefined : Duration.decode(timeout)
    })
    const call = RowCall.make(transport)
    const reading = Reading.make(call)
    const { retrieveVersioned } = reading
    // Types are told once, by the interface; the type tests and those over the real service hold the two together.
    return { ...reading, ...Writing.make(call, { idempotencyKeys, retrieveVersioned }) } as unknown as Service
  })
