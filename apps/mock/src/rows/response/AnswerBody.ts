/**
 * The bodies of errors of answers, and of rows to write, that are larger than a limit.
 */
import * as Aggregation from "../../sql/read/Aggregation.ts"
import type { SizeError } from "../RowError.ts"

interface AnswerBody {
  readonly status: 413
  readonly code: "54000"
  readonly message: string
  readonly details: string
  readonly hint: string
}

const body = (message: string, details: string, hint: string): AnswerBody => ({
  status: 413,
  code: "54000",
  message,
  details,
  hint
})

/** The body of each error. */
export const make = (error: SizeError): AnswerBody => {
  switch (error._tag) {
    case "AnswerTooLarge": {
      const { bytes, embed, isFixed } = error
      return body(
        "The answer is too large",
        isFixed
          ? `The write returns more than ${bytes} bytes, a fixed limit where it selects a column several times or casts.`
          : `The answer has more than ${bytes} bytes (--max-answer).`,
        isFixed
          ? "Select each column once, or write with Prefer: return=minimal and read the rows in another request."
          : embed === undefined
            ? "Send a smaller limit, and read the other rows with offset, or select fewer columns."
            : `Send a smaller limit for the embed, such as ${embed}.limit=10, select fewer of its columns, or read its resource in a request of its own.`
      )
    }
    case "GroupsTooLarge":
      return body(
        "The answer has too many groups",
        `The groups of all pages have more than ${error.bytes} bytes (--max-answer), each counted as ${Aggregation.groupBytes} bytes and the values that it is grouped by.`,
        "Add a filter that matches fewer groups, such as a range of a column that is grouped by, or group by columns with fewer or shorter values."
      )
    case "EmbedTooLarge":
      return body(
        "The answer has too many embedded rows",
        `At most ${error.rows} embedded rows are returned, each counted as often as it appears; the embed ${error.embed} exceeds this fixed limit.`,
        `Send a smaller limit for the embed, such as ${error.embed}.limit=10, or read its resource in a request of its own.`
      )
    case "RowsTooLarge":
      return body(
        "The rows to write are too large",
        `The rows that the filter matches, and the values that the request selects, have more than ${error.bytes} bytes (--max-answer).`,
        "Add a filter that matches fewer rows, such as a range of the key, or select fewer columns."
      )
  }
}
