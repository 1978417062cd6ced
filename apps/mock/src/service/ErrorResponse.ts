/**
 * Converts an error to the response of the interface that the request addressed.
 */
import * as OperationErrorResponse from "../account/OperationErrorResponse.ts"
import type * as Exchange from "../Exchange.ts"
import * as RowError from "../rows/RowError.ts"

/** The path of the operation interface. */
export const operations = "/api/v1/"

/** The error response to a request for `target`. */
export const toAnswer = (target: string, error: RowError.RowError): Exchange.Answer =>
  target.startsWith(operations) ? OperationErrorResponse.fromRowError(error) : RowError.toAnswer(error)
