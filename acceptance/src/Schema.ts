/**
 * A schema of a PostgreSQL server for one store, which goes with it.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import postgres from "postgres"

/** The address of a store that does not exist yet, as `--store` takes it; at the scope's end it is dropped. */
export const fresh = (server: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const schema = `acceptance_${randomBytes(8).toString("hex")}`
    const url = new URL(server)
    url.searchParams.set("search_path", schema)
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        const sql = postgres(server, { max: 1, onnotice: () => undefined })
        await sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
        await sql.end()
      })
    )
    return url.href
  })
