/**
 * A refusal in the form of the interface that was asked.
 */
import * as OperationErrorResponse from "../account/OperationErrorResponse.ts"
import type * as Exchange from "../Exchange.ts"
import * as RowError from "../rows/RowError.ts"

/** Where operations are. */
export const operations = "/api/v1/"

/** The answer to a request for `target`. */
export const toAnswer = (target: string, error: RowError.RowError): Exchange.Answer =>
  target.startsWith(operations) ? OperationErrorResponse.fromRowError(error) : RowError.toAnswer(error)
