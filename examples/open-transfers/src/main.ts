/**
 * Prints the address of the query: `MFG_REST_URL=http://127.0.0.1:4010/rest node dist/src/main.js`.
 */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as OpenTransfers from "./OpenTransfers.ts"

Effect.runFork(Effect.flatMap(OpenTransfers.address, Console.log))
