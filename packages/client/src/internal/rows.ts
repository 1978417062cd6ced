/**
 * Puts the methods of `Rows` together over an HTTP client.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import type { Options, Service } from "../Rows.ts"
import * as CallArgument from "./call/CallArgument.ts"
import * as ClientOptions from "./ClientOptions.ts"
import * as ReadMethods from "./ReadMethods.ts"
import * as RowCall from "./RowCall.ts"
import * as RowLookup from "./RowLookup.ts"
import * as Transport from "./Transport.ts"
import * as WriteMethods from "./WriteMethods.ts"

/** The service; an invalid option is a defect that names the option. */
export const make = (client: HttpClient.HttpClient, options: Options): Effect.Effect<Service> =>
  Effect.sync(() => {
    const { idempotencyKeys = true, restUrl } = options
    ClientOptions.authorization("apiKey", options.apiKey)
    const transport = Transport.make(client, ClientOptions.parseAddress("restUrl", restUrl), options)
    const call = RowCall.make(transport)
    const reading = ReadMethods.make(call)
    const { retrieveVersioned } = reading
    const writing = WriteMethods.make(RowLookup.forgetting(call), { idempotencyKeys, retrieveVersioned })
    // Only the interface declares the types of rows; type tests and the tests over the service compare the two.
    const methods = CallArgument.add({ ...reading, ...writing }, options)
    return { ...methods, transport } as unknown as Service
  })
