/**
 * A refusal in the form of the interface that was asked: the row interface's, which decides status and words, or the
 * operation interface's, which repeats both in its own body.
 */
import * as OperationError from "@mfgdata/domain/OperationError"
import type * as Exchange from "../Exchange.ts"
import * as RowError from "../rows/RowError.ts"

// The keys of the table are the codes it declares.
const codes = Object.keys(OperationError.statuses) as ReadonlyArray<OperationError.Known>

const ofOperation = (error: RowError.RowError): Exchange.Answer => {
  const { headers, message, status } = RowError.told(error)
  const code = codes.find((code) => OperationError.statuses[code] === status) ?? "BAD_REQUEST"
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify({ ...OperationError.make(code, message), status })
  }
}

/** Where operations are. */
export const operations = "/api/v1/"

/** The answer to a request for `target`. */
export const toAnswer = (target: string, error: RowError.RowError): Exchange.Answer =>
  target.startsWith(operations) ? ofOperation(error) : RowError.toAnswer(error)
