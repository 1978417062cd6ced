/**
 * Reads the API key of a request: a bearer token, or the header `apikey` when `Authorization` is absent.
 */
import type * as Exchange from "../Exchange.ts"

/** The text of the key, possibly empty; `undefined` when neither header carries one. */
export const fromHeaders = (headers: Exchange.Headers): string | undefined => {
  const { apikey, authorization } = headers
  if (authorization === undefined) return apikey
  return authorization.slice(0, 6).toLowerCase() === "bearer" && (authorization[6] ?? " ") === " "
    ? authorization.slice(7).trim()
    : undefined
}
