/** Schemas of the run's PostgreSQL server, one for each who asks, gone with the scope. */
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import postgres from "postgres"
import * as Settings from "../../src/Settings.ts"

type Address = Extract<Settings.StoreAddress, { readonly _tag: "Postgres" }>

/** Literal SQL on the server itself. */
export const run = (url: string, text: string) =>
  Effect.promise(async () => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined })
    try {
      return await sql.unsafe(text).values()
    } finally {
      await sql.end()
    }
  })

/** The address of a store that does not exist yet. */
export const fresh: Effect.Effect<Address, never, Scope.Scope> = Effect.gen(function* () {
  const server = yield* PostgresServer.url
  const schema = `test_${randomBytes(8).toString("hex")}`
  const url = new URL(server)
  url.searchParams.set("search_path", schema)
  url.searchParams.set("max", "4")
  const address = Settings.settings.store.parse(url.href)
  assert(address?._tag === "Postgres")
  yield* Effect.addFinalizer(() => run(server, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`))
  return address
})
