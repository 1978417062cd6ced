/**
 * The PostgreSQL server of this run of vitest, as a test sees it.
 */
import * as Effect from "effect/Effect"
import { inject } from "vitest"
import "./globalSetup.ts"

/** The server's address. It starts when a test of the run asks for the first time, which takes about a second. */
export const url: Effect.Effect<string> = Effect.promise(async () => {
  const response = await fetch(inject("postgresServer"))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
})
