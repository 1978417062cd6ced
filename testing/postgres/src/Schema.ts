/**
 * Creates schemas of a server, one for each store that a test opens, dropped with the scope.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import postgres from "postgres"

/** Runs literal SQL on a server. */
export const run = (url: string, text: string): Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>> =>
  Effect.promise(async () => {
    const sql = postgres(url, { max: 1, onnotice: () => undefined })
    try {
      return await sql.unsafe(text).values()
    } finally {
      await sql.end()
    }
  })

/** The address of a store that does not exist yet, as `--store` takes it. */
export const fresh = (server: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const schema = `test_${randomBytes(8).toString("hex")}`
    const url = new URL(server)
    url.searchParams.set("search_path", schema)
    yield* Effect.addFinalizer(() => run(server, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`))
    return url.href
  })
