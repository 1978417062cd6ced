/**
 * The error of an invalid command line: problem, suggestion, expected input and example.
 */
import * as Data from "effect/Data"

const sentences = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined).join(" ")

/** An unknown word, or an invalid value. */
export class UsageError extends Data.TaggedError("UsageError")<{
  /** The problem, as a sentence. */
  readonly problem: string
  /** A suggested name. */
  readonly nearest?: string | undefined
  /** The expected input, as a sentence. */
  readonly expected?: string | undefined
  /** A valid command line. */
  readonly example?: string | undefined
}> {
  override get message(): string {
    const { example, expected, nearest, problem } = this
    return sentences(
      problem,
      nearest === undefined ? undefined : `Did you mean ${nearest}?`,
      expected,
      example === undefined ? undefined : `For example: ${example}`
    )
  }
}
