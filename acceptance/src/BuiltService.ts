/**
 * Runs the built service on a store of its own, for clients over a socket.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Bin from "./Bin.ts"
import * as Program from "./Program.ts"

export interface BuiltService {
  readonly origin: string
  /** A key with every scope in the company `demo`. */
  readonly key: string
}

interface Options {
  readonly adminKey?: string
  readonly flags?: ReadonlyArray<string>
  readonly seed?: string
}

const key = "mfg_acceptance_key"

/** Serves until the scope closes; `store` is the value of `--store`. The store is empty by default. */
export const serve = (
  store: string,
  { adminKey, flags = [], seed = "empty" }: Options = {}
): Effect.Effect<BuiltService, never, Scope.Scope> =>
  Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    const serve = [bin, "serve", "--port", "0", "--seed", seed, "--store", store, ...flags]
    const { said } = yield* Program.start(serve, /Try:/, {
      env: { MFG_MOCK_API_KEY: key, ...(adminKey !== undefined && { MFG_MOCK_ADMIN_KEY: adminKey }) }
    })
    return { origin: /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "", key }
  })
