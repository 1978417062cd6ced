/**
 * Converts an error to the response of the interface that the request addressed.
 */
import * as OperationErrorResponse from "../account/OperationErrorResponse.ts"
import type * as Exchange from "../Exchange.ts"
import type * as RowError from "../rows/RowError.ts"
import * as RowErrorBody from "../rows/RowErrorBody.ts"

/** The path of the operation interface. */
export const operations = "/api/v1/"

/** The error response to a request for `target`. */
export const toResponse = (target: string, error: RowError.RowError): Exchange.Response =>
  target.startsWith(operations) ? OperationErrorResponse.fromRowError(error) : RowErrorBody.toResponse(error)

/** The code of an error response, as far as its status or its headers show it. */
export const codeOf = (status: number, headers: Exchange.Headers): string | undefined =>
  status === 429 ? "P0429" : /error=(\w+)/.exec(headers["Proxy-Status"] ?? "")?.[1]
