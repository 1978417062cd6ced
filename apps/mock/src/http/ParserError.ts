/**
 * Converts errors of the HTTP parser to the errors of responses.
 */
import type { RowError } from "../rows/RowError.ts"

/** The maximum sizes of the parts of a request. */
export interface Sizes {
  readonly headerBytes: number
  readonly targetBytes: number
}

/** An error of the HTTP parser, with the last packet that it read. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

/** Reports whether the request line exceeds the limit, as far as the last packet shows it. */
const isTargetTooLong = ({ rawPacket }: ParserError, { targetBytes }: Sizes): boolean => {
  if (rawPacket === undefined || !/^[A-Z]+ \//.test(rawPacket.toString("latin1", 0, 16))) return false
  const end = rawPacket.indexOf("\r\n")
  return (end === -1 ? rawPacket.length : end) > targetBytes
}

/** Maps an error of the parser to the error of the response. */
export const toRowError = (error: ParserError, limits: Sizes): RowError => {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return isTargetTooLong(error, limits)
        ? { _tag: "TargetTooLong", limit: limits.targetBytes }
        : { _tag: "HeadersTooLarge", limit: limits.headerBytes }
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { _tag: "RequestTooSlow" }
    default:
      return { _tag: "RequestUnreadable" }
  }
}
