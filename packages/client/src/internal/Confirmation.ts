/**
 * Decides whether a response confirms a write, although it cannot be read.
 */
import type { Response } from "./call/Message.ts"

const jsonType = /^application\/([^;]+\+)?json\b/i

/** Reports a confirmation by a status or header that only the service sends, or by a body that is of the request. */
export const isConfirmed = (
  { header, status, text }: Pick<Response, "header" | "status" | "text">,
  isOfRequest?: boolean
): boolean => {
  const type = header("content-type")
  const isOfService = type === undefined ? text === "" : jsonType.test(type)
  if (status < 200 || status >= 300 || !isOfService || isOfRequest === false) return false
  return status === 201 || status === 204 || header("preference-applied") !== undefined || isOfRequest === true
}
