/**
 * The error of a query that a limit ended, or kept from starting. It wrote nothing, and a repetition meets the same limit.
 */
import * as Data from "effect/Data"

/** The cause: the statement timeout, while the query waited for its turn or ran; a full queue; or the memory limit. */
export type Reason =
  | { readonly _tag: "Timeout"; readonly phase: "waiting" | "running"; readonly millis: number }
  | { readonly _tag: "QueueFull"; readonly places: number; readonly retryAfterSeconds: number }
  | { readonly _tag: "Memory"; readonly bytes: number }

export class QueryStopped extends Data.TaggedError("QueryStopped")<{ readonly reason: Reason }> {
  override get message() {
    const { reason } = this
    switch (reason._tag) {
      case "Timeout":
        return `The query was canceled after ${reason.millis} ms (${reason.phase})`
      case "QueueFull":
        return `The queue of ${reason.places} queries is full`
      case "Memory":
        return `The query needs more than ${reason.bytes} bytes of memory`
    }
  }
}
