/**
 * Prints the open transfers of the service at `MFG_REST_URL`, for the company of `MFG_API_KEY`. The program has two
 * layers: the client from its configuration, and the service on top of it.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { Rows } from "@mfgdata/client"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as OpenTransfers from "./OpenTransfers.ts"

const rows = Rows.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

const program = Effect.gen(function* () {
  const { next } = yield* OpenTransfers.OpenTransfers
  for (const { pieces, status, transferId } of yield* next(10)) {
    yield* Console.log(`${transferId}  ${status}  ${pieces} pieces`)
  }
}).pipe(
  Effect.catchTag("Unreachable", ({ message }) => Console.error(`${message}: check MFG_REST_URL`)),
  Effect.provide(OpenTransfers.layer.pipe(Layer.provide(rows)))
)

Effect.runFork(program)
