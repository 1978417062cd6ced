/**
 * The bodies of errors of requests that read rows as of a time, or after a position.
 */
import type * as Wire from "@mfgdata/domain/RowError"
import type * as Exchange from "../Exchange.ts"
import * as Position from "../store/replicas/Position.ts"
import type { DatetimeError } from "./RowError.ts"

interface DatetimeBody {
  readonly status: number
  readonly code: Wire.KnownCode
  readonly message: string
  readonly details?: string
  readonly hint: string
  readonly headers?: Exchange.Headers
}

/** The body of each error. */
export const make = (error: DatetimeError): DatetimeBody => {
  switch (error._tag) {
    case "DatetimeMalformed":
      return {
        status: 400,
        code: "22007",
        message: "The header Accept-Datetime is not a time",
        details: "Expected a date of HTTP, such as Fri, 20 Nov 2026 10:00:00 GMT, or a timestamp with an offset.",
        hint: "Send a time such as 2026-11-20T10:00:00.000Z."
      }
    case "PositionMalformed":
      return {
        status: 400,
        code: "MF400",
        message: "The header Mfg-Position is not a position",
        details: `Expected ${Position.expected}.`,
        hint: "Send the value that a response has had, or leave the header out."
      }
    case "DatetimeFuture":
      return {
        status: 400,
        code: "22008",
        message: `The time of Accept-Datetime is after ${error.now}, the time of the service's clock`,
        hint: "Send a time in the past, or leave the header out for the rows as they are."
      }
    case "DatetimeWrite":
      return {
        status: 405,
        code: "MF405",
        message: `A request with Accept-Datetime reads rows, and ${error.method} writes them`,
        hint: "Leave the header out: rows are changed as they are now.",
        headers: { Allow: "GET, HEAD" }
      }
    case "HistoryMissing":
      return error.begins === undefined
        ? {
            status: 410,
            code: "MF410",
            message: "The service does not keep the history of its rows",
            hint: "Start the service with --history on: rows can then be read as of later times."
          }
        : {
            status: 410,
            code: "MF410",
            message: `The time of Accept-Datetime is before ${error.begins}, when the history of the rows begins`,
            hint: "Send a later time. See --keep-history for how long the history is kept."
          }
  }
}
