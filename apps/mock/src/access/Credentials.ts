/**
 * The key that a request carries: a bearer token, or the header `apikey` where there is no `Authorization`.
 */
import type * as Exchange from "../Exchange.ts"

/** The text in the place of a key, if there is one; an empty text is one too. */
export const fromHeaders = (headers: Exchange.Headers): string | undefined => {
  const { apikey, authorization } = headers
  if (authorization === undefined) return apikey
  return authorization.slice(0, 6).toLowerCase() === "bearer" && (authorization[6] ?? " ") === " "
    ? authorization.slice(7).trim()
    : undefined
}
