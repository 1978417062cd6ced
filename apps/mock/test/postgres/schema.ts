/** Creates stores on the run's PostgreSQL server, each in a schema that is dropped with the scope. */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Settings from "../../src/Settings.ts"

type Address = Extract<Settings.StoreAddress, { readonly _tag: "Postgres" }>

/** The address of a store that does not exist yet. */
export const fresh: Effect.Effect<Address, never, Scope.Scope> = Effect.gen(function* () {
  const url = new URL(yield* Schema.fresh(yield* PostgresServer.url))
  url.searchParams.set("max", "4")
  const address = Settings.settings.store.parse(url.href)
  assert(address?._tag === "Postgres")
  return address
})
