/**
 * The PostgreSQL server of this run of vitest, for tests.
 */
import * as Effect from "effect/Effect"
import { inject } from "vitest"
import "./globalSetup.ts"

/** The server's URL. The server starts with the first request of the run, which takes about a second. */
export const url: Effect.Effect<string> = Effect.promise(async () => {
  const response = await fetch(inject("postgresServer"))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
})
