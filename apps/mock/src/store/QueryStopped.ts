/**
 * The error of a query that a limit ended, or kept from starting. It wrote nothing, and a repetition meets the same limit.
 */
import * as Data from "effect/Data"

/**
 * The cause: the statement timeout, while the query waited for its turn or ran; a full queue; responses of the company
 * that its clients do not read; or the memory limit.
 */
export type Reason =
  | { readonly _tag: "Timeout"; readonly phase: "waiting" | "running"; readonly millis: number }
  | { readonly _tag: "QueueFull"; readonly places: number; readonly retryAfterSeconds: number }
  | { readonly _tag: "Unread"; readonly retryAfterSeconds: number }
  | { readonly _tag: "Memory"; readonly bytes: number }

/** The reason to refuse a company that does not read its responses. */
export const unread: Reason = { _tag: "Unread", retryAfterSeconds: 1 }

export class QueryStopped extends Data.TaggedError("QueryStopped")<{ readonly reason: Reason }> {
  override get message() {
    const { reason } = this
    switch (reason._tag) {
      case "Timeout":
        return `The query was canceled after ${reason.millis} ms (${reason.phase})`
      case "QueueFull":
        return `The queue of ${reason.places} queries is full`
      case "Unread":
        return "The responses that the company has not read take too much memory"
      case "Memory":
        return `The query needs more than ${reason.bytes} bytes of memory`
    }
  }
}
