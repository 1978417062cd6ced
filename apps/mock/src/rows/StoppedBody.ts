/**
 * The wire form of a query that a limit stopped.
 */
import type { KnownCode } from "@mfgdata/domain/RowError"
import type * as Exchange from "../Exchange.ts"
import type { Reason } from "../store/QueryStopped.ts"
import type { Overflow } from "../store/Store.ts"

interface StoppedBody {
  readonly status: number
  readonly code: KnownCode
  readonly message: string
  readonly details: string
  readonly hint: string
  readonly headers?: Exchange.Headers
}

/** A request to send instead of one that a limit stopped. */
export const smaller = "Request less: fewer rows (limit), fewer embedded rows, an indexed filter, or no count."

export const make = (reason: Reason | Overflow): StoppedBody => {
  switch (reason._tag) {
    case "Timeout":
      return {
        status: 504,
        code: "57014",
        message: "canceling statement due to statement timeout",
        details:
          reason.phase === "running"
            ? `The query ran for longer than ${reason.millis} ms (--statement-timeout).`
            : `The query waited for longer than ${reason.millis} ms (--statement-timeout) for other queries of the company.`,
        hint: smaller
      }
    case "QueueFull":
      return {
        status: 503,
        code: "P0503",
        message: "Too many queries of the company wait for the store",
        details: `At most ${reason.places} queries wait.`,
        hint: "Send fewer queries at the same time, and repeat this one after the seconds in Retry-After.",
        headers: { "Retry-After": String(reason.retryAfterSeconds) }
      }
    case "Unread":
      return {
        status: 503,
        code: "P0503",
        message: "Too many responses of the company are unread",
        details:
          "The responses that the clients of the company have requested and not read take their share of the memory (--answer-memory).",
        hint: "Read these responses, or close their connections; repeat the request after the seconds in Retry-After.",
        headers: { "Retry-After": String(reason.retryAfterSeconds) }
      }
    case "Memory":
      return {
        status: 503,
        code: "53200",
        message: "out of memory",
        details: `The query needs more than ${reason.bytes} bytes of memory (--max-memory).`,
        hint: smaller
      }
    case "Overflow":
      return {
        status: 400,
        code: "22003",
        message: "value out of range: overflow",
        details: "A sum or an average exceeds the largest number, which is about 1.8e308.",
        hint: "Aggregate fewer rows, or without the largest values: add a filter."
      }
  }
}
