import * as ParseResult from "effect/ParseResult"

/** The text of an unknown failure. */
export const ofCause = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The text of a failed `fetch`, whose cause has the reason. An attempt at several addresses has a code in its place. */
export const ofFetch = (failure: unknown): string => {
  const cause = failure instanceof Error ? failure.cause : undefined
  if (!(cause instanceof Error)) return ofCause(failure)
  return cause.message === "" && "code" in cause ? String(cause.code) : cause.message
}

/** The text of issues, such as `probability: Expected a number above 0 and up to 1, actual 2`. */
export const ofIssues = (
  issues: ReadonlyArray<{ readonly path: ReadonlyArray<PropertyKey>; readonly message: string }>
): string =>
  issues
    .map(({ message, path }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ")

/** The text of the issues of a value that does not match its schema. */
export const ofParse = (error: ParseResult.ParseError): string =>
  ofIssues(ParseResult.ArrayFormatter.formatErrorSync(error))
