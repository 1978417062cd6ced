/**
 * The identifier of a request in the log of the service, which responses name in a header.
 */
import type { OfResponse } from "../../ClientError.ts"

/** The identifier in the headers of a response; `undefined` where there is none. */
export const fromHeaders = (header: (name: string) => string | undefined): string | undefined =>
  header("x-request-id") ?? header("sb-request-id")

/** Adds the identifier of its response to a new error. */
export const identify = <E extends object>(
  error: E,
  response: { readonly header: (name: string) => string | undefined }
): E => {
  const requestId = fromHeaders(response.header)
  return requestId === undefined ? error : Object.assign(error, { requestId } satisfies OfResponse)
}
